import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { handleIn } from '../../platforms/index.ts';
import type { Builds } from '../active-builds.ts';

/** Handles of a platform's public accounts, the last seen first. */
export const recentlyActive = async (
  db: Queryable,
  builds: Builds,
  platform: Platform,
  most: number,
): Promise<readonly string[]> => {
  const { rows } = await db.query<{ handle: string }>(sql`
    select handle from ${ident(builds.schema('accounts'))}.accounts
    where platform = ${platform} and status = 'active' order by last_seen_at desc nulls last limit ${most}`);
  // Of some accounts only the native ID is known.
  return rows.flatMap(({ handle }) => handleIn(platform, handle) ?? []);
};
