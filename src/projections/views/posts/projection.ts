import {
  type AccountFigures,
  accountFiguresOf,
  FIGURES_WINDOW_DAYS,
} from '../../../analysis/account-figures.ts';
import { type Sample, sampleOf } from '../../../analysis/sample.ts';
import { viralScores } from '../../../analysis/viral.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { binOf } from '../../../kernel/log-bins.ts';
import { type Platform, versionPerPlatform } from '../../../kernel/platform.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../../kernel/postgres/statement.ts';
import { sizeBandOf } from '../../../kernel/size-bands.ts';
import {
  type AccountEvent,
  accountOf,
  accountStream,
  evolveOwner,
  isTakenOver,
} from '../../../write/accounts/account.ts';
import type { Post } from '../../../write/accounts/post.ts';
import {
  type AppliedEvent,
  dispatch,
  type Fold,
  type Handlers,
  type ProjectedEvent,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { deleteRows, sums, upserts, writeAll } from '../../table/bulk.ts';
import { type DriverRow, driverReader, type Table } from '../../table/table.ts';
import {
  type AccountPosts,
  clearPosts,
  emptyPosts,
  floorsFor,
  forgetAccount,
  noteSize,
  sightPosts,
} from './account-posts.ts';
import { contentOf, noChunks, retainChunks, type StoredContent, storedOf } from './chunks.ts';
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
  indexes,
  LEAST_MULTIPLE,
  type SampleCountRow,
  sampleCountTable,
  tables,
  type ViralPostRow,
  viralPostTable,
} from './tables.ts';

type Sighting = ProjectedEvent<'AccountSighted' | 'AccountUnchanged' | 'AccountUnavailable' | 'PostsSighted'>;

const DAY_MS = 86_400_000;

/** Notes an event that concerns posts or the owner. */
const note = (account: AccountPosts, event: Sighting): void => {
  account.owner = evolveOwner(account.owner, event as AccountEvent);
  account.revision = Number(event.revision);
  anchor(account, event);
};

/** Figures and retention refer to the newest sighting. */
const anchor = (account: AccountPosts, { data }: Sighting): void => {
  account.observedMs = Math.max(account.observedMs, Date.parse(data.observed_at));
  retainChunks(account.chunks, account.observedMs);
};

/** Whether figures of an account are as of an earlier day, and may be others by now: its window moves with each sighting. */
const isOtherDay = ({ digest, observedMs }: AccountPosts, sightedMs: number): boolean => {
  if (Math.floor(sightedMs / DAY_MS) <= Math.floor(observedMs / DAY_MS)) return false;
  const fromMs = observedMs - FIGURES_WINDOW_DAYS * DAY_MS;
  for (const { atMs } of digest.values()) if (atMs !== null && atMs > fromMs) return true;
  return false;
};

/** Whether followers moved by more than the counts tell apart. Smaller moves would rewrite the row at each reading. */
const isOtherBin = (before: number | null, after: number | null): boolean =>
  before === null || after === null ? before !== after : binOf(before) !== binOf(after);

const handlers = {
  AccountSighted: (state, event) => {
    const account = state.change(event.stream);
    const { profile } = event.data;
    if (isTakenOver(account.owner, profile)) clearPosts(account);
    account.isGone = false;
    noteSize(account, profile.followers, Date.parse(event.data.observed_at));
    note(account, event);
  },
  AccountUnchanged: (state, event) => {
    const known = state.account(event.stream);
    const { isGone, followers: before } = known;
    const { followers = before } = event.data.moved;
    const isMoved = isOtherBin(before, followers) || isOtherDay(known, Date.parse(event.data.observed_at));
    if (!isGone && !isMoved) return;
    const account = state.change(event.stream);
    account.isGone = false;
    noteSize(account, followers, Date.parse(event.data.observed_at));
    if (isGone) note(account, event);
    else anchor(account, event);
  },
  AccountUnavailable: (state, event) => {
    const account = state.change(event.stream);
    account.isGone = true;
    note(account, event);
  },
  PostsSighted: (state, event) => {
    const account = state.change(event.stream);
    sightPosts(account, event.data);
    account.postsRevision = Number(event.revision);
    note(account, event);
  },
  AccountErased: (state, { stream, data: { through, since } }) => {
    const account = state.change(stream);
    if (since === null) forgetAccount(account);
    else if (account.postsRevision <= through) account.postsRevision = -1;
  },
} satisfies Handlers<State>;

const apply = dispatch(handlers);

/**
 * The posts of one account after its events, in memory: what the view has of it, without a database.
 * @param events of one stream, in its order.
 */
export const accountPostsAfter = (stream: string, events: Iterable<AppliedEvent>): AccountPosts => {
  const { platform, handle } = accountOf(stream);
  const account = emptyPosts(platform, handle);
  const state: State = { account: () => account, change: () => account };
  for (const event of events) apply(state, event);
  return account;
};

const open = (schema: string): Fold => {
  let store = createStore(schema);
  return {
    load: (db, events) => store.load(db, events),
    apply: (event) => apply(store.state, event),
    store: (db) => store.write(db),
    // Every row may change again until the cache is full.
    building: { flush: async () => undefined, isFull: () => store.isFull() },
    reset: () => {
      store = createStore(schema);
    },
  };
};

