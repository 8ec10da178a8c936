import { errorMessage } from '../../../kernel/errors/error-message.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { type Statement, sql } from '../../../kernel/postgres/statement.ts';
import type { AdmissionRequest } from '../entitlements.ts';

/** Counts requests that were rejected without a query, and writes the counts periodically. */
export interface RejectionCount {
  add(ask: Pick<AdmissionRequest, 'holder' | 'keyId' | 'operation'>): void;
  /** Writes all counts, as far as possible. */
  flush(): Promise<void>;
}

const EVERY_MS = 250;
/** Maximum rows of a write; the rest follows later. */
const MAX_LINES = 1_000;

interface RequestGroup {
  readonly holder: string;
  readonly keyId: string;
  readonly operation: string;
  n: number;
}

/** Writes only unlocked holders; the others' counts are kept for the next write. It never blocks. */
const noting = (written: readonly RequestGroup[], at: string | null): Statement => sql.named(
  'metering refused',
)`
  with lines as materialized (
    select * from unnest(${written.map((group) => group.holder)}::text[],
      ${written.map((group) => group.keyId)}::text[], ${written.map((group) => group.operation)}::text[],
      ${written.map((group) => group.n)}::bigint[]) as l(holder, key_id, operation, refused)
  ), asked as materialized (
    select distinct holder from lines
  ), held as materialized (
    select holder from asked where metering.try_lock_holder(holder)
  ), noted as (
    insert into metering.usage_entries
    select l.holder, a.period, (coalesce(${at}::timestamptz, clock_timestamp()) at time zone 'UTC')::date, l.key_id,
      l.operation, 0, l.refused, 0, 0, 0, 0
    from lines l join held using (holder) join metering.accounts a using (holder)
  )
  select holder, set_config('synchronous_commit', 'off', true) from held`;

export const createRejectionCount = (
  db: Queryable,
  logger: Logger,
  at: () => string | null = () => null,
): RejectionCount => {
  let groups = new Map<string, RequestGroup>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const put = (group: RequestGroup): void => {
    const name = `${group.holder} ${group.keyId} ${group.operation}`;
    const found = groups.get(name);
    if (found === undefined) groups.set(name, { ...group });
    else found.n += group.n;
    schedule();
  };

  const write = async (): Promise<void> => {
    const all = [...groups.values()];
    const written = all.slice(0, MAX_LINES);
    groups = new Map();
    for (const group of all.slice(MAX_LINES)) put(group);
    if (written.length === 0) return;
    try {
      const { rows } = await db.query<{ holder: string }>(noting(written, at()));
      const held = new Set(rows.map(({ holder }) => holder));
      for (const group of written) if (!held.has(group.holder)) put(group);
    } catch (error) {
      // Whether they were written is unknown. They are no charges, so they are not counted twice.
      logger.warn(
        { refused: written.reduce((sum, { n }) => sum + n, 0), err: errorMessage(error) },
        'counts of rejected requests may be missing from the usage records',
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
