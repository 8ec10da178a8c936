import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { grammarOf } from '../../write/accounts/grammar/index.ts';
import type { Recruiter } from '../recruiter.ts';
import type { CurrentPools } from './current-pools.ts';

/** Holders who have to ask for an account: none of them steers the crawl alone. */
const MIN_HOLDERS = 2;
/** Accounts of a platform that are recruited at once. */
const MAX_ACCOUNTS = 500;

const BY_ID = 'id:';

/** An account as look-ups name it; null for an ID that could be a handle. */
const handleOf = (platform: Platform, account: string): string | null => {
  if (!account.startsWith(BY_ID)) return account;
  const id = account.slice(BY_ID.length);
  return grammarOf(platform).isBareId(id) ? id : null;
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
    if (!pools.recruiting(platform).some(({ rule }) => rule === 'demand')) continue;
    const { rows } = await db.query<{ handle: string }>(
      `select handle from crawl.demand where platform = $1
       group by handle having count(*) >= $2 order by count(*) desc, min(at) limit $3`,
      [platform, MIN_HOLDERS, MAX_ACCOUNTS],
    );
    const finds = rows.flatMap((row) => {
      const handle = handleOf(platform, row.handle);
      return handle === null
        ? []
        : [{ platform, handle, via: 'demand' as const, from: null, source: null, depth: 0 }];
    });
    const taken = await recruiter.take(finds, nowMs);
    recruited += taken.recruited;
    const settled = rows
      .map(({ handle }) => handle)
      .filter((account) => !taken.refused.has(handleOf(platform, account) ?? ''));
    await db.query('delete from crawl.demand where platform = $1 and handle = any($2)', [platform, settled]);
  }
  return recruited;
};
