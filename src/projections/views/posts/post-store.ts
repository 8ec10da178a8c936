import { isoOf } from '../../../kernel/clock.ts';
import { binOf } from '../../../kernel/log-bins.ts';
import type { Platform } from '../../../kernel/platform.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../../kernel/postgres/statement.ts';
import { accountOf, accountStream } from '../../../write/accounts/events.ts';
import type { Post } from '../../../write/accounts/post.ts';
import type { AppliedEvent } from '../../projection.ts';
import { deleteRows } from '../../table/bulk-delete.ts';
import { sums, upserts, writeAll } from '../../table/bulk-upsert.ts';
import { type DriverRow, driverReader } from '../../table/rows.ts';
import type { Table } from '../../table/table.ts';
import { type AccountPosts, emptyPosts, floorsFor } from './account-posts.ts';
import { contentOf, type StoredContent, storedOf } from './chunk.ts';
import { noChunks } from './chunk-list.ts';
import { type Contribution, type Derived, derivedOf, NO_COUNTS } from './derived.ts';
import { decodeDigest, encodeDigest } from './digest.ts';
import {
  type AccountFigureRow,
  type AccountRow,
  accountFigureTable,
  accountTable,
  type ChunkRow,
  chunkRefs,
  chunkTable,
  type FigureCountRow,
  figureCountTable,
  type SampleCountRow,
  sampleCountTable,
  type ViralPostRow,
  viralPostTable,
} from './tables.ts';

const figuresOf = ({ figures }: Derived): readonly AccountFigureRow[] => (figures === null ? [] : [figures]);

const viralPostsOf = ({ viral }: Derived): readonly ViralPostRow[] => viral;

/** Rows that accounts have no longer, and those that are new or other than before. */
const difference = <Row extends object>(
  { key }: Table<Row>,
  before: readonly (readonly Row[])[],
  after: readonly (readonly Row[])[],
): { readonly gone: readonly Row[]; readonly changed: readonly Row[] } => {
  const keyOfRow = (row: Row): string => key.map((name) => String(row[name])).join('\0');
  const old = new Map(before.flat().map((row) => [keyOfRow(row), row]));
  const changed: Row[] = [];
  for (const row of after.flat()) {
    const known = old.get(keyOfRow(row));
    old.delete(keyOfRow(row));
    if (known === undefined || !isSameRow(known, row)) changed.push(row);
  }
  return { gone: [...old.values()], changed };
};

const isSameRow = <Row extends object>(a: Row, b: Row): boolean =>
  (Object.keys(a) as (keyof Row)[]).every((name) => a[name] === b[name]);

/** What accounts add to the distributions now, less what they added before. */
const figureCountsOf = (
  rows: readonly AccountPosts[],
  before: readonly Derived[],
  after: readonly Derived[],
): readonly FigureCountRow[] => {
  const counts = new Map<string, FigureCountRow>();
  const add = ({ platform }: AccountPosts, { band, metric, value }: Contribution, n: 1 | -1) => {
    const bin = binOf(value);
    const key = `${platform} ${band} ${metric} ${bin}`;
    counts.set(key, { platform, band, metric, bin, n: (counts.get(key)?.n ?? 0) + n });
  };
  for (const [i, row] of rows.entries()) {
    for (const contribution of before[i]?.contributions ?? []) add(row, contribution, -1);
    for (const contribution of after[i]?.contributions ?? []) add(row, contribution, 1);
  }
  return [...counts.values()];
};

/** What accounts add to the counts of their platforms now, less what they added before. */
const sampleCountsOf = (
  rows: readonly AccountPosts[],
  before: readonly Derived[],
  after: readonly Derived[],
): readonly SampleCountRow[] => {
  const counts = new Map<Platform, Record<keyof NonNullable<Derived['counts']>, number>>();
  const add = (platform: Platform, added: Derived['counts'], sign: 1 | -1) => {
    if (added === null) return;
    const sum = counts.get(platform) ?? { ...NO_COUNTS };
    for (const name of sampleCountTable.sums as readonly (keyof typeof sum)[])
      sum[name] += sign * added[name];
    counts.set(platform, sum);
  };
  for (const [i, { platform }] of rows.entries()) {
    add(platform, before[i]?.counts ?? null, -1);
    add(platform, after[i]?.counts ?? null, 1);
  }
  return [...counts].map(([platform, sum]) => ({ platform, ...sum }));
};

