import { sql } from 'slonik';
import { isoOf } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import { handleIn } from '../../platforms/index.ts';
import { rowSchemaOf } from '../../projections/table/table.ts';
import {
  accountTable,
  type ChunkRef,
  type Content,
  chunkRefs,
  chunkTable,
  contentOf,
  type DigestPost,
  decodeDigest,
  keyOf,
} from '../../projections/views/posts/tables.ts';
import type { Builds } from '../active-builds.ts';
import { columnList } from '../conditions.ts';
import { type Entry, type FoundEntry, isWithheld } from '../directory/entry.ts';
import { type CursorPosition, type ListPage, pageOf } from '../keyset.ts';
import type { ListReads } from '../lists.ts';

const ACCOUNT_COLUMNS = ['handle', 'native_id', 'observed_at', 'chunks', 'digest'] as const;
const accountSchema = rowSchemaOf(accountTable, ACCOUNT_COLUMNS);

/** The posts recorded under one of an entry's names. */
interface Source {
  readonly handle: string;
  readonly observedMs: number;
  readonly chunks: readonly ChunkRef[];
  readonly digest: ReadonlyMap<string, DigestPost>;
}

/** A post as recorded under a name. */
interface Candidate {
  readonly key: string;
  readonly content: Content;
  readonly figures: Pick<DigestPost, 'likes' | 'replies' | 'reposts' | 'views' | 'observedMs'>;
}

const sourcesOf = async (lists: ListReads, schema: string, entry: Entry): Promise<readonly Source[]> => {
  const rows = await lists.any(sql.type(accountSchema)`
    select ${columnList(ACCOUNT_COLUMNS)} from ${sql.identifier([schema, `accounts_${entry.platform}`])}
    where platform = ${entry.platform} and handle = any(${sql.array([...namesOf(entry)], 'text')})`);
  return rows
    .filter(({ handle, native_id }) => isOwn(entry, handle, native_id))
    .map(({ handle, observed_at, chunks, digest }) => ({
      handle,
      observedMs: Date.parse(observed_at),
      chunks: chunkRefs(chunks),
      digest: new Map(decodeDigest(digest).posts.map((post) => [post.id, post])),
    }));
};

/** Floors of the chunks that hold this many newest posts before a key, or before the end. */
const floorsBefore = (
  chunks: readonly ChunkRef[],
  before: string | null,
  count: number,
): readonly string[] => {
  const floors: string[] = [];
  let sure = 0;
  for (const [i, { floor, n }] of [...chunks.entries()].reverse()) {
    if (before !== null && floor >= before) continue;
    floors.push(floor);
    const next = chunks[i + 1];
    const isBefore = before === null || (next !== undefined && next.floor <= before);
    if (isBefore) sure += n;
    if (sure >= count) break;
  }
  return floors;
};

const figuresOf = (content: Content, digest: Source['digest'], source: Source): Candidate['figures'] =>
  digest.get(content.id) ??
  content.frozen ?? { likes: null, replies: null, reposts: null, views: null, observedMs: source.observedMs };

/** Posts before a key, newest first. A post that was recorded under several names is listed once. */
const merged = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const byKey = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const other = byKey.get(candidate.key);
    if (other === undefined || other.figures.observedMs < candidate.figures.observedMs) {
      byKey.set(candidate.key, candidate);
    }
  }
  return [...byKey.values()].sort((a, b) => (a.key < b.key ? 1 : -1));
};

const postOf = ({ content: { id, url, atMs, kind, text }, figures }: Candidate) => ({
  id,
  url,
  at: atMs === null ? null : isoOf(atMs),
  kind,
  text,
  likes: figures.likes,
  replies: figures.replies,
  reposts: figures.reposts,
  views: figures.views,
  observed_at: isoOf(figures.observedMs),
});

export type EntryPost = ReturnType<typeof postOf>;

/**
 * Posts of an entry, under whatever handle it published them, newest first; those without a time come last. A page
 * reads the digests of its names and the chunks that it shows, however far down the list it is.
 */
