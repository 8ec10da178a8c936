import type { Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { sql } from '../kernel/postgres/statement.ts';
import { isErasedAccount } from './demand.ts';
import type { Named } from './erasure/cleanse.ts';

/** An account that a caller asked for. */
export interface Access {
  readonly platform: Platform;
  /** Its handle, or `id:` and its native ID. */
  readonly account: string;
  readonly holder: string;
  readonly operation: string;
}

/** Who asked for whom, for those whose accounts they are. */
export interface AccessLog {
  /** Resolves once it is written: whoever is answered after that is in it, whatever ends then. */
  record(accesses: readonly Access[]): Promise<void>;
}

const KEEP_DAYS = 90;

/** Rows of a statement. */
const MAX_ROWS = 5_000;

/** Writes all that arrives while a batch is written as the next one, so that batches grow with the load. */
export const createAccessLog = (db: Queryable, fence: Named): AccessLog => {
  let waiting: Access[] = [];
  let next: Promise<void> | null = null;
  let running: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    const accesses = waiting;
    waiting = [];
    next = null;
    const rows = accesses.filter(({ platform, account }) => !isErasedAccount(fence, platform, account));
    for (let from = 0; from < rows.length; from += MAX_ROWS) {
      const some = rows.slice(from, from + MAX_ROWS);
      await db.query(sql.named('record accesses')`
        insert into metering.accesses (platform, handle, holder, operation)
        select * from unnest(${some.map(({ platform }) => platform)}::text[], ${some.map(({ account }) => account)}::text[],
          ${some.map(({ holder }) => holder)}::text[], ${some.map(({ operation }) => operation)}::text[])`);
    }
  };
  return {
    record: (accesses) => {
      if (accesses.length === 0) return Promise.resolve();
      waiting.push(...accesses);
      if (next === null) {
        next = running.catch(() => undefined).then(write);
        running = next;
      }
      return next;
    },
  };
};

/** A request for an account. */
export interface RecordedAccess extends Pick<Access, 'holder' | 'operation'> {
  readonly at: string;
}

/** Who asked for an account under some of its names, newest first. */
export const listAccesses = async (
  db: Queryable,
  platform: Platform,
  names: readonly string[],
  limit: number,
): Promise<readonly RecordedAccess[]> => {
  const { rows } = await db.query<RecordedAccess>(sql`
    select to_json(at) #>> '{}' as at, holder, operation from metering.accesses
    where platform = ${platform} and handle = any(${names}) order by at desc limit ${limit}`);
  return rows;
};

const MAX_DROPPED = 5_000;

/** Deletes what is older than 90 days. @returns how many. */
export const dropOldAccesses = async (db: Queryable): Promise<number> => {
  let dropped = 0;
  for (;;) {
    const { rowCount } = await db.query(sql`
      delete from metering.accesses where ctid = any (array(
        select ctid from metering.accesses where at < now() - make_interval(days => ${KEEP_DAYS})
        order by at limit ${MAX_DROPPED}))`);
    dropped += rowCount ?? 0;
    if ((rowCount ?? 0) < MAX_DROPPED) return dropped;
  }
};
