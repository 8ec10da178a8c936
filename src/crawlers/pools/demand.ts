import { createBatcher } from '../../kernel/batch.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { descriptorOf } from '../../platforms/index.ts';
import type { Builds } from '../../read/active-builds.ts';
import { type Member, type PoolSize, readMembers, readSizes } from '../../read/frontier.ts';
import { listPools, type PoolRow, readersOf } from '../../read/pools.ts';
import {
  type Asked,
  BY_ID,
  type DemandOutlook,
  isErasedAccount,
  type NotQueued,
} from '../../write/demand.ts';
import type { Named } from '../../write/erasure/cleanse.ts';
import { createControls } from '../engine/controls.ts';
import type { Recruiter } from '../recruiter.ts';
import type { CurrentPools } from './current-pools.ts';

/**
 * Recruits requested accounts that the catalog lacks into pools with the rule demand, in turns of the holders who ask. Recruited accounts are not counted
 * any more, so that it is looked at once.
 * @returns how many accounts were new.
 */
export const recruitDemand = async (
  db: Queryable,
  pools: Pick<CurrentPools, 'recruiting'>,
  recruiter: Pick<Recruiter, 'take'>,
  nowMs: number,
): Promise<number> => {
  let recruited = 0;
  for (const platform of PLATFORMS) {
    const least = pools
      .recruiting(platform)
      .flatMap(({ rule, min_holders }) => (rule === 'demand' ? min_holders : []));
    if (least.length === 0) continue;
    const { rows } = await db.query<{ handle: string; holders: number }>(sql`
      select handle, count(*)::int as holders
      from (select handle, at, row_number() over (partition by holder order by at, handle) as turn
        from crawl.demand where platform = ${platform}) d
      group by handle having count(*) >= ${Math.min(...least)} order by count(*) desc, min(turn), min(at)
      limit ${MAX_ACCOUNTS}`);
    const finds = rows.flatMap((row) => {
      const handle = demandedHandle(platform, row.handle);
      return handle === null
        ? []
        : [
            {
              platform,
              handle,
              via: 'demand' as const,
              from: null,
              source: null,
              depth: 0,
              holders: row.holders,
            },
          ];
    });
    const taken = await recruiter.take(finds, nowMs);
    recruited += taken.recruited;
    const settled = rows
      .map(({ handle }) => handle)
      .filter((account) => !taken.refused.has(demandedHandle(platform, account) ?? ''));
    await db.query(sql`delete from crawl.demand where platform = ${platform} and handle = any(${settled})`);
  }
  return recruited;
};

/**
 * An erased account is answered like one that nobody has seen. Where one would be queued, it is answered like one that the operator
 * took out of its pool: a caller can't tell these two apart, but that it is one of them.
 * @param db the primary: demand is counted there.
 */
export const createDemandOutlook = (db: Queryable, builds: Builds, fence: Named): DemandOutlook => {
  const controls = createControls(db);
  const read = async () => ({
    pools: await listPools(db, builds.schema('pools')),
    sizes: await readSizes(db, builds),
  });
  let settings: ReturnType<typeof read> | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const current = (): ReturnType<typeof read> => {
    if (settings !== null && elapsedMs() - readAtMs < KEPT_MS) return settings;
    readAtMs = elapsedMs();
    const reading = read();
    settings = reading;
    reading.catch(() => {
      if (settings === reading) settings = null;
    });
    return reading;
  };
  /** How many others asked for each. */
  const others = async (all: readonly Asked[]): Promise<readonly number[]> => {
    const { rows } = await db.query<{ n: number }>(sql.named('others who ask')`
      select (select count(*)::int from crawl.demand d
              where d.platform = a.platform and d.handle = a.account and d.holder <> a.holder) as n
      from unnest(${all.map(({ platform }) => platform)}::text[], ${all.map(({ account }) => account)}::text[],
        ${all.map(({ holder }) => holder)}::text[]) with ordinality as a(platform, account, holder, i)
      order by a.i`);
    return rows.map(({ n }) => n);
  };
  return createBatcher(async (all: readonly Asked[]) => {
    const [{ pools, sizes }, members, asking] = await Promise.all([
      current(),
      readMembers(
        db,
        builds,
        all.flatMap(({ platform, account }) => {
          const handle = demandedHandle(platform, account);
          return handle === null ? [] : [{ platform, handle }];
        }),
      ),
      others(all),
    ]);
    return Promise.all(
      all.map(async ({ platform, account }, i) => {
        const handle = demandedHandle(platform, account);
        const isErased = isErasedAccount(fence, platform, account);
        const lacking = lackingFor({
          pools: pools.filter((pool) => pool.platform === platform),
          sizes,
          isEnginePaused: (await controls.engine(platform)).paused,
          handle,
          member: isErased ? null : (members.get(`${platform}:${handle}`) ?? null),
          holders: (asking[i] ?? 0) + 1,
        });
        return lacking ?? (isErased ? 'no_demand_pool' : null);
      }),
    );
  });
};

/** Accounts of a platform that are recruited at once. */
const MAX_ACCOUNTS = 500;

/** An account as the frontier names it; null for an ID that could be a handle. */
const demandedHandle = (platform: Platform, account: string): string | null => {
  if (!account.startsWith(BY_ID)) return account;
  const id = account.slice(BY_ID.length);
  return descriptorOf(platform).isBareId(id) ? id : null;
};

/** The facts that decide whether an account that the catalog lacks is queued. */
interface Situation {
  /** Pools of the platform. */
  readonly pools: readonly Pick<
    PoolRow,
    'pool' | 'platform' | 'rule' | 'paused' | 'retired_at' | 'heir' | 'size_cap' | 'min_holders'
  >[];
  /** Accounts by pool. */
  readonly sizes: ReadonlyMap<string, PoolSize>;
  readonly isEnginePaused: boolean;
  /** Null if no crawler could name the account. */
  readonly handle: string | null;
  readonly member: Member | null;
  /** Holders who asked for it, including this one. */
  readonly holders: number;
}

/** @returns null if crawlers will read the account; otherwise why not. */
const lackingFor = (at: Situation): NotQueued | null => {
  if (at.handle === null) return 'handle_needed';
  if (at.member?.isRead === true) return 'read_before';
  const stopped = at.isEnginePaused ? 'engine_paused' : null;
  if (at.member?.isRemoved === true) return 'no_demand_pool';
  if (at.member !== null) {
    const reader = readersOf(at.pools).get(at.member.pool) ?? null;
    if (reader === null) return 'pool_retired';
    return at.pools.some(({ pool, paused }) => pool === reader && paused) ? 'pool_paused' : stopped;
  }
  const taking = at.pools.filter(({ rule, retired_at }) => rule === 'demand' && retired_at === null);
  if (taking.length === 0) return 'no_demand_pool';
  const active = taking.filter(({ paused }) => !paused);
  if (active.length === 0) return 'pool_paused';
  const open = active.filter(({ pool, size_cap }) => (at.sizes.get(pool)?.found ?? 0) < size_cap);
  if (open.length === 0) return 'pool_full';
  return open.some(({ min_holders }) => min_holders <= at.holders) ? stopped : 'too_few_holders';
};

/** How long settings of pools are used. */
const KEPT_MS = 1_000;
