import { deleteHashes, skeletonOf } from '../../src/analysis/handles.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { upsert } from '../../src/projections/table/bulk.ts';
import { handleTable } from '../../src/projections/views/handles/tables.ts';
import { accountTable } from '../../src/projections/views/people/tables.ts';
import { SEEN } from '../insights/fill.ts';
import type { NamedAccount } from './names.ts';

/** SQL of the handle of account number i. */
export const handleOf = (i: string): string => `(select handle from named where nth = ${i})`;

export const fillNamed = async (db: Db, names: readonly NamedAccount[]): Promise<void> => {
  await db.query('create table named (nth int primary key, handle text not null, name text not null)');
  for (let from = 0; from < names.length; from += 50_000) {
    const some = names.slice(from, from + 50_000);
    await db.query(
      'insert into named select $3::int + n, handle, name from unnest($1::text[], $2::text[]) with ordinality v(handle, name, n)',
      [some.map(({ handle }) => handle), some.map(({ name }) => name), from],
    );
  }
};

const BATCH = 5_000;

/** Handles as the view has them; one in twenty is of an account whose deletions are indexed. */
export const fillHandles = async (db: Db, schema: string, names: readonly NamedAccount[]): Promise<void> => {
  for (let from = 0; from < names.length; from += BATCH) {
    const rows = names.slice(from, from + BATCH).map(({ handle }, i) => ({
      platform: 'x' as const,
      handle,
      followers: i % 20 === 0 ? 5_000 : 500,
      skeleton: skeletonOf(handle),
      has_deletes: i % 20 === 0,
    }));
    await upsert(db, schema, handleTable, rows);
    const deletes = rows
      .filter(({ has_deletes }) => has_deletes)
      .flatMap(({ handle }) => deleteHashes(handle).map((hash) => ({ hash, handle })));
    await db.query(
      `insert into ${schema}.deletes (platform, hash, handle) select 'x', * from unnest($1::bigint[], $2::text[])`,
      [deletes.map(({ hash }) => hash), deletes.map(({ handle }) => handle)],
    );
  }
};

const KEY = `(select string_agg(word, ' ' order by word) from unnest((string_to_array(lower(name), ' '))[1:2]) word)`;

/** Persons with an account on X and one on Telegram, which link to each other, and to a page. */
export const fillPeople = async (db: Db, schema: string): Promise<void> => {
  const columns = [
    'platform',
    'name',
    'native_id',
    'account',
    'display_name',
    'name_key',
    'intro',
    'targets',
    'targets_at',
  ];
  const rest = [
    'is_disclaimed',
    'followers',
    'verified',
    'status',
    'since',
    'seen_at',
    'identified_at',
    'observed_at',
  ];
  const at = (text: string) => `timestamptz '${text}'`;
  const times = `false, 900, false, 'active', ${at('2026-09-01')}, ${at(SEEN)}, ${at(SEEN)}, ${at(SEEN)}`;
  const since = `'["2026-09-01", "2026-09-01"]'::jsonb`;
  const targets = (other: string) => `jsonb_build_array(${other}, 'page:example.org/' || nth)`;
  await db.query(`insert into ${schema}.${accountTable.name} (${[...columns, ...rest].join(', ')})
    select 'x', handle, (10000000 + nth)::text, 'x:id:' || (10000000 + nth), name, ${KEY}, 'the biography of account ' || nth,
      ${targets("'telegram:' || handle")}, ${since}, ${times} from named
    union all select 'telegram', handle, '', 'telegram:' || handle, name, ${KEY}, 'the biography of account ' || nth,
      ${targets("'x:' || handle")}, ${since}, ${times} from named`);
  await db.query(`insert into ${schema}.links (target, platform, name, native_id, account)
    select t.target, a.platform, a.name, a.native_id, a.account from ${schema}.accounts a
    cross join lateral jsonb_array_elements_text(a.targets) t(target)`);
  await db.query(`insert into ${schema}.linked select target, count(*) from ${schema}.links group by target`);
  await db.query(
    `insert into ${schema}.bearers select name_key, count(*) from ${schema}.accounts where name_key is not null group by name_key`,
  );
  await db.query(`insert into ${schema}.members (account, person, crowding)
    select account, md5(name)::uuid, 0 from ${schema}.accounts`);
  const member = (
    key: string,
  ) => `jsonb_build_object('account', ${key}, 'log_odds', 12.1, 'evidence', jsonb_build_array(
    jsonb_build_object('kind', 'mutual_link', 'weight', 7.38, 'from', 'x:id:' || (10000000 + nth), 'to', 'telegram:' || handle)))`;
  await db.query(`insert into ${schema}.people (person, display_name, members, platforms, rank, words, is_linkedin_only, accounts, fingerprint)
    select md5(handle)::uuid, name, jsonb_build_array(${member("'x:id:' || (10000000 + nth)")}, ${member("'telegram:' || handle")}),
      '["telegram", "x"]', 60, ' ' || lower(name), false,
      jsonb_build_array('x:id:' || (10000000 + nth), 'telegram:' || handle), md5(handle) from named`);
};

