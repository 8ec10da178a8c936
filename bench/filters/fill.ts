import { PLATFORMS } from '../../src/kernel/platform.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { DIRECTORY_PLATFORMS } from '../../src/platforms/index.ts';
import { accounts } from '../../src/projections/views/accounts/projection.ts';
import { directory } from '../../src/projections/views/directory/projection.ts';
import { leads } from '../../src/projections/views/leads/projection.ts';
import { listings } from '../../src/projections/views/listings/projection.ts';
import { people } from '../../src/projections/views/people/projection.ts';
import { progress } from '../support/targets.ts';

/** Schema of the directory's tables. */
export const SCHEMA = 'filters';
/** Schema of the same rows in one table, with the indexes that one would expect. */
export const PEER = 'filters_peer';
const LEADS = 'filters_leads';
const ACCOUNTS = 'filters_accounts';
const LISTINGS = 'filters_listings';
const PEOPLE = 'filters_people';

/** Builds of the bench by projection. */
export const SCHEMAS: Readonly<Record<string, string>> = {
  directory: SCHEMA,
  leads: LEADS,
  accounts: ACCOUNTS,
  listings: LISTINGS,
  people: PEOPLE,
};

/** A word that every name has, and one that none has. */
export const EVERYBODY = 'display';
export const NOBODY = 'zq';

/** Rows of a statement: a transaction of all of them would keep as much of the log. */
const CHUNK = 500_000;

/** Syllables make names: `n` of them from a number, so that a few names are common and most are rare. */
const SYLLABLES = [
  'la',
  've',
  'mi',
  'so',
  'ka',
  'ri',
  'bel',
  'ov',
  'tan',
  'er',
  'du',
  'no',
  'pha',
  'li',
  'gor',
  'en',
];

const wordSql = (number: string, syllables: number): string =>
  Array.from({ length: syllables }, (_, i) => `s[1 + ((${number}) / ${16 ** i})::int % 16]`).join(' || ');

/**
 * Numbers, each with a first name of 4,096 and a last name of 65,536, both of a power law, a handle, and ten draws from
 * 0 to 1.
 */
const namedSql = (from: string, to: string): string => `(
    select *, first || '.' || last || i as handle
    from (
      select *, ${wordSql('4096 * r9 ^ 3', 3)} as first, ${wordSql('65536 * r10 ^ 2', 4)} as last
      from (
        select i, random() as r1, random() as r2, random() as r3, random() as r4, random() as r5, random() as r6,
          random() as r7, random() as r8, random() as r9, random() as r10,
          array[${SYLLABLES.map((syllable) => `'${syllable}'`).join(', ')}] as s
        from generate_series(${from}, ${to}) i
        offset 0
      ) as drawn
    ) as named
  ) as handled`;

/**
 * Entries of six platforms as projections write them: 86 % active, 8 % private, 3 % absent, 1.5 % deactivated,
 * 1.5 % suspended; 1 % verified; growth known of 40 %; followers of a power law up to 50 million.
 */
const entriesSql = `
  insert into ${SCHEMA}.entries (platform, entry, handle, native_id, display_name, followers, following, posts,
    verified, created_at, first_seen_at, last_seen_at, observed_at, bio, avatar_url, location, links, status,
    previous_handles, words, growth_7d, growth_30d, growth_samples)
  select ($1::text[])[1 + i % cardinality($1::text[])], i, handle, (10000000 + i)::text,
    initcap(first) || ' ' || initcap(last) || ' Display', (r1 ^ 4 * 50000000)::bigint, (r2 * 5000)::bigint, (r3 * 9000)::bigint,
    case when r4 < 0.04 then null else r4 > 0.99 end,
    timestamptz '2010-01-01' + (1 - r5 ^ 3) * interval '16 years 300 days', timestamptz '2026-09-01',
    timestamptz '2026-11-21' - r6 ^ 2 * interval '60 days', timestamptz '2026-11-21',
    'The biography of account ' || i || ', which says what people say of themselves.',
    'https://cdn.example.net/avatars/' || md5(i::text) || '.jpg', 'Lisbon',
    jsonb_build_array('https://example.org/' || i),
    case when r7 < 0.86 then 'active' when r7 < 0.94 then 'private' when r7 < 0.97 then 'absent'
      when r7 < 0.985 then 'deactivated' else 'suspended' end,
    '[]', ' ' || handle || ' ' || first || ' ' || last || ' ${EVERYBODY}',
    case when r8 < 0.4 then ((r2 - 0.4) * 1000)::bigint end, case when r8 < 0.4 then ((r3 - 0.4) * 5000)::bigint end,
    '20700:1000,20710:1010'
  from ${namedSql('$2::int', '$3::int')}`;

