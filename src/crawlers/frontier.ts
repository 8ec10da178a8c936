import { createBatcher } from '../kernel/batch.ts';
import { PLATFORMS, type Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { raw, type Statement, sql } from '../kernel/postgres/statement.ts';
import type { Builds } from '../read/active-builds.ts';
import { dueAccounts } from '../read/frontier.ts';
import { type Candidate, waitingCandidates } from './pools/candidates.ts';
import type { CurrentPools } from './pools/current-pools.ts';

/** An account leased to this worker. */
export interface Lease extends Charge {
  readonly handle: string;
  /** Steps from an account that an operator or a caller named; null if unknown. */
  readonly depth: number | null;
  /** Whether no reading of it was conclusive yet. */
  readonly isNew: boolean;
  /** Who named it, if it is a name that waits to be found; null for an account that a pool has. */
  readonly candidate: Candidate | null;
  /** Consecutive inconclusive readings. */
  readonly failures: number;
  /** End of the lease, milliseconds since 1970. */
  readonly untilMs: number;
}

export interface Frontier {
  lease(platform: Platform, max: number, nowMs: number): Promise<readonly Lease[]>;
  /** Completes a lease: the account is not due until the frontier has seen its event. */
  done(platform: Platform, handle: string, nowMs: number): Promise<void>;
  /** Schedules a retry after an inconclusive reading. */
  retry(platform: Platform, lease: Lease, untilMs: number): Promise<void>;
  /** Charges a lease's pool with the requests that its reading took. */
  used(lease: Lease, requests: number): void;
  /** Releases leases of accounts that were not read. */
  release(platform: Platform, leases: readonly Lease[]): Promise<void>;
  /** Deletes long expired leases. */
  sweep(nowMs: number): Promise<void>;
}

export const createFrontier = (
  db: Queryable,
  builds: Builds,
  pools: CurrentPools,
  worker: string,
  leaseMs: number,
): Frontier => {
  /** Completes leases; those of one tick share a statement. */
  const complete = createBatcher<Completed, void>(async (leases) => {
    // Not prepared: a generic plan does not know the number of leases and would scan the whole table.
    await db.query(sql`
      update crawl.leases l set until = done.until, failures = 0
      from unnest(${leases.map(({ platform }) => platform)}::text[], ${leases.map(({ handle }) => handle)}::text[],
        ${leases.map(({ untilMs }) => new Date(untilMs))}::timestamptz[]) as done(platform, handle, until)
      where l.platform = done.platform and l.handle = done.handle and l.worker = ${worker}`);
    return leases.map(() => undefined);
  });
  const turnsOf = Object.fromEntries(
    PLATFORMS.map((platform) => [platform, createPoolTurns(platform, pools)]),
  ) as Record<Platform, PoolTurns>;
  return {
    lease: async (platform, max, nowMs) => {
      const untilMs = nowMs + leaseMs;
      const poolTurns = turnsOf[platform];
      const turns = poolTurns.take(nowMs);
      if (turns.pools.length === 0 && turns.settled.length === 0) return [];
      const charges = new Map(turns.pools.map((pool) => [pool, poolTurns.expected(pool)]));
      const began = performance.now();
      let leased: ReturnType<typeof leasedOf>;
      try {
        const { rows } = await db.query<LookRow>(
          leaseStatement(builds, platform, max, turns, {
            worker,
            now: new Date(nowMs),
            until: new Date(untilMs),
          }),
        );
        leased = leasedOf(rows);
      } catch (error) {
        poolTurns.looked(turns, null, 0);
        throw error;
      }
      poolTurns.looked(turns, leased, performance.now() - began);
      return leased.map(({ namer, via, source, ...row }) => ({
        ...row,
        platform,
        charged: charges.get(row.reader) ?? 0,
        untilMs,
        candidate:
          namer === null
            ? null
            : { platform, handle: row.handle, depth: row.depth, from: namer, via, source },
      }));
    },
    used: (lease, requests) => turnsOf[lease.platform].settle(lease, requests),
    done: (platform, handle, nowMs) => complete({ platform, handle, untilMs: nowMs + HEARD_MS }),
    retry: async (platform, { handle, failures }, untilMs) => {
      await db.query(sql.named('lease_retry')`
        update crawl.leases set until = ${new Date(untilMs)}, failures = ${failures + 1}
        where platform = ${platform} and handle = ${handle} and worker = ${worker}`);
    },
    release: async (platform, leases) => {
      const handles = leases.map((lease) => lease.handle);
      if (handles.length === 0) return;
      // Releasing keeps the count of failures.
      await db.query(sql.named('lease_release')`
        update crawl.leases set until = 'epoch' where platform = ${platform} and handle = any(${handles})
          and worker = ${worker}`);
    },
    sweep: async (nowMs) => {
      await db.query(sql`delete from crawl.leases where until < ${new Date(nowMs - SWEEP_MS)}`);
    },
  };
};

/** A lease whose account was read: it is not leased again before this time. */
interface Completed {
  readonly platform: Platform;
  readonly handle: string;
  readonly untilMs: number;
}

/** Maximum lag of the frontier; with a greater one an account might be read twice. */
const HEARD_MS = 15_000;
const SWEEP_MS = 86_400_000;

/** A due account, or a candidate. */
type DueRow = Pick<Lease, 'handle' | 'pool' | 'reader' | 'depth' | 'isNew'> & {
  /** Null for a candidate. */
  readonly dueAtMs: number | null;
  /** Of a candidate; null for an account that a pool has. */
  readonly namer: string | null;
  readonly via: 'mention' | 'link';
  readonly source: string;
};
/** A row of the answer: a due account, or a leased one with its failures. */
type LookRow = DueRow & { readonly failures: number | null };

/**
 * Leases due accounts in the order of their pools' turns, and charges the pools, in one round trip. Turns are
 * start-time fair queueing (Goyal et al. 1996) over the virtual times in `crawl.pool_turns`: the pool that has used
 * least comes first. A pool without due accounts leaves its turns to the others and saves none.
 *
 * Rows of due accounts come first, then a row for each leased account. `leasedOf` joins them, since a generic plan
 * would not know how many rows to join.
 * Decision: `docs/adr/0018-pools-take-turns.md`.
 */
const leaseStatement = (
  builds: Builds,
  platform: Platform,
  max: number,
  turns: Turns,
  { worker, now, until }: { readonly worker: string; readonly now: Date; readonly until: Date },
): Statement =>
  sql`
  with
  -- Processes that lease for the same platform wait for each other.
  turn as materialized (
    select t.pool, t.used + coalesce(s.amount, 0) as used, t.idle, coalesce(s.amount, 0) <> 0 as is_settled
    from crawl.pool_turns t
    left join unnest(${turns.settled}::text[], ${turns.amounts}::float8[]) as s(pool, amount) on s.pool = t.pool
    where t.platform = ${platform} for update of t
  ),
  pool as (
    select p.*, t.used, coalesce(t.idle, true) as idle
    from unnest(${turns.pools}::text[], ${turns.costs}::float8[], ${turns.untilCandidate}::int[])
      as p(pool, cost, until_candidate)
    left join turn t on t.pool = p.pool
  ),
  clock as (select coalesce(min(used) filter (where not idle), max(used), 0) as at from pool),
  start as materialized (
    select pool, cost, until_candidate, case when idle then greatest(used, clock.at) else used end as used, idle
    from pool, clock
  ),
  -- Twice its part of the turns, and what it lags behind; one account of a pool that had none at the last look, unless
  -- that is all of them.
  quota as (
    select pool, cost, used, until_candidate, case when idle and not all_idle then 1 else least(${max}::int, 1 + ceil(
      2 * ${max}::int / cost / sum(1 / cost) filter (where all_idle or not idle) over ()
      + (max(used) over () - used) / cost
    ))::int end as quota
    from (select *, bool_and(idle) over () as all_idle from start) each
  ),
  candidate as materialized (
    select d.*, q.pool as reader, q.used + q.cost * d.n as turn
    from quota q
    cross join lateral (
      -- A candidate has one reading in so many, and each that due accounts leave.
      select each.*, row_number() over (order by each.place) as n from (
        select ready.handle, ready.depth, ready.due_at, ready.is_new, s.source as pool,
          null as namer, null as via, null as named_by, row_number() over (order by ready.due_at)::float8 as place
        from unnest(${turns.sources}::text[], ${turns.readers}::text[], ${turns.after}::timestamptz[]) as s(source, reader, after)
        cross join lateral (${dueAccounts(builds, platform, now, {
          pool: raw('s.source'),
          after: raw('s.after'),
          limit: raw('q.quota'),
        })}) ready
        where s.reader = q.pool
        union all
        select waiting.handle, waiting.depth, null, true, s.source, waiting.namer, waiting.via, waiting.source,
          q.until_candidate - 0.5
            + ${CANDIDATE_EVERY} * (row_number() over (order by waiting.misses, waiting.namers desc, waiting.named_at) - 1)
        from unnest(${turns.sources}::text[], ${turns.readers}::text[]) as s(source, reader)
        cross join lateral (${waitingCandidates(builds, platform, now, {
          pool: raw('s.source'),
          limit: raw('q.quota'),
        })}) waiting
        where s.reader = q.pool
        order by place limit q.quota
      ) each
    ) d
  ),
  due as (select * from candidate order by turn limit ${max}),
  leased as (
    insert into crawl.leases as l (platform, handle, worker, until, pool)
    select ${platform}, handle, ${worker}, ${until}, reader from due
    on conflict (platform, handle)
      do update set worker = excluded.worker, until = excluded.until, pool = excluded.pool
      where l.until <= ${now}
    returning handle, failures, pool
  ),
  given as (select pool, count(*) as n from leased group by pool),
  charged as (
    insert into crawl.pool_turns as t (platform, pool, used, idle)
    select ${platform}, s.pool, s.used + s.cost * coalesce(g.n, 0),
           not exists (select from candidate c where c.reader = s.pool)
    from start s left join given g on g.pool = s.pool
    union all
    -- Pools that are not crawled at present.
    select ${platform}, pool, used, true from turn
    where (is_settled or not idle) and not exists (select from start s where s.pool = turn.pool)
    on conflict (platform, pool) do update set used = excluded.used, idle = excluded.idle
      where t.used <> excluded.used or t.idle <> excluded.idle
  ),
  look as (
    select handle, pool, reader, depth, is_new, due_at, namer, via, named_by, turn, null::int as failures from due
    union all
    select handle, null, null, null, null, null, null, null, null, null, failures from leased
  )
  select handle, pool, reader, depth, is_new as "isNew", failures, namer, via, named_by as source,
         (extract(epoch from due_at) * 1000)::float8 as "dueAtMs"
  from look order by turn nulls last`.with({ name: `lease of ${platform} by ${builds.schema('frontier')}` });

/** The due accounts that were leased, in the order of turns. */
const leasedOf = (rows: readonly LookRow[]): readonly (DueRow & { readonly failures: number })[] => {
  const failures = new Map(
    rows.flatMap((row) => (row.failures === null ? [] : [[row.handle, row.failures]])),
  );
  return rows.flatMap((row) => {
    const found = row.failures === null ? failures.get(row.handle) : undefined;
    return found === undefined ? [] : [{ ...row, failures: found }];
  });
};

/** What a lease was charged with. */
interface Charge {
  readonly platform: Platform;
  /** The pool that recruited the account. */
  readonly pool: string;
  /** The pool whose turn it was. */
  readonly reader: string;
  /** Requests that a reading was expected to take. */
  readonly charged: number;
}

/** What the turns need to know of a leased account. */
interface Looked {
  readonly pool: string;
  readonly reader: string;
  /** Null for a candidate. */
  readonly dueAtMs: number | null;
}

/** Pools that take turns, and what they used since the last look. */
interface Turns {
  /** Pools that are crawled. */
  readonly pools: readonly string[];
  /** Virtual time of a reading of each: the requests that it takes, divided by the pool's share. */
  readonly costs: readonly number[];
  /** Readings of each until one of them is a candidate's, although accounts are due. */
  readonly untilCandidate: readonly number[];
  /** Pools whose accounts are read. */
  readonly sources: readonly string[];
  /** The pool that reads each source's accounts. */
  readonly readers: readonly string[];
  /** Where the look for due accounts of each source begins: those due before are leased. */
  readonly after: readonly Date[];
  /** Pools whose readings took other requests than they were charged with. */
  readonly settled: readonly string[];
  /** The difference in virtual time of each. */
  readonly amounts: readonly number[];
}

/** Turns of a platform's pools, as one process takes them. */
interface PoolTurns {
  /** The parameters of the next lease. Each settled difference is handed out once. */
  take(nowMs: number): Turns;
  /** Requests that a reading for a pool is expected to take. */
  expected(pool: string): number;
  /**
   * Notes the accounts that a look found and how long it took. After a failed look (`null`) its charges are settled
   * again.
   */
  looked(turns: Turns, leases: readonly Looked[] | null, tookMs: number): void;
  /** Charges the difference between the requests that a lease took and those that were expected. */
  settle(charge: Charge, requests: number): void;
}

/** One reading in so many is a candidate's while accounts are due: those that a pool has come first. */
const CANDIDATE_EVERY = 20;
/** Weight of a new reading in the mean requests of a pool's readings. */
const WEIGHT = 0.1;
/** Maximum fraction of time for scanning the due accounts from the beginning again. */
const MAX_REWINDING = 0.05;

const createPoolTurns = (platform: Platform, pools: CurrentPools): PoolTurns => {
  const means = new Map<string, number>();
  let differences = new Map<string, number>();
  /** Due time of the last leased account, by source. Earlier ones are leased already, or wait for another attempt. */
  let reached = new Map<string, number>();
  let rewoundAtMs = Number.NEGATIVE_INFINITY;
  let rewindMs = 0;
  const untilCandidate = new Map<string, number>();

  const shareOf = (name: string): number =>
    pools.active(platform).find(({ pool }) => pool === name)?.share ?? 1;
  const expected = (pool: string): number => means.get(pool) ?? 1;

  return {
    expected,
    take: (nowMs) => {
      // Scans from the beginning now and then, to find accounts that became due earlier than leased ones.
      if (nowMs - rewoundAtMs >= rewindMs / MAX_REWINDING) {
        reached = new Map();
        rewoundAtMs = nowMs;
      }
      const active = pools.active(platform);
      const sources = active.flatMap(({ pool, reads }) => reads.map((source) => [source, pool] as const));
      const taken = differences;
      differences = new Map();
      return {
        pools: active.map(({ pool }) => pool),
        costs: active.map(({ pool, share }) => expected(pool) / share),
        untilCandidate: active.map(({ pool }) => untilCandidate.get(pool) ?? CANDIDATE_EVERY),
        sources: sources.map(([source]) => source),
        readers: sources.map(([, reader]) => reader),
        after: sources.map(([source]) => new Date(reached.get(source) ?? 0)),
        settled: [...taken.keys()],
        amounts: [...taken.values()],
      };
    },
    looked: (turns, leases, tookMs) => {
      if (leases === null) {
        for (const [i, pool] of turns.settled.entries())
          differences.set(pool, (differences.get(pool) ?? 0) + (turns.amounts[i] ?? 0));
        return;
      }
      if (turns.after.some((after) => after.getTime() === 0)) rewindMs = tookMs;
      for (const { pool, reader, dueAtMs } of leases) {
        if (dueAtMs === null) untilCandidate.set(reader, CANDIDATE_EVERY);
        else {
          reached.set(pool, Math.max(reached.get(pool) ?? 0, dueAtMs));
          untilCandidate.set(reader, Math.max(1, (untilCandidate.get(reader) ?? CANDIDATE_EVERY) - 1));
        }
      }
    },
    settle: ({ reader, charged }, requests) => {
      if (requests > 0) means.set(reader, expected(reader) + WEIGHT * (requests - expected(reader)));
      const difference = (requests - charged) / shareOf(reader);
      if (difference !== 0) differences.set(reader, (differences.get(reader) ?? 0) + difference);
    },
  };
};
