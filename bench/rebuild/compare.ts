import type { Db } from '../../src/kernel/postgres/pool.ts';

/** Each table with its columns; an entry's number is told by its handle where logs number events differently. */
const CONTENTS: Readonly<Record<string, string>> = {
  entries: `select platform, handle, native_id, display_name, followers, following, posts, verified, created_at,
    first_seen_at, last_seen_at, observed_at, bio, avatar_url, location, links, status, previous_handles, words, growth_7d,
    growth_30d, growth_samples from S.entries`,
  history: 'select platform, handle, at, followers, following, posts, verified, display_name from S.history',
  words: 'select e.handle, w.word from S.words w join S.entries e using (platform, entry)',
  links: 'select e.handle, l.link from S.links l join S.entries e using (platform, entry)',
  changes: 'select n, at, platform, handle, kind, before, after from S.changes',
  status_counts: 'select platform, status, band, n from S.status_counts',
  freshness: 'select platform, slot, n from S.freshness',
};

/** Rows of a table as one number and one digest, whatever their order. */
const digestOf = async (db: Db, schema: string, table: string): Promise<string> => {
  const content = (CONTENTS[table] as string).replaceAll('S.', `${schema}.`);
  const { rows } = await db.query<{ n: string; digest: string }>(
    `select count(*) as n, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as digest from (${content}) t`,
  );
  return `${rows[0]?.n} rows, digest ${rows[0]?.digest}`;
};

/**
 * Compares every row of the tables of two builds, column by column.
 * @returns rows compared.
 * @throws where they differ: what does not give the same rows must not be compared for speed.
 */
export const compareRows = async (
  ours: { readonly db: Db; readonly schema: string },
  theirs: { readonly db: Db; readonly schema: string },
  without: readonly string[] = [],
): Promise<number> => {
  let compared = 0;
  for (const table of Object.keys(CONTENTS).filter((name) => !without.includes(name))) {
    const [a, b] = [
      await digestOf(ours.db, ours.schema, table),
      await digestOf(theirs.db, theirs.schema, table),
    ];
    if (a !== b) throw new Error(`${table} differs: ours has ${a}, ${theirs.schema} has ${b}`);
    compared += Number.parseInt(a, 10);
  }
  return compared;
};
