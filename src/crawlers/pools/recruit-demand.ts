import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { descriptorOf } from '../../platforms/index.ts';
import type { Recruiter } from '../recruiter.ts';
import type { CurrentPools } from './current-pools.ts';

/** Accounts of a platform that are recruited at once. */
const MAX_ACCOUNTS = 500;

const BY_ID = 'id:';

/** An account as the frontier names it; null for an ID that could be a handle. */
export const demandedHandle = (platform: Platform, account: string): string | null => {
  if (!account.startsWith(BY_ID)) return account;
  const id = account.slice(BY_ID.length);
  return descriptorOf(platform).isBareId(id) ? id : null;
};

/**
 * Recruits what callers asked for and the catalog lacks, where a pool's rule is demand. What was recruited is not counted
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
      select handle, count(*)::int as holders from crawl.demand where platform = ${platform}
      group by handle having count(*) >= ${Math.min(...least)} order by count(*) desc, min(at) limit ${MAX_ACCOUNTS}`);
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
