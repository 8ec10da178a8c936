import { isoOf } from '../../../kernel/clock.ts';
import { binOf } from '../../../kernel/log-bins.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { accountOf, accountStream } from '../../../write/accounts/events.ts';
import type { Post } from '../../../write/accounts/post.ts';
import type { AppliedEvent } from '../../projection.ts';
import { pairCondition, sums, upserts, writeAll } from '../../table/bulk-upsert.ts';
import { type DriverRow, driverReader } from '../../table/rows.ts';
import { type AccountPosts, emptyPosts, floorsFor } from './account-posts.ts';
import { decodeChunk, encodeChunk } from './chunk.ts';
import { noChunks } from './chunk-list.ts';
import { decodeDigest, encodeDigest } from './digest.ts';
import { type Contribution, contributionsOf } from './figures.ts';
import {
  type AccountRow,
  accountTable,
  type ChunkRow,
  chunkRefs,
  chunkTable,
  type FigureCountRow,
  figureCountTable,
} from './tables.ts';

/** Posts and accounts cached between batches. */
const MAX_HELD = 50_000;

/** The accounts of a batch: a unit of work. */
export interface State {
  /** An account to look at. */
  account(stream: string): AccountPosts;
  /** An account about to be changed. */
  change(stream: string): AccountPosts;
}

export interface Store {
  readonly state: State;
  load(db: Queryable, events: readonly AppliedEvent[]): Promise<void>;
  write(db: Queryable): Promise<void>;
  /** Whether the cache exceeds its limit. */
  isFull(): boolean;
}

export const createStore = (schema: string): Store => {
  const accounts = new Map<string, AccountPosts>();
  /** Changed accounts, with what they contributed to the counts before. */
  const changed = new Map<string, readonly Contribution[]>();
  let held = 0;

  const account = (stream: string): AccountPosts => {
    const found = accounts.get(stream);
    if (found === undefined) throw new Error(`the posts of ${stream} are not loaded`);
    return found;
  };

  const change = (stream: string): AccountPosts => {
    const found = account(stream);
    if (!changed.has(stream)) changed.set(stream, contributionsOf(found));
    return found;
  };

  const keepChunk = ({ chunks }: AccountPosts, floor: string, posts: Buffer): void => {
    const content = decodeChunk(posts);
    chunks.loaded.set(floor, content);
    held += content.length;
  };

  /** @param withNewest whether each account's newest chunk is loaded too: most readings with posts change only that. */
  const loadAccounts = async (
    db: Queryable,
    streams: readonly string[],
    withNewest: boolean,
  ): Promise<void> => {
    const missing = streams.filter((stream) => !accounts.has(stream));
    if (missing.length === 0) return;
    const named = missing.map(accountOf);
    for (const [i, { platform, handle }] of named.entries()) {
      accounts.set(missing[i] as string, emptyPosts(platform, handle));
    }
    const newest = `left join ${schema}.chunks c on c.platform = a.platform and c.handle = a.handle
                      and c.floor = a.chunks -> -1 ->> 0`;
    const { rows } = await db.query<RawAccount>({
      name: `load ${schema}.accounts${withNewest ? ' and chunks' : ''}`,
      text: `select a.*${withNewest ? ', c.floor, c.posts' : ''} from ${schema}.accounts a ${withNewest ? newest : ''}
             where ${pairCondition('a.platform', 'a.handle', 1)}`,
      values: [named.map((a) => a.platform), named.map((a) => a.handle)],
    });
    for (const row of rows) {
      const loaded = accountOfRow(row);
      accounts.set(accountStream(loaded.platform, loaded.handle), loaded);
      held += loaded.digest.size;
      if (row.floor != null && row.posts != null) keepChunk(loaded, row.floor, row.posts);
    }
    held += missing.length;
  };

  const loadChunks = async (db: Queryable, shown: ReadonlyMap<string, readonly Post[]>): Promise<void> => {
    const wanted: [platforms: string[], handles: string[], floors: string[]] = [[], [], []];
    for (const [stream, posts] of shown) {
      const { platform, handle } = accountOf(stream);
      for (const floor of floorsFor(account(stream), posts)) {
        wanted[0].push(platform);
        wanted[1].push(handle);
        wanted[2].push(floor);
      }
    }
    if (wanted[0].length === 0) return;
    const { rows } = await db.query<ChunkRow>({
      name: `load ${schema}.chunks`,
      text: `select * from ${schema}.chunks where (platform, handle, floor) in
             (select * from unnest($1::text[], $2::text[], $3::text[]))`,
      values: wanted,
    });
    for (const { platform, handle, floor, posts } of rows) {
      keepChunk(account(accountStream(platform, handle)), floor, posts);
    }
  };

  const isFull = () => held > MAX_HELD;

  const load: Store['load'] = async (db, events) => {
    // Only rows that have been written can be evicted.
    if (isFull() && changed.size === 0) {
      accounts.clear();
      held = 0;
    }
    const shown = new Map<string, readonly Post[]>();
    const streams = new Set<string>();
    for (const { stream, type, data } of events) {
      streams.add(stream);
      if (type !== 'PostsSighted') continue;
      const { posts } = data as { readonly posts: readonly Post[] };
      shown.set(stream, [...(shown.get(stream) ?? []), ...posts]);
      held += posts.length;
    }
    const hasPosts = [...shown.values()].some((posts) => posts.length > 0);
    await loadAccounts(db, [...streams], hasPosts);
    await loadChunks(db, shown);
  };

  const write: Store['write'] = async (db) => {
    const rows = [...changed.keys()].map(account);
    await deleteChunks(db, schema, rows);
    await writeAll(db, schema, [
      upserts(accountTable, rows.map(rowOfAccount)),
      upserts(chunkTable, rows.flatMap(changedChunksOf)),
      sums(figureCountTable, countsOf(rows, [...changed.values()])),
    ]);
    for (const { chunks } of rows) {
      chunks.changed.clear();
      chunks.removed.clear();
    }
    changed.clear();
  };

  return { state: { account, change }, load, write, isFull };
};

