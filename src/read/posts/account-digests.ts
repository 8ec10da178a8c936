import type { Queryable } from '../../kernel/postgres/pool.ts';
import {
  accountTable,
  type ChunkRef,
  chunkRefs,
  type DigestPost,
  decodeDigest,
} from '../../projections/views/posts/tables.ts';
import { extendedSpan } from '../../write/accounts/known-posts.ts';
import type { Span } from '../../write/accounts/post.ts';
import { createLookups } from '../accounts.ts';
import type { Builds } from '../active-builds.ts';
import { type Entry, isWithheld } from '../directory/entry.ts';
import { isOwn, namesOf } from './entry-posts.ts';

export { DIGEST_KEPT } from '../../projections/views/posts/tables.ts';

/** A post of a digest, and the name that it was recorded under. */
export type OwnPost = DigestPost & { readonly stream: string };

/** The newest posts of an account, under all names under which it published them. */
export interface AccountDigest {
  /** In no particular order, each once. */
  readonly posts: readonly OwnPost[];
  /** The span of time for which every post is recorded; null if there is none. */
  readonly span: Span | null;
  /** Chunks with the content of posts, by name. */
  readonly chunks: ReadonlyMap<string, readonly ChunkRef[]>;
}

export interface DigestReads {
  /** The digest of an entry; without posts if none was ever read. */
  of(entry: Entry): Promise<AccountDigest>;
}

interface Source extends AccountDigest {
  readonly name: string;
  readonly nativeId: string | null;
}

/** Posts of several names, each as shown by its newest reading. */
const merged = (sources: readonly Source[]): readonly OwnPost[] => {
  const [first] = sources;
  if (first === undefined || sources.length === 1) return first?.posts ?? [];
  const byId = new Map<string, OwnPost>();
  for (const post of sources.flatMap(({ posts }) => posts)) {
    const other = byId.get(post.id);
    if (other === undefined || other.observedMs < post.observedMs) byId.set(post.id, post);
  }
  return [...byId.values()];
};

/** Look-ups of digests; those of one tick share a query. */
export const createDigestReads = (db: Queryable, builds: Builds): DigestReads => {
  const { find } = createLookups(db, {
    table: accountTable,
    columns: ['handle', 'native_id', 'chunks', 'digest'],
    partition: (platform) => `${builds.schema('posts')}.accounts_${platform}`,
    found: ({ handle, native_id, chunks, digest }): Source => {
      const { posts, span } = decodeDigest(digest);
      return {
        name: handle,
        nativeId: native_id,
        posts: posts.map((post) => ({ ...post, stream: handle })),
        span,
        chunks: new Map([[handle, chunkRefs(chunks)]]),
      };
    },
  });
  return {
    of: async (entry) => {
      if (isWithheld(entry)) return { posts: [], span: null, chunks: new Map() };
      const { platform } = entry;
      const found = await Promise.all(namesOf(entry).map((value) => find({ platform, by: 'handle', value })));
      const own = found.filter((source) => source !== null && isOwn(entry, source.name, source.nativeId));
      const sources = own as readonly Source[];
      return {
        posts: merged(sources),
        span: sources.map(({ span }) => span).reduce(extendedSpan, null),
        chunks: new Map(sources.flatMap(({ chunks }) => [...chunks])),
      };
    },
  };
};
