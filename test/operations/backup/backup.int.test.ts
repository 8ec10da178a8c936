import { writeFileSync } from 'node:fs';
import { appendFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { writeManifest } from '../../../src/operations/backup/manifest.ts';
import { tablesToSave } from '../../../src/operations/backup/tables.ts';
import { projections } from '../../../src/projections/registry.ts';
import { verify } from '../../../src/projections/verify.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { decisionMakerStream } from '../../../src/write/leads.ts';
import { withValidation } from '../../../src/write/log/codec.ts';
import { createPostgresLog } from '../../../src/write/log/postgres.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { memberOf, sweep } from '../../support/follows.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';
import { audit, createTestFolder, load, openTestDatabaseLog, project, rowsOf, save } from './world.ts';

let program: TestProgram;
let folder: Awaited<ReturnType<typeof createTestFolder>>;
let good: string;
const targets: TestDatabase[] = [];

const target = async (): Promise<TestDatabase> => {
  const database = await createTestDatabase();
  targets.push(database);
  return database;
};

beforeAll(async () => {
  folder = await createTestFolder();
  program = await createTestProgram();
  await live(program.log, 9, 2_500);
  // Characters that end lines, and quotes, and what no text of Postgres may hold.
  const odd = 'a\u2028b\u2029c\r\nd\u0085e"f\\g\u{1f600}';
  await program.append(
    'x',
    'odd',
    sighted('odd', '2026-10-01T00:00:00.000Z', { bio: odd, display_name: '\\N' }),
  );
  await sweep(program.log, [[memberOf(1), memberOf(2)]], { hour: 1 });
  await program.log.append(
    decisionMakerStream('ada'),
    [
      {
        id: uuidV7(Date.now()),
        type: 'DecisionMakerSighted',
        data: {
          observed_at: '2026-10-01T00:00:00.000Z',
          source: 'crawler',
          surface: 'person',
          slug: 'ada',
          name: odd,
          title: 'CTO',
          company: null,
          location: null,
          country: null,
        },
      },
    ],
    'any',
  );
  const key = await program.issueKey();
  for (let i = 0; i < 12; i++) expect((await program.get('/v2/directory', key)).status).toBe(200);
  await program.post('/v2/accounts/check', { accounts: [{ platform: 'x', handle: 'odd' }] }, key, {
    'idempotency-key': 'once',
  });
  await program.database.db.query(
    `insert into metering.reservations values (gen_random_uuid(), 'tester', 1, '2026-11-01', 'k', 'o', 0, 0, 0, 0, now() + interval '1 day');
     insert into metering.usage (holder, period, day, key_id, operation, requests) values ('huge', 1, '2026-11-01', 'k', 'o', 9223372036854775807);
     insert into metering.usage_batches values ('2026-11-01', array['a', E'b"\\\\,'], array[2], array[1], array[1], array[1, 2],
       array['k', 'k'], array['o', 'o'], array[1, 2], array[1, 0]);
     insert into crawl.demand (platform, handle, holder) values ('x', E'odd\u2028', 'tester')`,
  );
  good = folder.of('good');
  await save(program.database.db, program.log, good);
});
afterEach(async () => {
  for (const database of targets.splice(0)) await database.drop();
});
afterAll(async () => {
  await program.close();
  await folder.remove();
});

describe('a backup', () => {
  it('is restored row by row and event by event, and the log continues from there', async () => {
    const database = await target();
    const manifest = await load(database, good);
    const before = await rowsOf(program.database.db);
    expect(await rowsOf(database.db)).toEqual(before);
    const journal = ['metering.usage_batches', 'metering.usage_entries'].flatMap(
      (name) => before[name] ?? [],
    );
    expect(journal.length).toBeGreaterThan(1);
    expect(before['metering.idempotent_responses']?.length).toBe(1);
    expect(before['secrets.cursor_secrets']?.length).toBe(1);
    expect(before['log.events']?.length).toBe(manifest.log.file.lines);

    const log = openTestDatabaseLog(database);
    const at = BigInt(manifest.log.head);
    expect(await log.head()).toBe(at);
    const event = { id: uuidV7(Date.now()), ...sighted('odd', '2026-10-02T00:00:00.000Z') };
    const last = (await log.readStream('account-x:odd')).at(-1);
    expect(last?.revision).toBe(0n);
    expect(await log.append('account-x:odd', [event], last?.revision ?? 'any')).toEqual({
      status: 'appended',
      revision: 1n,
      position: at + 1n,
    });
    await log.close();
  });

  it('leads to the same read models, and a ledger that adds up', {
    tags: 'long',
  }, async () => {
    await program.database.db.query(
      `delete from metering.usage where holder = 'huge'; delete from metering.usage_batches where holders[1] = 'a';
       delete from metering.reservations`,
    );
    const out = folder.of('ledger');
    await save(program.database.db, program.log, out);
    const database = await target();
    await load(database, out);
    const log = openTestDatabaseLog(database);
    await program.project();
    const rows = async (db: TestDatabase['db'], schema: string, table: string) =>
      (await db.query<{ row: string }>(`select t::text as row from ${schema}.${table} t order by 1`)).rows;
    for (const projection of projections) {
      const schema = await project(database.db, log, projection);
      const options = { log, logger: silentLogger, signal: new AbortController().signal, max: 5 };
      const found = await verify(projection, { ...options, db: database.db });
      expect(found).toMatchObject({ different: 0 });
      expect(found.equal).toBeGreaterThan(0);
      const live = program.builds.schema(projection.name);
      const { rows: tables } = await database.db.query<{ name: string }>(
        `select relname as name from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'p') and not relispartition`,
        [schema],
      );
      for (const { name } of tables) {
        expect(await rows(database.db, schema, name), `${projection.name}.${name}`).toEqual(
          await rows(program.database.db, live, name),
        );
      }
    }
    const { differences, ledger } = await audit(database, log);
    expect(differences).toEqual([]);
    expect(ledger.holders.map(({ holder }) => holder)).toEqual(['tester']);
    expect(ledger.periods[0]?.recorded?.requests).toBe(13n);
    await log.close();
  });

  it('keeps unreadable and old events as they are in the log', async () => {
    const [source, database] = [await target(), await target()];
    const raw = createPostgresLog(source.db, source.url, silentLogger);
    const log = withValidation(raw, eventTypes);
    const data = { nested: [1.5, null, { 'a b': 'ä\u0001' }], big: 12_345_678_901 };
    for (const [type, metadata] of [
      ['AccountSighted', {}],
      ['AccountSighted', { version: 99, request_id: 'req_1' }],
      ['NeverHeardOf', { version: 2 }],
    ] as const) {
      await raw.append('account-x:odd', [{ id: uuidV7(Date.now()), type, data, metadata }], 'any');
    }
    const out = folder.of('unread');
    expect((await save(source.db, log, out)).log.file.lines).toBe(3);
    await load(database, out);
    expect((await rowsOf(database.db))['log.events']).toEqual((await rowsOf(source.db))['log.events']);
    await log.close();
  });

  it('can be read by its owner only', async () => {
    expect((await stat(good)).mode & 0o777).toBe(0o700);
    for (const file of await readdir(good))
      expect((await stat(join(good, file))).mode & 0o777, file).toBe(0o600);
  });

  it('has every table that is not left out with a reason', async () => {
    const names = (await tablesToSave(program.database.db)).map(({ schema, table }) => `${schema}.${table}`);
    const { rows } = await program.database.db.query<{ name: string }>(
      `select format('%s.%s', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname !~ '^pg_|^information_schema$|_v\\d+_b\\d+$' order by 1`,
    );
    const made = [
      'erasure.attempts',
      'erasure.exports',
      'erasure.open',
      'erasure.proofs',
      'erasure.requests',
      'log.archives',
      'log.events',
      'projections.builds',
      'projections.checkpoints',
      'projections.parked',
      'projections.stalls',
      'relay.checkpoints',
      'service.evaluation',
      'service.processes',
    ];
    expect([...names, ...made, 'public.sightline_functions', 'public.sightline_migrations'].sort()).toEqual(
      rows.map(({ name }) => name).sort(),
    );
  });

  it('overwrites nothing, and has its name only when complete', async () => {
    await expect(save(program.database.db, program.log, good)).rejects.toThrow('is not empty');
    const file = join(good, 'manifest.json');
    await expect(save(program.database.db, program.log, file)).rejects.toThrow('it is no folder');
    await expect(save(program.database.db, program.log, folder.of('no/such'))).rejects.toThrow(
      "can't be made",
    );
    const stop = new AbortController();
    const log: typeof program.log = {
      ...program.log,
      async *readAll(after, options) {
        for await (const page of program.log.readAll(after, options)) {
          expect((await readdir(folder.of('.'))).filter((name) => name.startsWith('half'))).toEqual([
            `half.${process.pid}.partial`,
          ]);
          yield page;
          stop.abort();
        }
      },
    };
    const half = save(program.database.db, log, folder.of('half'), undefined, stop.signal);
    await expect(half).rejects.toThrow('aborted');
    expect((await readdir(folder.of('.'))).filter((name) => name.startsWith('half'))).toEqual([]);
  });
});

describe('a restore', () => {
  const damages: readonly (readonly [string, (at: string) => Promise<unknown>, string])[] = [
    [
      'whose log was cut off',
      (at) => truncate(join(at, 'log.ndjson.zst'), 5_000),
      'log.ndjson.zst has 5000 bytes, and had',
    ],
    [
      'one bit of whose log was turned',
      async (at) => {
        const file = join(at, 'log.ndjson.zst');
        const bytes = await readFile(file);
        const middle = Math.floor(bytes.length / 2);
        bytes[middle] = (bytes[middle] ?? 0) ^ 1;
        await writeFile(file, bytes);
      },
      'log.ndjson.zst does not have the checksum that it had',
    ],
    [
      'that lacks a table',
      (at) => rm(join(at, 'metering.usage.ndjson.zst')),
      'metering.usage.ndjson.zst is missing',
    ],
    [
      'to which something was added',
      (at) => appendFile(join(at, 'secrets.cursor_secrets.ndjson.zst'), 'x'),
      'secrets.cursor_secrets.ndjson.zst has',
    ],
    ['that was not finished', (at) => rm(join(at, 'manifest.json')), 'it is no backup that was finished'],
    [
      'whose manifest is cut off',
      (at) => truncate(join(at, 'manifest.json'), 100),
      'its manifest.json is damaged',
    ],
    [
      'whose manifest was changed',
      async (at) => {
        const file = join(at, 'manifest.json');
        await writeFile(file, (await readFile(file, 'utf8')).replace(/"head": "\d+"/, '"head": "7"'));
      },
      'its manifest.json was changed or is damaged',
    ],
    [
      'of a later format',
      async (at) => {
        const file = join(at, 'manifest.json');
        await writeFile(file, (await readFile(file, 'utf8')).replace('"format": 1', '"format": 2'));
      },
      'it is of format 2, and this version of Sightline reads format 1',
    ],
  ];

  it.each(damages)('of a backup %s is refused, and changes nothing', async (name, damage, why) => {
    const out = folder.of(name.replaceAll(/\W/g, '_'));
    await save(program.database.db, program.log, out);
    await damage(out);
    const database = await target();
    const before = await rowsOf(database.db);
    await expect(load(database, out)).rejects.toThrow(why);
    expect(await rowsOf(database.db)).toEqual(before);
    expect(Object.values(before).flat()).toEqual([]);
  });

  it.each([
    [
      'an event',
      `select log.append('{a}', '{-1}', '{1}', '{1}', array[gen_random_uuid()], '{T}', '{"{}"}', '{"{}"}')`,
      'the event log, up to position 1',
    ],
    ['a row of the metering', `insert into metering.accounts (holder) values ('a')`, 'metering.accounts'],
    [
      'a secret',
      `insert into secrets.cursor_secrets (id, secret) values ('a', 'b')`,
      'secrets.cursor_secrets',
    ],
  ])('onto a database that holds %s is refused, and changes nothing', async (_, sql, what) => {
    const database = await target();
    await database.db.query(sql);
    const before = await rowsOf(database.db);
    await expect(load(database, good)).rejects.toThrow(`The target is not empty (${what})`);
    expect(await rowsOf(database.db)).toEqual(before);
    expect(Object.values(before).flat()).toHaveLength(1);
  });

  it('that fails, is stopped or killed leaves nothing, and can be repeated', async () => {
    const database = await target();
    const empty = await rowsOf(database.db);
    const stop = new AbortController();
    const stopped = load(database, good, undefined, { signal: stop.signal, onLoaded: () => stop.abort() });
    await expect(stopped).rejects.toThrow('aborted');
    expect(await rowsOf(database.db)).toEqual(empty);

    await database.db.query(`alter table secrets.cursor_secrets add constraint broken check (false)`);
    await expect(load(database, good)).rejects.toThrow('broken');
    await database.db.query(`alter table secrets.cursor_secrets drop constraint broken`);
    expect(await rowsOf(database.db)).toEqual(empty);

    let cut = false;
    const killed = load(database, good, undefined, {
      onLoaded: () => {
        if (cut) return;
        cut = true;
        void program.database.db.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and state <> 'idle'`,
          [new URL(database.url).pathname.slice(1)],
        );
      },
    });
    await expect(killed).rejects.toThrow();
    expect(await rowsOf(database.db)).toEqual(empty);

    await load(database, good);
    await expect(load(database, good)).rejects.toThrow('The target is not empty (the event log');
  });

  it('of an older version’s backup gives defaults to what was added since', async () => {
    const out = folder.of('older');
    const { format: _, ...manifest } = await save(program.database.db, program.log, out);
    const tables = manifest.tables
      .filter(({ table }) => table !== 'demand')
      .map((saved) => ({ ...saved, columns: saved.columns.filter((name) => name !== 'again') }));
    await writeManifest(out, { ...manifest, migrations: manifest.migrations.slice(0, -1), tables });
    await program.database.db.query('update metering.idempotent_responses set again = false');
    const { 'crawl.demand': demand, ...before } = await rowsOf(program.database.db);
    expect(demand?.length).toBeGreaterThan(0);
    const database = await target();
    await load(database, out);
    expect(await rowsOf(database.db)).toEqual({ ...before, 'crawl.demand': [] });
  });

  it('of a newer version’s backup is refused', async () => {
    const out = folder.of('newer');
    const { format: _, ...manifest } = await save(program.database.db, program.log, out);
    await writeManifest(out, { ...manifest, migrations: [...manifest.migrations, '9999_later.sql'] });
    const database = await target();
    await expect(load(database, out)).rejects.toThrow(
      /made with tables as of 9999_later.sql, .* Restore it with the version that made it, and upgrade then\.$/,
    );
    await database.db.query('alter table metering.usage add column later integer');
    await expect(load(database, good)).rejects.toThrow('does not hold just the tables that are here');
    expect(Object.values(await rowsOf(database.db)).flat()).toEqual([]);
  });

  it('of a file that changes while it is read keeps nothing of it', async () => {
    const [out, later] = [folder.of('changing'), folder.of('changed')];
    await save(program.database.db, program.log, out);
    await program.database.db.query(
      `insert into crawl.demand (platform, handle, holder) values ('x', 'a', 'b')`,
    );
    await save(program.database.db, program.log, later);
    const name = 'crawl.demand.ndjson.zst';
    const other = await readFile(join(later, name));
    const database = await target();
    const empty = await rowsOf(database.db);
    let changed = false;
    const loading = load(database, out, undefined, {
      onLoaded: () => {
        if (!changed) writeFileSync(join(out, name), other);
        changed = true;
      },
    });
    await expect(loading).rejects.toThrow(`${name} changed while it was read`);
    expect(await rowsOf(database.db)).toEqual(empty);
  });
});
