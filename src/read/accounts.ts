/** Reads of accounts: look-ups, states for decisions, and recently active ones. */

import { createBatcher } from '../kernel/batch.ts';
import { isoOf } from '../kernel/clock.ts';
import { errorMessage, ServiceError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { ident, numbered, sql } from '../kernel/postgres/statement.ts';
import { handleIn, isInDirectory } from '../platforms/index.ts';
import { columnsExcept, type DriverRow, driverReader, type Table } from '../projections/table/table.ts';
import { type AccountRow, accountTable } from '../projections/views/accounts/tables.ts';
import { entryTable } from '../projections/views/directory/tables.ts';
import { type Digest, type DigestPost, decodeDigest } from '../projections/views/posts/tables.ts';
import { type AccountSnapshot, type AccountSnapshots, unpackAccount } from '../write/accounts/account.ts';
import { type KnownPost, type KnownPosts, newestPosts } from '../write/accounts/known-posts.ts';
import { perFigure } from '../write/accounts/post.ts';
import { type Builds, isBuildGone } from './active-builds.ts';

/** Key of an account look-up. */
export interface AccountKey {
  readonly platform: Platform;
  readonly by: 'handle' | 'id';
  readonly value: string;
}

/** A table with a row per account, partitioned by platform. */
interface AccountTable<Row extends { handle: unknown; native_id: unknown }, Name extends keyof Row, Found> {
  readonly table: Table<Row>;
  readonly columns: readonly (Name | 'handle' | 'native_id')[];
  /** The platform's partition, in the active build. */
  readonly partition: (platform: Platform) => string;
  /** Part of the names of its statements, so that readers of other columns of the same table have statements of their own. */
  readonly part?: string;
  /** Column by which the last of several rows is the account's; a renamed account may have a row per handle. */
  readonly latestBy?: string;
  readonly found: (row: Pick<Row, Name | 'handle' | 'native_id'>) => Found;
}

/**
 * Look-ups of accounts by handle or native ID. Look-ups of one tick share a query. A single value has its own statement: Postgres
 * caches the plan of `= $1`, but plans `= any($1)` each time, which takes longer than the look-up.
 */
export const createLookups = <
  Row extends { handle: unknown; native_id: unknown },
  Name extends keyof Row,
  Found,
>(
  db: Queryable,
  { table, columns, partition, part = '', latestBy, found }: AccountTable<Row, Name, Found>,
): { find(key: AccountKey): Promise<Found | null> } => {
  const read = driverReader(table);
  const create = (platform: Platform, column: 'handle' | 'native_id') =>
    createBatcher<string, Found | null>(async (values) => {
      const name = partition(platform);
      const isOne = values.length === 1;
      const { rows } = await db.query<DriverRow<Row>>(
        numbered(
          `select ${columns.join(', ')} from ${name} where ${column} ${isOne ? '= $1' : '= any($1)'}
           ${latestBy === undefined || column === 'handle' ? '' : `order by ${latestBy}`}`,
          [isOne ? values[0] : values],
          { name: `${name}${part} by ${column}${isOne ? '' : 's'}` },
        ),
      );
      const rowsBy = new Map(rows.map((row) => [row[column] as string, row]));
      return values.map((value) => {
        const row = rowsBy.get(value);
        return row === undefined ? null : found(read(row) as Row);
      });
    });
  const lookups = new Map<string, (value: string) => Promise<Found | null>>();
  return {
    find: ({ platform, by, value }) => {
      const name = `${platform} ${by}`;
      let lookup = lookups.get(name);
      if (lookup === undefined) {
        lookup = create(platform, by === 'id' ? 'native_id' : 'handle');
        lookups.set(name, lookup);
      }
      return lookup(value);
    },
  };
};

/** Columns for decisions, which are not shown. */
const INTERNAL = ['revision', 'sighted_revision', 'posts_revision', 'state'] as const;

/** An account as known from its readings. */
export interface KnownAccount extends Omit<AccountRow, (typeof INTERNAL)[number] | 'handle'> {
  /** Name of its stream and page: the handle, or the native ID of an account without one; null if it has none. */
  readonly name: string | null;
  readonly handle: string | null;
}

interface PlatformTotal {
  readonly platform: Platform;
  readonly accounts: number;
  readonly newest_sighting_at: string | null;
}

export interface AccountReads {
  /** An account by its current handle or its native ID. */
  find(key: AccountKey): Promise<KnownAccount | null>;
  /** What readings of a name have proven although no known account has it, for example that it is unused. */
  verdict(key: AccountKey): Promise<KnownAccount | null>;
  totals(): Promise<readonly PlatformTotal[]>;
}

/**
 * Columns that an entry of the directory has as well. An entry is the account through renames; a row of `accounts` belongs to one
 * handle.
 */
const ENTRY_COLUMNS = [
  'platform',
  'handle',
  'native_id',
  'status',
  'display_name',
  'followers',
  'verified',
  'created_at',
  'first_seen_at',
  'last_seen_at',
  'observed_at',
  'kept',
] as const;

const nameOf = (platform: Platform, handle: string | null, id: string | null): string | null =>
  handle ?? (id !== null && handleIn(platform, id) === null ? id : null);

const createFinds = (db: Queryable, builds: Builds): Pick<AccountReads, 'find' | 'verdict'> => {
  const names = createLookups(db, {
    table: accountTable,
    columns: columnsExcept(accountTable, INTERNAL),
    partition: (platform) => `${builds.schema('accounts')}.accounts_${platform}`,
    latestBy: 'observed_at',
    found: (row): KnownAccount => ({
      ...row,
      name: row.handle,
      handle: handleIn(row.platform, row.handle),
    }),
  });
  const entries = createLookups(db, {
    table: entryTable,
    columns: ENTRY_COLUMNS,
    partition: (platform) => `${builds.schema('directory')}.entries_${platform}`,
    part: ' checked',
    found: (row): KnownAccount => ({ ...row, name: nameOf(row.platform, row.handle, row.native_id) }),
  });
  return {
    find: (key) => (isInDirectory(key.platform) ? entries : names).find(key),
    verdict: async ({ platform, by, value }) =>
      by === 'id' && handleIn(platform, value) !== null
        ? null
        : names.find({ platform, by: 'handle', value }),
  };
};

export const createAccountReads = (db: Queryable, builds: Builds): AccountReads => ({
  ...createFinds(db, builds),
  totals: async () => {
    const schema = builds.schema('accounts');
    const { rows } = await db.query<{ platform: Platform; n: string; newest: string | null }>(sql`
      select platform, n, (select max(last_seen_at) from ${ident(schema)}.accounts a
        where a.platform = t.platform) as newest
      from ${ident(schema)}.totals t`);
    return rows.map((row) => ({
      platform: row.platform,
      accounts: Number(row.n),
      newest_sighting_at: row.newest,
    }));
  },
});

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
 * The snapshot of two rows that different writers maintain. Null if the posts lack an event that the account has, or the account
 * lacks an event before the newest posts.
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
 * States of accounts from the read models of accounts and posts. Look-ups of one tick share a query. While there is no build, no
 * account has a snapshot.
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
        // Without a snapshot the stream decides: an unreadable read model must not lose a reading.
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
  // Some accounts are known by their native ID only.
  return rows.flatMap(({ handle }) => handleIn(platform, handle) ?? []);
};
