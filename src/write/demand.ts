import type { Logger } from '../kernel/logger.ts';
import type { Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { sql } from '../kernel/postgres/statement.ts';
import { isErasedName, type Named } from './erasure/cleanse.ts';

/** Counts look-ups of accounts that the directory lacks, but of none that was erased. */
export interface Demand {
  /** @param account a handle, or `id:` and a native ID. */
  count(platform: Platform, account: string, holder: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Reasons why crawlers will not read an account that a caller asked for, as texts for callers. */
export const NOT_QUEUED = {
  no_demand_pool: 'no pool of the platform recruits accounts that callers ask for',
  pool_paused: 'the pool that has the account, or would recruit it, is paused',
  pool_retired: 'the pool that had the account is no longer read',
  pool_full: 'the pools that recruit accounts that callers ask for are full',
  too_few_holders: 'more holders must ask for the account',
  engine_paused: 'the engine of the platform is paused',
  handle_needed: 'crawlers read accounts of the platform only by handle',
  read_before: 'crawlers have read it: the result appears here within seconds, unless the account is absent',
} as const;
export type NotQueued = keyof typeof NOT_QUEUED;

/** An account as a caller names it: a handle, or this and its native ID. */
export const BY_ID = 'id:';

/** Whether an account that a caller names was erased. */
export const isErasedAccount = (fence: Named, platform: Platform, account: string): boolean =>
  account.startsWith(BY_ID)
    ? fence.has(platform, 'id', account.slice(BY_ID.length))
    : isErasedName(fence, platform, account);

/** An account that a holder asked for: its handle, or `id:` and its native ID. */
export interface Asked {
  readonly platform: Platform;
  readonly account: string;
  readonly holder: string;
}

/** The reason why an account will not be read; null if it will be read. */
export type DemandOutlook = (asked: Asked) => Promise<NotQueued | null>;

const FLUSH_MS = 2_000;
/** Look-ups of a holder per flush. More within such a short time add no information. */
const MAX_WAITING = 500;
/** Accounts of a holder that are counted. */
export const DEMAND_OF_HOLDER = 2_000;
const KEEP_DAYS = 7;

/** The accounts that a holder asked for last, each with its platform. */
type Waiting = Map<string, readonly [Platform, string]>;

/**
 * Buffers look-ups in memory and flushes them periodically. Losing some is acceptable; slowing requests is not. Each holder has
 * a quota, in which its newest look-ups take the place of its oldest ones: nobody's demand is lost to another's.
 */
export const createDemand = (db: Queryable, logger: Logger, fence: Named): Demand => {
  let waiting = new Map<string, Waiting>();
  const flush = async () => {
    const holders = [...waiting.keys()];
    const rows = [...waiting].flatMap(([holder, asked]) =>
      [...asked.values()].flatMap(([platform, account]) =>
        isErasedAccount(fence, platform, account) ? [] : [[platform, account, holder]],
      ),
    );
    waiting = new Map();
    if (rows.length === 0) return;
    await db.query(sql`delete from crawl.demand where at < now() - make_interval(days => ${KEEP_DAYS})`);
    await db.query(sql`
      insert into crawl.demand (platform, handle, holder)
      select * from unnest(${rows.map((r) => r[0])}::text[], ${rows.map((r) => r[1])}::text[],
        ${rows.map((r) => r[2])}::text[])
      -- All processes lock rows in one order.
      order by 1, 2, 3
      on conflict (platform, handle, holder) do update set at = now()`);
    await db.query(sql`
      delete from crawl.demand where ctid = any (array(
        select old.ctid from unnest(${holders}::text[]) h(holder) cross join lateral (
          select ctid from crawl.demand where holder = h.holder order by at desc offset ${DEMAND_OF_HOLDER}) old))`);
  };
  const timer = setInterval(() => {
    flush().catch((error: Error) => logger.warn({ err: error.message }, 'counting demand failed'));
  }, FLUSH_MS);
  timer.unref();
  return {
    count: (platform, handle, holder) => {
      const asked = waiting.get(holder) ?? new Map();
      waiting.set(holder, asked);
      const account = `${platform}:${handle}`;
      asked.delete(account);
      asked.set(account, [platform, handle]);
      if (asked.size > MAX_WAITING) asked.delete(asked.keys().next().value as string);
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush().catch((error: Error) => logger.warn({ err: error.message }, 'counting demand failed'));
    },
  };
};
