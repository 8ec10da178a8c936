import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpSchema, SCHEMA_FILE } from '../../../infra/migrations/dump-schema.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { migrate } from '../../../src/kernel/postgres/migrate.ts';
import { readManifest } from '../../../src/operations/backup/manifest.ts';
import { loadIntoPostgres } from '../../../src/operations/backup/restore.ts';
import { loadLines } from '../../../src/operations/backup/tables.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import { projections } from '../../../src/projections/registry.ts';
import { verify } from '../../../src/projections/verify.ts';
import { accountOf, recordSighting } from '../../../src/write/accounts/account.ts';
import { emptyProfile, MEASURABLE } from '../../../src/write/accounts/profile.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { withValidation } from '../../../src/write/log/codec.ts';
import type { EventLog } from '../../../src/write/log/port.ts';
import { loadControl } from '../../../src/write/projection-control.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openTestLog } from '../../support/eventstore/log.ts';
import { openNode } from '../../support/eventstore/server.ts';
import { allFollowed } from '../../support/rebuilt.ts';
import { load, openTestDatabaseLog, rowsOf } from './world.ts';

/** What a release left behind: `npm run release:fixture`. */
const RELEASE = new URL('../../fixtures/release/', import.meta.url);
const BACKUP = new URL('backup', RELEASE).pathname;

interface Opened {
  readonly database: TestDatabase;
  readonly log: EventLog;
  close(): Promise<void>;
}

const WAYS: Readonly<Record<string, () => Promise<Opened>>> = {
  'restored into Postgres': async () => {
    const database = await createTestDatabase();
    await load(database, BACKUP);
    const log = openTestDatabaseLog(database);
    return { database, log, close: () => log.close() };
  },
  'restored into EventStoreDB': async () => {
    const [database, node] = [await createTestDatabase(), await openNode()];
    await load(database, BACKUP, node.url);
    const log = withValidation(openTestLog(node.url), eventTypes);
    const close = async () => {
      await log.close();
      await node.close();
    };
    return { database, log, close };
  },
  'upgraded where they are': async () => {
    const database = await createEmptyDatabase();
    await database.db.query(await readFile(new URL('tables.sql', RELEASE), 'utf8'));
    await migrate(database.db);
    const { log: saved } = await readManifest(BACKUP);
    await loadIntoPostgres(database.db, loadLines(BACKUP, saved.file, null), true, () => undefined);
    const log = openTestDatabaseLog(database);
    return { database, log, close: () => log.close() };
  },
};

describe.each(Object.entries(WAYS))('the data of a release, %s,', (_, open) => {
  let opened: Opened;
  let db: TestDatabase['db'];
  let log: EventLog;
  const stop = new AbortController();
  let running: Promise<void>[] = [];

  beforeAll(async () => {
    opened = await open();
    db = opened.database.db;
    log = opened.log;
  });
  afterAll(async () => {
    stop.abort();
    await Promise.all(running);
    await opened.close();
    await opened.database.drop();
  });

  const options = () => ({
    db,
    connectionString: opened.database.url,
    log,
    logger: silentLogger,
    signal: stop.signal,
    max: 5,
  });

  const streams = async (): Promise<ReadonlySet<string>> => {
    const found = new Set<string>();
    for await (const page of log.readAll(0n)) for (const { stream } of page.events) found.add(stream);
    return found;
  };

  it('has the present schema, with every row of its durable tables', async () => {
    expect(await dumpSchema(db)).toBe(await readFile(SCHEMA_FILE, 'utf8'));
    const { tables } = await readManifest(BACKUP);
    const rows = await rowsOf(db);
    for (const { schema, table, file } of tables)
      expect(rows[`${schema}.${table}`], `${schema}.${table}`).toHaveLength(file.lines);
    expect(rows['metering.usage']).toEqual([
      '(acme,2,2026-11-01,key_1,listEntries,9223372036854775807,0,1,0,0,0)',
    ]);
  });

  it('has every event within today’s bounds', async () => {
    const { log: saved } = await readManifest(BACKUP);
    let events = 0;
    for await (const page of log.readAll(0n)) {
      for (const { type, stream, data } of page.events) {
        const { schema } = eventTypes[type as keyof typeof eventTypes];
        expect(schema.safeParse(data).error, `${type} of ${stream}`).toBeUndefined();
        events += 1;
      }
    }
    expect(events).toBe(saved.file.lines);
  });

  it('has every read model built, verified, and none parked or stalled', { tags: 'long' }, async () => {
    running = projections.map((projection) => runProjection(projection, options()));
    await allFollowed(db, log, projections);
    for (const projection of projections) {
      expect((await loadControl(log, projection)).sequences.size, projection.name).toBe(0);
      const found = await verify(projection, options());
      expect(found.differences, projection.name).toEqual([]);
      expect(found.equal, projection.name).toBeGreaterThan(0);
    }
    expect((await db.query('select from projections.stalls')).rowCount).toBe(0);
  });

  it('has accounts that can be read again and decided on', { tags: 'long' }, async () => {
    for (const stream of await streams()) {
      if (!stream.startsWith('account-')) continue;
      const { platform, handle } = accountOf(stream);
      const sighting = {
        observedAt: '2026-12-20T08:00:00.000Z',
        source: 'live' as const,
        surface: 'page',
        found: {
          status: 'active' as const,
          profile: { ...emptyProfile(handle), followers: 7 },
          posts: [],
          measured: MEASURABLE,
        },
      };
      const { events } = await recordSighting(log, platform, handle, sighting, { nowMs: Date.now() });
      expect(events.length, stream).toBeGreaterThan(0);
    }
    await allFollowed(db, log, projections);
  });
});