/** Words as the store of the directory writes them: those of the name, and the name. */
const WORDS_SQL = `
  insert into ${SCHEMA}.words (platform, entry, word)
  select e.platform, e.entry, w.word from ${SCHEMA}.entries e
  cross join lateral (
    select unnest(string_to_array(lower(e.display_name), ' ')) union select ' ' || lower(e.display_name)
  ) w(word)
  where e.entry between $1::int and $2::int`;

const LINKS_SQL = `
  insert into ${SCHEMA}.links (platform, entry, link)
  select platform, entry, 'example.org/' || entry from ${SCHEMA}.entries where entry between $1::int and $2::int`;

/** Tables first, then rows, then indexes, as a build is made. */
export const fill = async (db: Db, entries: number): Promise<void> => {
  await db.query(`create schema ${SCHEMA}`);
  await db.query(directory.tables(SCHEMA));
  await db.query('select setseed(0.5)');
  for (let from = 1; from <= entries; from += CHUNK) {
    const to = Math.min(entries, from + CHUNK - 1);
    await db.query(entriesSql, [DIRECTORY_PLATFORMS, from, to]);
    await db.query(WORDS_SQL, [from, to]);
    await db.query(LINKS_SQL, [from, to]);
    progress(`  ${to.toLocaleString('en-US')} of ${entries.toLocaleString('en-US')} entries`);
  }
  progress('  indexes');
  await db.query(directory.indexes(SCHEMA));
  await db.query(`vacuum analyze ${SCHEMA}.entries, ${SCHEMA}.words, ${SCHEMA}.links`);
};

/** The same rows in one table: an index of every column that is filtered or sorted, and one of the words. */
export const fillPeer = async (db: Db): Promise<void> => {
  progress('  the same in one table');
  await db.query(`create schema ${PEER}; create table ${PEER}.entries as select * from ${SCHEMA}.entries`);
  for (const index of [
    '(platform)',
    '(followers desc nulls last, entry desc)',
    '(growth_7d desc nulls last, entry desc)',
    '(growth_30d desc nulls last, entry desc)',
    '(last_seen_at desc, entry desc)',
    '(handle, entry)',
    '(status)',
    '(verified)',
    '(created_at)',
    'using gin (words gin_trgm_ops)',
  ])
    await db.query(`create index on ${PEER}.entries ${index}`);
  await db.query(`vacuum analyze ${PEER}.entries`);
};

/**
 * People of leads and their employers, a fiftieth as many: industries from every second employer to one in 10,000, five
 * functions, eight countries.
 */
export const fillLeads = async (db: Db, people: number): Promise<void> => {
  progress(`  ${people.toLocaleString('en-US')} people of leads`);
  await db.query(`create schema ${LEADS}; create schema ${ACCOUNTS}`);
  await db.query(leads.tables(LEADS) + accounts.tables(ACCOUNTS));
  await db.query(
    `insert into ${LEADS}.companies (slug, observed_at, name, industry, industry_key, size_band, country)
     select 'firm-' || i, now(), 'Firm ' || i, key, key, (array['1-10', '11-50', '51-200', '1001-5000'])[1 + i % 4], 'DE'
     from (select i, case when i % 10000 = 0 then 'fishery' when i % 100 = 0 then 'railways' when i % 2 = 0 then 'software'
       else 'banking' end as key from generate_series(1, $1::int) i) as drawn`,
    [Math.ceil(people / 50)],
  );
  await db.query(
    `insert into ${LEADS}.decision_makers (slug, observed_at, name, title, seniority, job_function, company_slug, company_name,
       location, country)
     select md5(i::text), now(), 'Person ' || i, 'Title of person ' || i,
       (array['owner', 'cxo', 'vp', 'director', 'manager', 'senior', 'entry'])[1 + i % 7],
       (array['engineering', 'sales', 'finance', 'legal', 'marketing'])[1 + i % 5],
       'firm-' || 1 + (i * 7919::bigint) % $2::int, 'Firm', 'Graz', (array['DE', 'AT', 'FR', 'US', 'GB', 'ES', 'IT', 'PT'])[1 + i % 8]
     from generate_series(1, $1::int) i`,
    [people, Math.ceil(people / 50)],
  );
  await db.query(
    `insert into ${ACCOUNTS}.accounts (platform, handle, status, followers, last_seen_at, first_seen_at, observed_at, revision,
       sighted_revision, posts_revision, state)
     select 'linkedin', slug, 'active', 100, now(), now(), now(), 1, 1, 1, '' from ${LEADS}.decision_makers`,
  );
  await db.query(`${leads.indexes(LEADS)}${accounts.indexes(ACCOUNTS)}`);
  await db.query(`vacuum analyze ${LEADS}.companies, ${LEADS}.decision_makers, ${ACCOUNTS}.accounts`);
};

