import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { holders } from '../../src/projections/views/holders/projection.ts';
import { openWriter } from '../../src/projections/writer.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { createKey, hashKey } from '../../src/write/holders/api-key.ts';
import { holderStream } from '../../src/write/holders/holder.ts';
import { NAMED_ONLY, SCOPES } from '../../src/write/holders/plans.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { createBuilds, fillEntries, handleSql } from '../support/read-models.ts';

/** What the contestants need to know of the filled database. */
export interface Filled {
  readonly accounts: string;
  readonly directory: string;
  /** One API key a holder. */
  readonly keys: readonly string[];
}

/** Registers holders with a key each, as an operator does, through the log, and folds them into their read model. */
export const issueKeys = async (db: Db, url: string, schema: string, count: number): Promise<string[]> => {
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const keys = Array.from({ length: count }, createKey);
  const nowMs = Date.now();
  const at = new Date(nowMs).toISOString();
  const scopes = SCOPES.filter((scope) => !NAMED_ONLY.has(scope));
  const event = (type: string, data: unknown) => ({ id: uuidV7(nowMs), type, data });
  await log.appendMany(
    keys.map((key, i) => ({
      stream: holderStream(`bench-${i}`),
      expected: 'no_stream',
      events: [
        event('HolderRegistered', { at, holder: `bench-${i}`, name: 'Bench' }),
        event('KeyIssued', { at, key_id: `key_${i}`, key_hash: hashKey(key), scopes, label: null }),
      ],
    })),
  );
  const writer = await openWriter(db, holders, schema);
  for await (const page of log.readAll(0n, { types: holders.types })) await writer.write(page);
  await log.close();
  return keys;
};

/** Accounts of X as the view of accounts has them. */
export const fillAccounts = async (
  db: Db,
  schema: string,
  count: number,
  handle: (i: string) => string = handleSql,
): Promise<void> => {
  await db.query(
    `insert into ${schema}.accounts (platform, handle, native_id, status, display_name, followers, verified,
       created_at, first_seen_at, last_seen_at, observed_at, revision, sighted_revision, posts_revision, state)
     select 'x', ${handle('i')}, (10000000 + i)::text, 'active', 'Display name ' || i,
       (random() ^ 4 * 50000000)::bigint, i % 37 = 0, timestamptz '2015-01-01' + i * interval '1 minute',
       timestamptz '2026-09-01', timestamptz '2026-11-01' + random() * interval '20 days', timestamptz '2026-11-21',
       20, 19, 18, json_build_array(511, 5, null, 100, 50, 'The biography of account ' || i,
         'https://cdn.example.net/avatars/' || md5(i::text) || '.jpg', 'Lisbon', json_build_array('https://example.org/' || i))::text
     from generate_series(1, $1::int) i`,
    [count],
  );
};

/** Accounts of X in both read models, holders with keys, and the table of the naive peer's budgets. */
export const fill = async (db: Db, url: string, count: number, keyCount: number): Promise<Filled> => {
  const schemas = await createBuilds(db);
  const of = (name: string) => schemas.get(name) as string;
  await fillAccounts(db, of('accounts'), count);
  await fillEntries(db, of('directory'), ['x'], count);
  // Accounts answer with the values of their entries.
  await db.query(
    `update ${of('accounts')}.accounts a set native_id = e.native_id, status = e.status, display_name = e.display_name,
       followers = e.followers, verified = e.verified, created_at = e.created_at, first_seen_at = e.first_seen_at,
       last_seen_at = e.last_seen_at, observed_at = e.observed_at
     from ${of('directory')}.entries e where e.platform = a.platform and e.handle = a.handle`,
  );
  const keys = await issueKeys(db, url, of('holders'), keyCount);
  await db.query(
    'create table naive_budgets (key text primary key, used bigint not null) with (fillfactor = 50)',
  );
  await db.query('insert into naive_budgets select k, 0 from unnest($1::text[]) k', [keys]);
  await db.query('create table floor_ledger (keys text[] not null, units bigint[] not null)');
  await db.query('vacuum analyze');
  return { accounts: of('accounts'), directory: of('directory'), keys };
};
