import { sql } from 'slonik';
import type { Platform } from '../../kernel/platform.ts';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import {
  type ChunkRef,
  type Content,
  chunkTable,
  contentOf,
  keyOf,
} from '../../projections/views/posts/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { ListReads } from '../lists/lists.ts';

/** A post, by its ID and time, and the name that it was recorded under. */
export interface PostRef {
  readonly id: string;
  readonly atMs: number | null;
  readonly stream: string;
}

const rowSchema = rowSchemaOf(chunkTable, ['handle', 'floor', 'posts']);

/** The key of a post among those of all names. */
export const postKey = ({ stream, id }: Pick<PostRef, 'stream' | 'id'>): string => `${stream}\0${id}`;

/** The chunk that has a post: the last one that begins at it or before. */
const floorOf = (chunks: readonly ChunkRef[], { atMs, id }: PostRef): string | null =>
  chunks.findLast(({ floor }) => floor <= keyOf(atMs, id))?.floor ?? null;

/** Chunks with the content of some posts, each once. */
export const chunksOf = async (
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