/** Rows of populations that a batch changes: what its accounts added before, and what they add now. */
const populationRows = (
  rows: readonly AccountPosts[],
  before: readonly Derived[],
  after: readonly Derived[],
) => ({
  figures: difference(accountFigureTable, before.map(figuresOf), after.map(figuresOf)),
  viral: difference(viralPostTable, before.map(viralPostsOf), after.map(viralPostsOf)),
  figureCounts: figureCountsOf(rows, before, after),
  sampleCounts: sampleCountsOf(rows, before, after),
});

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
  /** Changed accounts, with what they added to their populations before. */
  const changed = new Map<string, Derived>();
  /** What the stored rows of accounts add, as far as that was asked for. */
  const added = new WeakMap<AccountPosts, Derived>();
  let held = 0;

  const account = (stream: string): AccountPosts => {
    const found = accounts.get(stream);
    if (found === undefined) throw new Error(`the posts of ${stream} are not loaded`);
    return found;
  };

  const change = (stream: string): AccountPosts => {
    const found = account(stream);
    if (!changed.has(stream)) changed.set(stream, added.get(found) ?? derivedOf(found));
    return found;
  };

  const keepChunk = ({ chunks }: AccountPosts, floor: string, posts: readonly StoredContent[]): void => {
    const content = posts.map(contentOf);
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
    const from = ident(schema);
    const newest = sql`
      left join ${from}.chunks c on c.platform = a.platform and c.handle = a.handle
      and c.floor = a.chunks -> -1 ->> 0`;
    const { rows } = await db.query<RawAccount>(sql.named(
      `load ${schema}.accounts${withNewest ? ' and chunks' : ''}`,
    )`
      select a.*${raw(withNewest ? ', c.floor, c.posts' : '')}
        from ${from}.accounts a ${withNewest ? newest : raw('')}
      where (a.platform, a.handle) in
        (select * from unnest(${named.map((a) => a.platform)}::text[], ${named.map((a) => a.handle)}::text[]))`);
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
    const { rows } = await db.query<ChunkRow>(sql.named(`load ${schema}.chunks`)`
      select * from ${ident(schema)}.chunks where (platform, handle, floor) in
        (select * from unnest(${wanted[0]}::text[], ${wanted[1]}::text[], ${wanted[2]}::text[]))`);
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
    const before = [...changed.values()];
    const after = rows.map(derivedOf);
    for (const [i, row] of rows.entries()) added.set(row, after[i] as Derived);
    await writeRows(db, schema, rows, populationRows(rows, before, after));
    for (const { chunks } of rows) {
      chunks.changed.clear();
      chunks.removed.clear();
    }
    changed.clear();
  };

  return { state: { account, change }, load, write, isFull };
};

const removedChunksOf = ({ platform, handle, chunks }: AccountPosts) =>
  [...chunks.removed].map((floor) => ({ platform, handle, floor }));

const changedChunksOf = ({ platform, handle, chunks: { changed, loaded } }: AccountPosts): ChunkRow[] =>
  [...changed].map((floor) => ({ platform, handle, floor, posts: (loaded.get(floor) ?? []).map(storedOf) }));

const writeRows = async (
  db: Queryable,
  schema: string,
  rows: readonly AccountPosts[],
  population: ReturnType<typeof populationRows>,
): Promise<void> => {
  await deleteRows(db, schema, chunkTable, rows.flatMap(removedChunksOf));
  await deleteRows(db, schema, accountFigureTable, population.figures.gone);
  await deleteRows(db, schema, viralPostTable, population.viral.gone);
  await writeAll(db, schema, [
    upserts(accountTable, rows.map(rowOfAccount)),
    upserts(chunkTable, rows.flatMap(changedChunksOf)),
    upserts(accountFigureTable, population.figures.changed),
    upserts(viralPostTable, population.viral.changed),
    sums(figureCountTable, population.figureCounts),
    sums(sampleCountTable, population.sampleCounts),
  ]);
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
  sizes: account.sizes,
  observed_at: isoOf(account.observedMs),
  chunks: account.chunks.refs.map(({ floor, n }) => [floor, n]),
  digest: encodeDigest({ posts: [...account.digest.values()], span: account.span }),
});

/** A row as the driver returns it, with its newest chunk where that is loaded too. */
type RawAccount = DriverRow<AccountRow> & {
  readonly floor?: string | null;
  readonly posts?: readonly StoredContent[] | null;
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
    sizes: [...row.sizes],
    observedMs: Date.parse(row.observed_at),
    digest: new Map(posts.map((post) => [post.id, post])),
    span,
    chunks: { ...noChunks(), refs: chunkRefs(row.chunks) },
  };
};
