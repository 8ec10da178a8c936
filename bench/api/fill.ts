import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { holders } from '../../src/projections/holders.ts';
import { openWriter } from '../../src/projections/writer.ts';
import { eventCatalog } from '../../src/write/catalog.ts';
import { holderStream, NAMED_ONLY, SCOPES } from '../../src/write/holders/events.ts';
import { createKey, hashKey } from '../../src/write/holders/key.ts';
import { openDoor } from '../../src/write/log/door.ts';
import { createPostgresLog } from '../../src/write/log/postgres/index.ts';
import { fillEntries, handleSql, makeBuilds } from '../support/read-models.ts';

/** What the contestants need to know of the filled database. */
export interface Filled {
  readonly accounts: string;
  readonly directory: string;
  readonly key: string;
}

/** Issues a key as an operator does, through the log, and folds it into the holders' read model. */
const issueKey = async (db: Db, url: string, schema: string): Promise<string> => {
  const log = openDoor(createPostgresLog(db, url, silentLogger), eventCatalog);
  const key = createKey();
  const nowMs = Date.now();
  const at = new Date(nowMs).toISOString();
  await log.append(
    holderStream('bench'),
    [
      { id: uuidV7(nowMs), type: 'HolderRegistered', data: { at, holder: 'bench', name: 'Bench' } },
      {
        id: uuidV7(nowMs),
        type: 'KeyIssued',
        data: {
          at,
          key_id: 'key_bench',
          key_hash: hashKey(key),
          scopes: SCOPES.filter((scope) => !NAMED_ONLY.has(scope)),
          label: null,
        },
      },
    ],
    'no_stream',
  );
  const writer = await openWriter(db, holders, schema);
  for await (const page of log.readAll(0n, { types: holders.types })) await writer.write(page);
  await log.close();
  return key;
};

/** Accounts of X in both read models, and a key. */
export const fill = async (db: Db, url: string, count: number): Promise<Filled> => {
  const schemas = await makeBuilds(db);
  const of = (name: string) => schemas.get(name) as string;
  await db.query(
    `insert into ${of('accounts')}.accounts (platform, handle, native_id, status, display_name, followers, verified,
       created_at, first_seen_at, last_seen_at, observed_at)
     select 'x', ${handleSql('i')}, (10000000 + i)::text, 'active', 'Display name ' || i,
       (random() ^ 4 * 50000000)::bigint, i % 37 = 0, timestamptz '2015-01-01' + i * interval '1 minute',
       timestamptz '2026-09-01', timestamptz '2026-11-01' + random() * interval '20 days', timestamptz '2026-11-21'
     from generate_series(1, $1::int) i`,
    [count],
  );
  await fillEntries(db, of('directory'), ['x'], count);
  await db.query('vacuum analyze');
  const key = await issueKey(db, url, of('holders'));
  return { accounts: of('accounts'), directory: of('directory'), key };
};
