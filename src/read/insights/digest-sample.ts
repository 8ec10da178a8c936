import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { type DigestPost, decodeDigest } from '../../projections/views/posts/tables.ts';

/** The digest of an account, and the sighting that its figures are as of. */
export interface SampledDigest {
  readonly posts: readonly DigestPost[];
  readonly anchorMs: number;
}

/** Digests of about so many accounts with figures, drawn at random: the same ones for the same rows. */
export const sampleDigests = async (
  db: Queryable,
  schema: string,
  platform: Platform,
  { accounts, of }: { readonly accounts: number; readonly of: number },
): Promise<readonly SampledDigest[]> => {
  const percent = Math.min(100, (100 * accounts) / Math.max(1, of));
  const { rows } = await db.query<{ digest: Buffer; at: Date }>(
    `select a.digest, f.observed_at as at
     from ${schema}.account_figures_${platform} f tablesample bernoulli ($1) repeatable (1)
     join ${schema}.accounts_${platform} a on a.platform = f.platform and a.handle = f.handle
     order by f.handle limit $2`,
    [percent, 2 * accounts],
  );
  return rows.map(({ digest, at }) => ({ posts: decodeDigest(digest).posts, anchorMs: at.getTime() }));
};
