import type { Db } from '../../src/kernel/postgres/pool.ts';
import { createBuild } from '../../src/projections/builds/builds.ts';
import { projections } from '../../src/projections/registry.ts';

/**
 * Makes the first build of every projection.
 * @returns their schemas by projection.
 */
export const createBuilds = async (db: Db): Promise<ReadonlyMap<string, string>> => {
  const schemas = new Map<string, string>();
  for (const projection of projections) {
    const build = await createBuild(db, projection, 'active');
    schemas.set(projection.name, build.schema);
  }
  return schemas;
};

/** The name of account number i: a handle that every platform's grammar takes. */
export const handleSql = (i: string): string => `'user' || ${i}`;

/** A row a number, as projections write them: every column filled, as long as real ones. */
export const fillEntries = async (
  db: Db,
  schema: string,
  platforms: readonly string[],
  count: number,
  handle: (i: string) => string = handleSql,
): Promise<void> => {
  await db.query(
    `insert into ${schema}.entries (platform, entry, handle, native_id, display_name, followers, following, posts,
       verified, created_at, first_seen_at, last_seen_at, observed_at, bio, avatar_url, location, links, status,
       previous_handles, words, growth_7d, growth_30d, growth_samples)
     select ($1::text[])[1 + i % cardinality($1::text[])], i, ${handle('i')}, (10000000 + i)::text,
       'Display name ' || i, (random() ^ 4 * 50000000)::bigint, (random() * 5000)::bigint, (random() * 9000)::bigint,
       i % 37 = 0, timestamptz '2015-01-01' + i * interval '1 minute', timestamptz '2026-09-01',
       timestamptz '2026-11-01' + random() * interval '20 days', timestamptz '2026-11-21',
       'The biography of account ' || i || ', which says what people say of themselves.',
       'https://cdn.example.net/avatars/' || md5(i::text) || '.jpg', 'Lisbon',
       jsonb_build_array('https://example.org/' || i), 'active', '[]',
       ' ' || ${handle('i')} || ' display name ' || i,
       ((random() - 0.4) * 1000)::bigint, ((random() - 0.4) * 5000)::bigint, '20700:1000,20710:1010'
     from generate_series(1, $2::int) i`,
    [platforms, count],
  );
};

/** What searches look through, for the entries that are there. */
export const fillWords = async (db: Db, schema: string): Promise<void> => {
  await db.query(
    `insert into ${schema}.words (platform, entry, word)
     select e.platform, e.entry, w.word from ${schema}.entries e
     cross join lateral (
       select unnest(string_to_array(lower(e.display_name), ' ')) union select ' ' || lower(e.display_name)) w(word)`,
  );
  await db.query(
    `insert into ${schema}.links (platform, entry, link)
     select platform, entry, 'example.org/' || entry from ${schema}.entries`,
  );
};