/** Sales of accounts of X and placements of posts there. */
export const fillMarket = async (db: Db, schema: string): Promise<void> => {
  await db.query(`insert into ${schema}.listings (id, platform, source, handle, title, price, price_per_1k, status, listed_at, published_at,
      sold_at, sold_price, followers, seller, seller_name, url, observed_at, revision)
    select 'bench:' || i, 'x', 'bench', null, 'Account ' || i, p, p * 1000 / f, 'sold', '2026-10-01', '2026-10-01', '2026-11-01',
      (p * 0.8)::bigint, f, 'bench:seller', null, null, '2026-11-01', 1
    from (select i, (random() ^ 3 * 1000000 + 1000)::bigint as f, (random() * 900000000 + 1000000)::bigint as p from generate_series(1, 2000) i) v`);
  await db.query(`insert into ${schema}.placements (id, source, platform, handle, price, views, followers, seller, seller_name, url, observed_at, revision)
    select 'bench:' || nth, 'bench', 'x', handle, (random() * 90000000 + 1000000)::bigint, (random() * 90000 + 1000)::bigint, 20000,
      null, null, null, '2026-11-01', 1 from named where nth <= 600`);
  await db.query(
    `insert into ${schema}.cpm_counts (platform, bin, n)
     select 'x', ceil(ln(price * 1000.0 / views) / ln(101.0 / 99))::int, count(*) from ${schema}.placements group by 2`,
  );
};

/** Readings of followers every five days for 90 days. */
export const fillHistory = async (db: Db, schema: string, accounts: number): Promise<void> => {
  await db.query(
    `insert into ${schema}.history (platform, entry, at, followers)
     select 'x', e.entry, timestamptz '${SEEN}' - d * interval '5 days', (e.followers * (1 - d * 0.002 + random() * 0.003))::bigint
     from ${schema}.entries e cross join generate_series(0, 18) d where e.platform = 'x' and e.entry <= $1`,
    [accounts],
  );
};

/** Whole lists of so many followers each, of the first accounts. */
export const fillFollows = async (
  db: Db,
  schema: string,
  accounts: number,
  followers: number,
): Promise<void> => {
  await db.query(
    `insert into ${schema}.lists (platform, direction, owner, handle, seen_s, done_since_s, done_s)
     select 'x', 0, 10000000 + nth, handle, 200000000, 199999000, 200000000 from named where nth <= $1`,
    [accounts],
  );
  await db.query(
    `insert into ${schema}.x_followers (owner, member, first_seen_s, last_seen_s)
     select 10000000 + i, m, 199000000, 200000000 from generate_series(1, $1::int) i
     cross join lateral (select distinct (random() * $2 * 4 + i * 0)::bigint as m from generate_series(1, $2::int)) v`,
    [accounts, followers],
  );
};

/** Gives every account followers: some tools have no answer without. */
export const fillFollowers = async (db: Db, schemas: readonly string[]): Promise<void> => {
  for (const table of schemas) await db.query(`update ${table} set followers = 100 where followers < 100`);
};