const deleteChunks = async (db: Queryable, schema: string, rows: readonly AccountPosts[]): Promise<void> => {
  const gone = rows.flatMap(({ platform, handle, chunks }) =>
    [...chunks.removed].map((floor) => ({ platform, handle, floor })),
  );
  if (gone.length === 0) return;
  await db.query({
    name: `delete ${schema}.chunks`,
    text: `delete from ${schema}.chunks where (platform, handle, floor) in
           (select * from unnest($1::text[], $2::text[], $3::text[]))`,
    values: [gone.map((c) => c.platform), gone.map((c) => c.handle), gone.map((c) => c.floor)],
  });
};

const changedChunksOf = ({ platform, handle, chunks: { changed, loaded } }: AccountPosts): ChunkRow[] =>
  [...changed].map((floor) => ({ platform, handle, floor, posts: encodeChunk(loaded.get(floor) ?? []) }));

/** What accounts add to the counts now, less what they added before. */
const countsOf = (
  rows: readonly AccountPosts[],
  before: readonly (readonly Contribution[])[],
): readonly FigureCountRow[] => {
  const counts = new Map<string, FigureCountRow>();
  const add = ({ platform }: AccountPosts, { band, metric, value }: Contribution, n: 1 | -1) => {
    const bin = binOf(value);
    const key = `${platform} ${band} ${metric} ${bin}`;
    counts.set(key, { platform, band, metric, bin, n: (counts.get(key)?.n ?? 0) + n });
  };
  for (const [i, row] of rows.entries()) {
    for (const contribution of before[i] ?? []) add(row, contribution, -1);
    for (const contribution of contributionsOf(row)) add(row, contribution, 1);
  }
  return [...counts.values()];
};

const rowOfAccount = (account: AccountPosts): AccountRow => ({
  platform: account.platform,
  handle: account.handle,
  revision: account.revision,
  posts_revision: account.postsRevision,
  native_id: account.owner.id,
  is_seen: account.owner.isSeen,
  is_absent: account.owner.isAbsent,
  is_gone: account.isGone,
  followers: account.followers,
  observed_at: isoOf(account.observedMs),
  chunks: account.chunks.refs.map(({ floor, n }) => [floor, n]),
  digest: encodeDigest({ posts: [...account.digest.values()], span: account.span }),
});

/** A row as the driver returns it, with its newest chunk where that is loaded too. */
type RawAccount = DriverRow<AccountRow> & {
  readonly floor?: string | null;
  readonly posts?: Buffer | null;
};

const columnsOf = driverReader(accountTable);

const accountOfRow = (raw: RawAccount): AccountPosts => {
  const row = columnsOf<AccountRow>(raw);
  const { posts, span } = decodeDigest(row.digest);
  return {
    ...emptyPosts(row.platform, row.handle),
    revision: row.revision,
    postsRevision: row.posts_revision,
    owner: { id: row.native_id, isSeen: row.is_seen, isAbsent: row.is_absent },
    isGone: row.is_gone,
    followers: row.followers,
    observedMs: Date.parse(row.observed_at),
    digest: new Map(posts.map((post) => [post.id, post])),
    span,
    chunks: { ...noChunks(), refs: chunkRefs(row.chunks) },
  };
};
