import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { ListReads } from '../lists/lists.ts';

/**
 * Maximum matches of a narrow search. Narrow ones are looked up and sorted; wide ones are found quickly enough by
 * scanning the list in order.
 */
const MAX_NARROW = 2_000;

const likePrefix = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** `nora quill` → `nora:* & quill:*`; null if there is no word. */
const wordQuery = (text: string): string | null => {
  const words = text.match(/[\p{L}\p{N}]+/gu);
  return words === null ? null : words.map((word) => `${word.toLowerCase()}:*`).join(' & ');
};

/** Conditions for a row of `names`: prefix of the handle, or prefixes of words of the name. */
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

/** Entries that a search matches; null if there are more than `max`. */
export const findNarrow = async (
  lists: ListReads,
  schema: string,
  q: string,
  max = MAX_NARROW,
): Promise<readonly EntryKey[] | null> => {
  const names = sql.identifier([schema, 'names']);
  const found = new Map<string, EntryKey>();
  for (const match of matches(q)) {
    // A single result row: parsing thousands would block the process.
    const [row] = await lists.any(sql.type(keysSchema)`
      select found::int,
        case when found <= ${max} then platforms end as platforms,
        case when found <= ${max} then entries end as entries
      from (
        select count(*) as found, array_agg(platform) as platforms, array_agg(entry::text) as entries
        from (select n.platform, n.entry from ${names} n where ${match} limit ${max + 1}) as matched
      ) as counted`);
    if (row === undefined || row.found > max) return null;
    row.entries?.forEach((entry, i) => {
      found.set(entry, { platform: row.platforms?.[i] ?? '', entry });
    });
    if (found.size > max) return null;
  }
  return [...found.values()];
};

/** The matches as a table; joined by look-ups, whatever the planner estimates. */
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

/** Whether a scanned row matches a search. */
export const isMatch = (schema: string, q: string): FragmentSqlToken =>
  sql.fragment`(select ${sql.join([...matches(q)], sql.fragment` or `)} from ${sql.identifier([schema, 'names'])} n
    where n.platform = scanned.platform and n.entry = scanned.entry offset 0)`;
