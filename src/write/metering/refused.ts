import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Ask } from './terms.ts';

/** Counts requests that were refused without asking the database, and tells it of them by and by. */
export interface RefusedCount {
  add(ask: Pick<Ask, 'holder' | 'keyId' | 'operation'>): void;
  /** Writes down all that is counted, as far as it can be. */
  flush(): Promise<void>;
}

const EVERY_MS = 250;
/** Of as many lines: who has more keys and operations in a moment is told of later. */
const MOST_LINES = 1_000;

interface Line {
  readonly holder: string;
  readonly keyId: string;
  readonly operation: string;
  n: number;
}

/** Of holders that nobody has in hand: the others' lines stay for the next time. It never waits, and nobody for it. */
const TEXT = `
with lines as materialized (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as l(holder, key_id, operation, refused)
), asked as materialized (
  select distinct holder from lines
), held as materialized (
  select holder from asked where metering.try_hold(holder)
), noted as (
  insert into metering.usage as u (holder, period, day, key_id, operation, refused)
  select l.holder, a.period, (coalesce($5::timestamptz, clock_timestamp()) at time zone 'UTC')::date, l.key_id,
    l.operation, l.refused
  from lines l join held using (holder) join metering.accounts a using (holder)
  on conflict on constraint usage_pkey do update set refused = u.refused + excluded.refused
)
select holder, set_config('synchronous_commit', 'off', true) from held`;

export const createRefusedCount = (
  db: Queryable,
  logger: Logger,
  at: () => string | null = () => null,
): RefusedCount => {
  let lines = new Map<string, Line>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const put = (line: Line): void => {
    const name = `${line.holder} ${line.keyId} ${line.operation}`;
    const found = lines.get(name);
    if (found === undefined) lines.set(name, { ...line });
    else found.n += line.n;
    schedule();
  };

  const write = async (): Promise<void> => {
    const all = [...lines.values()];
    const told = all.slice(0, MOST_LINES);
    lines = new Map();
    for (const line of all.slice(MOST_LINES)) put(line);
    if (told.length === 0) return;
    try {
      const { rows } = await db.query<{ holder: string }>({
        name: 'metering refused',
        text: TEXT,
        values: [
          told.map((line) => line.holder),
          told.map((line) => line.keyId),
          told.map((line) => line.operation),
          told.map((line) => line.n),
          at(),
        ],
      } as never);
      const held = new Set(rows.map(({ holder }) => holder));
      for (const line of told) if (!held.has(line.holder)) put(line);
    } catch (error) {
      // Whether they were written down is not known: they are no charges, and not told twice.
      logger.warn(
        { refused: told.reduce((sum, { n }) => sum + n, 0), err: messageOf(error) },
        'refused requests may be missing from the record of usage',
      );
    }
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };

  const schedule = (): void => {
    if (timer !== undefined) return;
    timer = setTimeout(flush, EVERY_MS);
    timer.unref();
  };

  return {
    add: ({ holder, keyId, operation }) => put({ holder, keyId, operation, n: 1 }),
    flush,
  };
};
