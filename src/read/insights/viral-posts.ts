import { sql } from 'slonik';
import type { z } from 'zod';
import type { Platform } from '../../kernel/platform.ts';
import { rowSchemaOf } from '../../projections/table/table.ts';
import {
  accountTable,
  type ChunkRef,
  type Content,
  chunkRefs,
  VIRAL_ORDER,
  type ViralPostRow,
  viralPostTable,
} from '../../projections/views/posts/tables.ts';
import type { Builds } from '../active-builds.ts';
import { columnList, verbatim } from '../conditions.ts';
import { type CursorPosition, type ListPage, pageOf } from '../keyset.ts';
import { type ListReads, scan } from '../lists.ts';
import { contentsOf, type PostRef, postKey } from '../posts/entry-posts.ts';

export { LEAST_MULTIPLE } from '../../projections/views/posts/tables.ts';

const POSITION = ['score', 'handle', 'post'] as const;
const REST = ['at', 'multiple', 'engagement', 'observed_at'] as const;
const rowSchema = rowSchemaOf(viralPostTable, [...POSITION, ...REST]);
const positionSchema = rowSchemaOf(viralPostTable, POSITION);
const chunksSchema = rowSchemaOf(accountTable, ['handle', 'chunks']);

export interface ViralPost extends Omit<ViralPostRow, 'platform'> {
  /** Null if the content is not kept any more. */
  readonly content: Content | null;
}

const positionOf = ({ score, handle, post }: z.output<typeof positionSchema>): CursorPosition => [
  score,
  handle,
  post,
];

const refOf = ({ post, handle, at }: Pick<ViralPostRow, 'post' | 'handle' | 'at'>): PostRef => ({
  id: post,
  atMs: Date.parse(at),
  stream: handle,
});

const chunksByName = async (
  lists: ListReads,
  builds: Builds,
  platform: Platform,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly ChunkRef[]>> => {
  if (names.length === 0) return new Map();
  const rows = await lists.any(sql.type(chunksSchema)`
    select handle, chunks from ${sql.identifier([builds.schema('posts'), `accounts_${platform}`])}
    where platform = ${platform} and handle = any(${sql.array([...names], 'text')})`);
  return new Map(rows.map(({ handle, chunks }) => [handle, chunkRefs(chunks)]));
};

/**
 * Posts of a platform that are furthest above the usual engagement of their accounts, by their robust z. A page costs the
 * same at any depth.
 */
export const listPopulationViralPosts = async (
  lists: ListReads,
  builds: Builds,
  {
    platform,
    minMultiple,
    since,
  }: { readonly platform: Platform; readonly minMultiple: number; readonly since: string | undefined },
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<ViralPost>> => {
  const { rows, end } = await scan(
    lists,
    {
      table: sql.fragment`${sql.identifier([builds.schema('posts'), `viral_posts_${platform}`])}`,
      ranked: sql.fragment``,
      rowPosition: columnList(POSITION),
      columns: REST,
      row: rowSchema,
      at: positionSchema,
      within: [
        sql.fragment`platform = ${platform}`,
        ...(after === null
          ? []
          : [
              sql.fragment`(score, handle, post) < (${Number(after[0])}::float8, ${String(after[1])}, ${String(after[2])})`,
            ]),
      ],
      filters: [
        sql.fragment`multiple >= ${minMultiple}::float8`,
        // A former name of an account keeps its posts, and is no account of the directory.
        sql.fragment`exists (select from ${sql.identifier([builds.schema('directory'), `entries_${platform}`])} e
          where e.handle = scanned.handle)`,
        ...(since === undefined ? [] : [sql.fragment`at >= ${since}::timestamptz`]),
      ],
      order: sql.fragment`platform, ${verbatim(VIRAL_ORDER)}`,
      orderByName: verbatim(VIRAL_ORDER),
    },
    limit,
  );
  const shown = rows.slice(0, limit);
  const chunks = await chunksByName(lists, builds, platform, [...new Set(shown.map(({ handle }) => handle))]);
  const contents = await contentsOf(lists, builds, platform, shown.map(refOf), chunks);
  const page = pageOf(rows, limit, {
    item: (row): ViralPost => ({
      ...row,
      content: contents.get(postKey({ stream: row.handle, id: row.post })) ?? null,
    }),
    position: positionOf,
    observedMs: ({ observed_at }) => Date.parse(observed_at),
  });
  return { ...page, next: page.next ?? (end === null ? null : positionOf(end)) };
};