export const listPosts = async (
  lists: ListReads,
  builds: Builds,
  found: FoundEntry,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<EntryPost>> => {
  const { entry } = found;
  if (isWithheld(entry)) return { items: [], next: null, oldestMs: Date.parse(found.last_seen_at) };
  const schema = builds.schema('posts');
  const before = after === null ? null : keyOf(after[0] === '' ? null : Number(after[0]), String(after[1]));
  const sources = await sourcesOf(lists, schema, entry);
  const wanted = sources.flatMap(({ handle, chunks }) =>
    floorsBefore(chunks, before, limit + 1).map((floor) => [handle, floor] as const),
  );
  const rows = await chunksOf(lists, builds, entry.platform, wanted);
  const bySource = new Map(sources.map((source) => [source.handle, source]));
  const candidates = rows.flatMap(({ handle, posts }) => {
    const source = bySource.get(handle) as Source;
    return posts.flatMap((content): readonly Candidate[] => {
      const key = keyOf(content.atMs, content.id);
      if (before !== null && key >= before) return [];
      return [{ key, content, figures: figuresOf(content, source.digest, source) }];
    });
  });
  return pageOf(merged(candidates), limit, {
    item: postOf,
    position: ({ content }) => [content.atMs ?? '', content.id],
    observedMs: ({ figures }) => figures.observedMs,
  });
};

/** Names of the streams in which an entry's posts may be recorded. */
export const namesOf = ({ platform, handle, id, previous_handles }: Entry): readonly string[] => [
  ...new Set([
    ...(handle === null ? [] : [handle]),
    ...previous_handles,
    // Until its handle is known, an account is followed by its native ID.
    ...(id !== null && handleIn(platform, id) === null ? [id] : []),
  ]),
];

/**
 * Whether posts recorded under a name belong to the entry. A former handle may have another owner by now. Posts of the current
 * handle may come from a reading that showed no ID.
 */
export const isOwn = (entry: Entry, name: string, nativeId: string | null): boolean =>
  nativeId === null || entry.id === null ? !entry.previous_handles.includes(name) : nativeId === entry.id;

/** A post, by its ID and time, and the name that it was recorded under. */
export interface PostRef {
  readonly id: string;
  readonly atMs: number | null;
  readonly stream: string;
}

const rowSchema = rowSchemaOf(chunkTable, ['handle', 'floor', 'posts']);

/** The key of a post among those of all names. */
export const postKey = ({ stream, id }: Pick<PostRef, 'stream' | 'id'>): string => `${stream}\0${id}`;

/** The chunk that holds a post: the last one that begins at it or before. */
const floorOf = (chunks: readonly ChunkRef[], { atMs, id }: PostRef): string | null =>
  chunks.findLast(({ floor }) => floor <= keyOf(atMs, id))?.floor ?? null;

/** Chunks with the content of some posts, each once. */
const chunksOf = async (
  lists: ListReads,
  builds: Builds,
  platform: Platform,
  wanted: readonly (readonly [name: string, floor: string])[],
): Promise<readonly { readonly handle: string; readonly posts: readonly Content[] }[]> => {
  if (wanted.length === 0) return [];
  const rows = await lists.any(sql.type(rowSchema)`
    select handle, floor, posts from ${sql.identifier([builds.schema('posts'), `chunks_${platform}`])}
    where platform = ${platform} and (handle, floor) in
      (select * from ${sql.unnest([...wanted], ['text', 'text'])})`);
  return rows.map(({ handle, posts }) => ({ handle, posts: posts.map(contentOf) }));
};

/** The content of some posts by `postKey`; without those whose content is not kept any more. */
export const contentsOf = async (
  lists: ListReads,
  builds: Builds,
  platform: Platform,
  posts: readonly PostRef[],
  chunks: ReadonlyMap<string, readonly ChunkRef[]>,
): Promise<ReadonlyMap<string, Content>> => {
  const wanted = new Map<string, readonly [string, string]>();
  for (const post of posts) {
    const floor = floorOf(chunks.get(post.stream) ?? [], post);
    if (floor !== null) wanted.set(`${post.stream} ${floor}`, [post.stream, floor]);
  }
  const found = await chunksOf(lists, builds, platform, [...wanted.values()]);
  return new Map(
    found.flatMap(({ handle, posts: contents }) =>
      contents.map((content) => [postKey({ stream: handle, id: content.id }), content] as const),
    ),
  );
};