/** Posts by handle: their content, a digest of the newest ones, and distributions of figures over accounts. */
export const posts: Projection = {
  name: 'posts',
  version: versionPerPlatform(4),
  order: 'stream',
  types: typesOf(handlers),
  forgets: handlers.AccountErased,
  streamPrefixes: ['account-'],
  parks: ['account-'],
  tables,
  indexes,
  open,
};

const figuresOf = ({ figures }: Derived): readonly AccountFigureRow[] => (figures === null ? [] : [figures]);

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
  viral: difference(
    viralPostTable,
    before.map(({ viral }) => viral),
    after.map(({ viral }) => viral),
  ),
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

const createStore = (schema: string): Store => {
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

/** Whether any reading is known: none is of an account that was erased. */
const isKnown = ({ observedMs }: AccountPosts): boolean => observedMs > 0;

const writeRows = async (
  db: Queryable,
  schema: string,
  rows: readonly AccountPosts[],
  population: ReturnType<typeof populationRows>,
): Promise<void> => {
  const known = rows.filter(isKnown);
  const erased = rows.filter((row) => !isKnown(row)).map(({ platform, handle }) => ({ platform, handle }));
  await deleteRows(db, schema, accountTable, erased);
  await deleteRows(db, schema, chunkTable, rows.flatMap(removedChunksOf));
  await deleteRows(db, schema, accountFigureTable, population.figures.gone);
  await deleteRows(db, schema, viralPostTable, population.viral.gone);
  await writeAll(db, schema, [
    upserts(accountTable, known.map(rowOfAccount)),
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

/** A robust z from here on is an outlier (Iglewicz and Hoaglin, How to detect and handle outliers, 1993). */
const LEAST_SCORE = 3.5;
/** Viral posts of an account that lists have. */
const MAX_VIRAL = 3;

export type Metric = 'followers' | keyof AccountFigures;

/** What an account adds to the distributions of its platform and size band. */
export interface Contribution {
  readonly band: number;
  readonly metric: Metric;
  readonly value: number;
}

/** What follows from an account's posts as of its last sighting. */
export interface Derived {
  readonly contributions: readonly Contribution[];
  readonly counts: Omit<SampleCountRow, 'platform'> | null;
  readonly figures: AccountFigureRow | null;
  readonly viral: readonly ViralPostRow[];
}

const NO_COUNTS: NonNullable<Derived['counts']> = {
  accounts: 0,
  with_posts: 0,
  with_figures: 0,
  posts: 0,
  sampled: 0,
  with_views: 0,
  ordered: 0,
};

const NOTHING: Derived = { contributions: [], counts: null, figures: null, viral: [] };

type Account = Pick<
  AccountPosts,
  'platform' | 'handle' | 'owner' | 'isGone' | 'followers' | 'observedMs' | 'digest' | 'span'
>;

const contributionsOf = (followers: number, figures: AccountFigures): readonly Contribution[] => {
  const band = sizeBandOf(followers);
  return (Object.entries({ followers, ...figures }) as [Metric, number | null][]).flatMap(
    ([metric, value]) => (value === null ? [] : [{ band, metric, value }]),
  );
};

const countsOf = ({ digest }: Account, { ripe }: Sample, hasFigures: boolean): Derived['counts'] => ({
  accounts: 1,
  with_posts: digest.size > 0 ? 1 : 0,
  with_figures: hasFigures ? 1 : 0,
  posts: digest.size,
  sampled: hasFigures ? ripe.length : 0,
  with_views: hasFigures ? ripe.filter(({ views }) => views !== null).length : 0,
  ordered: hasFigures ? ripe.filter(({ isOrdered }) => isOrdered).length : 0,
});

/** The posts furthest above the others of an account, by their robust z. */
const viralPostsOf = ({ platform, handle }: Account, sample: Sample): readonly ViralPostRow[] =>
  (viralScores(sample) ?? [])
    .flatMap(({ post, engagement, multiple, z: score }) =>
      multiple === null || score === null || multiple < LEAST_MULTIPLE || score < LEAST_SCORE
        ? []
        : [{ post, engagement, multiple, score }],
    )
    .sort((a, b) => b.score - a.score || (a.post.id < b.post.id ? -1 : 1))
    .slice(0, MAX_VIRAL)
    .map(({ post, engagement, multiple, score }) => ({
      platform,
      handle,
      post: post.id,
      at: isoOf(post.atMs),
      score,
      multiple,
      engagement,
      observed_at: isoOf(post.observedMs),
    }));

/**
 * What an account adds to its population; nothing if it is gone, was never seen, or hides its followers. A function of its
 * row, so that what it added before can be taken out again.
 */
export const derivedOf = (account: Account): Derived => {
  const { platform, handle, followers, observedMs, digest, span } = account;
  if (account.isGone || !account.owner.isSeen || followers === null) return NOTHING;
  const sample = sampleOf(digest.values(), {
    platform,
    anchorMs: observedMs,
    windowDays: FIGURES_WINDOW_DAYS,
    span,
  });
  const figures = accountFiguresOf(sample);
  const hasFigures = figures.median_likes !== null || figures.median_views !== null;
  return {
    contributions: contributionsOf(followers, figures),
    counts: countsOf(account, sample, hasFigures),
    figures: hasFigures
      ? { platform, handle, followers, posts: sample.ripe.length, ...figures, observed_at: isoOf(observedMs) }
      : null,
    viral: hasFigures ? viralPostsOf(account, sample) : [],
  };
};