/** Listings of one source: 60 % on sale, 20 % sold, the rest withdrawn; prices and followers of power laws. */
export const fillListings = async (db: Db, count: number): Promise<void> => {
  progress(`  ${count.toLocaleString('en-US')} listings`);
  await db.query(`create schema ${LISTINGS}`);
  await db.query(listings.tables(LISTINGS));
  await db.query(
    `insert into ${LISTINGS}.listings (id, platform, source, handle, title, price, price_per_1k, status, published_at,
       observed_at, followers, seller, revision)
     select md5(i::text), (array['x', 'instagram', 'tiktok', 'youtube'])[1 + i % 4], 'source', 'user' || i, 'Listing ' || i,
       price, price * 1000 / (followers + 1),
       case when i % 10 < 6 then 'active' when i % 10 < 8 then 'sold' else 'withdrawn' end, now(),
       timestamptz '2026-11-20' - i * interval '1 second', followers, 'source:seller' || i % 1000, 1
     from (select i, (random() ^ 3 * 5000000000)::bigint as price, (random() ^ 4 * 5000000)::bigint as followers
       from generate_series(1, $1::int) i) as drawn`,
    [count],
  );
  await db.query(listings.indexes(LISTINGS));
  await db.query(`vacuum analyze ${LISTINGS}.listings`);
};

/**
 * Persons of one account each: names as those of entries, a seventh of them on LinkedIn alone, three tenths without known
 * followers. Words are in the order of persons, as they are written, and most of their pages have a row that was replaced.
 */
export const fillPeople = async (db: Db, count: number): Promise<void> => {
  progress(`  ${count.toLocaleString('en-US')} persons`);
  await db.query(`create schema ${PEOPLE}`);
  await db.query(people.tables(PEOPLE));
  await db.query(
    `insert into ${PEOPLE}.people (person, display_name, members, platforms, rank, words, is_linkedin_only, accounts, fingerprint)
     select md5(i::text)::uuid, initcap(first) || ' ' || initcap(last) || ' Display',
       jsonb_build_array(jsonb_build_object('account', platform || ':' || i, 'log_odds', null, 'evidence', '[]'::jsonb)),
       jsonb_build_array(platform), case when i % 10 < 3 then -1 else floor(20 * log(r1 ^ 4 * 50000000 + 1)) end,
       ' ' || handle || ' ' || first || ' ' || last || ' ${EVERYBODY}', platform = 'linkedin',
       jsonb_build_array(platform || ':' || i), md5('of ' || i)
     from (select *, ($2::text[])[1 + i % cardinality($2::text[])] as platform from ${namedSql('1', '$1::int')}) as drawn`,
    [count, PLATFORMS],
  );
  await db.query(`alter table ${PEOPLE}.words drop constraint words_pkey`);
  await db.query(
    `insert into ${PEOPLE}.words (rank, word, person)
     select rank, word, person from ${PEOPLE}.people, unnest(string_to_array(substr(words, 2), ' ')) as word`,
  );
  await db.query(`alter table ${PEOPLE}.words add primary key (rank, word, person)`);
  // Indexed when they are filled: row by row, ten million of them take a quarter of an hour.
  const { rows: indexes } = await db.query<{ name: string; ddl: string }>(
    `select indexname as name, indexdef as ddl from pg_indexes
     where schemaname = '${PEOPLE}' and tablename = 'accounts' and indexname not like '%_pkey'`,
  );
  for (const { name } of indexes) await db.query(`drop index ${PEOPLE}.${name}`);
  await db.query(
    `insert into ${PEOPLE}.accounts (platform, name, native_id, account, display_name, name_key, targets, targets_at, is_disclaimed,
       followers, status, since, seen_at, identified_at, observed_at)
     select platforms ->> 0, split_part(words, ' ', 2), md5(person::text), accounts ->> 0, display_name, lower(display_name), '[]', '[]',
       false, case when rank >= 0 then 10 ^ (rank / 20.0) end, 'active', now(), now(), now(), now() from ${PEOPLE}.people
     order by 1, 2`,
  );
  for (const { ddl } of indexes) await db.query(ddl);
  await db.query(people.indexes(PEOPLE));
  await db.query(`vacuum analyze ${PEOPLE}.people, ${PEOPLE}.words, ${PEOPLE}.accounts`);
  await db.query(`update ${PEOPLE}.words set person = person where hashtext(person::text || word) % 100 = 0`);
};
