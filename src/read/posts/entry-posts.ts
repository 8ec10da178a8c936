import { sql } from 'slonik';
import { isoOf } from '../../kernel/clock.ts';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import {
  accountTable,
  type ChunkRef,
  type Content,
  chunkRefs,
  type DigestPost,
  decodeDigest,
  keyOf,
} from '../../projections/views/posts/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import type { Entry, FoundEntry } from '../directory/entry.ts';
import { type ListPage, pageOf } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { columnList } from '../verbatim.ts';
import { isOwn, namesOf } from './own-streams.ts';
import { chunksOf } from './post-contents.ts';

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

/** Floors of the chunks that hold the newest so many posts before a key, or before the end. */
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

/** Posts before a key, the newest first, each once, though it was recorded under several names. */
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
