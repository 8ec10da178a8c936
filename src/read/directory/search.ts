import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { ListReads } from '../lists/lists.ts';

/**
 * From how many entries on a search is no narrow one. Those of a narrow one are looked up and sorted; those of a wide
 * one come by soon enough where the list is looked through in its order.
 */
const MAX_NARROW = 2_000;

const likePrefix = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** `nora quill` → `nora:* & quill:*`; null where there is no word. */
const wordQuery = (text: string): string | null => {
  const words = text.match(/[\p{L}\p{N}]+/gu);
  return words === null ? null : words.map((word) => `${word.toLowerCase()}:*`).join(' & ');
};

/** What makes a row of `names` match: the beginning of its handle, or words (the beginnings of them) of its name. */
const matches = (q: string): readonly FragmentSqlToken[] => {
  const words = wordQuery(q);
  return [
    sql.fragment`n.handle like ${likePrefix(q.replace(/^@/, '').toLowerCase())}`,
    ...(words === null
      ? []
      : [sql.fragment`to_tsvector('simple', n.name) @@ to_tsquery('simple', ${words})`]),
  ];
};

const keysSchema = z.object({
  platforms: z.array(z.string()).nullable(),
  entries: z.array(z.string()).nullable(),
  found: z.number(),
});

export interface EntryKey {
  readonly platform: string;
  readonly entry: string;
}

/** The entries that a search finds; null where they are too many to be looked up. */
export const findNarrow = async (
  lists: ListReads,
  schema: string,
  q: string,
  most = MAX_NARROW,
): Promise<readonly EntryKey[] | null> => {
  const names = sql.identifier([schema, 'names']);
  const found = new Map<string, EntryKey>();
  for (const match of matches(q)) {
    // One row whatever is found: thousands of them would keep this process from others' answers.
    const [row] = await lists.any(sql.type(keysSchema)`
      select found::int,
        case when found <= ${most} then platforms end as platforms,
        case when found <= ${most} then entries end as entries
      from (
        select count(*) as found, array_agg(platform) as platforms, array_agg(entry::text) as entries
        from (select n.platform, n.entry from ${names} n where ${match} limit ${most + 1}) as matched
      ) as counted`);
    if (row === undefined || row.found > most) return null;
    row.entries?.forEach((entry, i) => {
      found.set(entry, { platform: row.platforms?.[i] ?? '', entry });
    });
    if (found.size > most) return null;
  }
  return [...found.values()];
};

/** The entries that were found, as a table; looked up one by one, whatever the planner thinks of so many. */
export const foundIn = (
  table: FragmentSqlToken,
  keys: readonly EntryKey[],
): FragmentSqlToken => sql.fragment`(
  select e.* from unnest(
    ${sql.array(
      keys.map(({ platform }) => platform),
      'text',
    )}, ${sql.array(
      keys.map(({ entry }) => entry),
      'int8',
    )}
  ) as k(platform, entry)
  cross join lateral (select * from ${table} t where t.platform = k.platform and t.entry = k.entry offset 0) e
) as found`;

/** Whether a row of the list that is looked through is what a search is for. */
export const isMatch = (schema: string, q: string): FragmentSqlToken =>
  sql.fragment`(select ${sql.join([...matches(q)], sql.fragment` or `)} from ${sql.identifier([schema, 'names'])} n
    where n.platform = scanned.platform and n.entry = scanned.entry offset 0)`;
