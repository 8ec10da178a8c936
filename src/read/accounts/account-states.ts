import { createBatcher } from '../../kernel/batch.ts';
import { isoOf } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { type DriverRow, driverReader } from '../../projections/table/rows.ts';
import { type AccountRow, accountTable } from '../../projections/views/accounts/tables.ts';
import { type Digest, type DigestPost, decodeDigest } from '../../projections/views/posts/tables.ts';
import { type KnownPost, type KnownPosts, newestPosts } from '../../write/accounts/known-posts.ts';
import { perFigure } from '../../write/accounts/post.ts';
import { type AccountSnapshot, type AccountSnapshots, unpackAccount } from '../../write/accounts/snapshot.ts';
import { type Builds, isBuildGone } from '../active-builds.ts';

const knownPost = (post: DigestPost): KnownPost => ({
  at: post.atMs === null ? null : isoOf(post.atMs),
  observedMs: post.observedMs,
  textHash: post.textHash,
  isTagged: post.hashtags !== null,
  ...perFigure((figure) => post[figure]),
});

const knownPosts = ({ posts, span }: Digest): KnownPosts => ({
  byId: newestPosts(new Map(posts.map((post) => [post.id, knownPost(post)]))),
  span,
});

/** A row of the accounts, joined with that of its posts if there is one. */
type Row = DriverRow<AccountRow> & {
  readonly handle: string;
  readonly digest_revision: string | null;
  readonly digest_posts_revision: string | null;
  readonly digest: Buffer | null;
};

const columnsOf = driverReader(accountTable);

/**
 * The snapshot of two rows that different writers maintain. Null if the posts lack an event that the account has, or
 * the account lacks one before the newest posts.
 */
const snapshotOf = (row: Row): AccountSnapshot | null => {
  const { digest, digest_revision, digest_posts_revision } = row;
  if (digest === null || digest_revision === null || digest_posts_revision === null) return null;
  const account = columnsOf<AccountRow>(row);
  const digestRevision = Number(digest_revision);
  const postsRevision = Number(digest_posts_revision);
  if (digestRevision < account.sighted_revision || digestRevision < account.posts_revision) return null;
  const state = { ...unpackAccount(account.state), posts: knownPosts(decodeDigest(digest)) };
  if (digestRevision <= account.revision) return { state, revision: BigInt(account.revision) };
  // The posts of a reading follow its account event.
  return digestRevision === postsRevision && postsRevision === account.revision + 1
    ? { state, revision: BigInt(postsRevision) }
    : null;
};

/**
 * States of accounts out of the read models of accounts and posts; look-ups of one tick share a query. Without builds,
 * as while one is created, no account has a snapshot.
 */
export const createAccountStates = (
  db: Queryable,
  builds: Builds,
  logger: Logger,
): Pick<AccountSnapshots, 'find'> => {
  const create = (platform: Platform) =>
    createBatcher<string, AccountSnapshot | null>(async (handles) => {
      const [accounts, posts] = [builds.schema('accounts'), builds.schema('posts')];
      const { rows } = await db.query<Row>(sql.named(`${accounts}.accounts_${platform} with ${posts}`)`
        select a.*, p.revision as digest_revision, p.posts_revision as digest_posts_revision, p.digest
        from ${ident(accounts)}.accounts_${ident(platform)} a
        left join ${ident(posts)}.accounts_${ident(platform)} p on p.platform = a.platform and p.handle = a.handle
        where a.handle = any(${handles})`);
      const found = new Map(rows.map((row) => [row.handle, row]));
      return handles.map((handle) => {
        const row = found.get(handle);
        return row === undefined ? null : snapshotOf(row);
      });
    });
  const lookups = new Map<Platform, (handle: string) => Promise<AccountSnapshot | null>>();
  return {
    find: async (platform, handle) => {
      let lookup = lookups.get(platform);
      if (lookup === undefined) {
        lookup = create(platform);
        lookups.set(platform, lookup);
      }
      try {
        return await lookup(handle);
      } catch (error) {
        // Without a snapshot the stream decides: a reading is not lost for a read model that can't be read.
        if (!(error instanceof ServiceError) && !isBuildGone(error)) {
          logger.warn(
            { err: errorMessage(error), platform },
            'account state unavailable; reading the stream',
          );
        }
        return null;
      }
    },
  };
};
