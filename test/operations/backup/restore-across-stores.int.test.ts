import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { withValidation } from '../../../src/write/log/codec.ts';
import type { EventLog, RecordedEvent } from '../../../src/write/log/port.ts';
import { loadControl, skipEvent } from '../../../src/write/projection-control.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { collect, openTestLog } from '../../support/eventstore/log.ts';
import { openNode, type TestNode } from '../../support/eventstore/server.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';
import { createTestFolder, load, openTestDatabaseLog, project, rowsOf, save } from './world.ts';

let program: TestProgram;
let folder: Awaited<ReturnType<typeof createTestFolder>>;
let good: string;
let node: TestNode;
let log: EventLog;
let database: TestDatabase;

beforeAll(async () => {
  folder = await createTestFolder();
  program = await createTestProgram();
  await live(program.log, 11, 2_500);
  const key = await program.issueKey();
  expect((await program.get('/v2/directory', key)).status).toBe(200);
  const bad = (await collect(program.log.readAll(0n, { types: ['AccountSighted'] }))).at(-1) as RecordedEvent;
  await skipEvent(program.log, accounts, bad, 'a test', Date.now());
  await program.append('x', 'odd', sighted('odd', '2026-10-01T00:00:00.000Z', { bio: 'a\u2028b\u{1f600}' }));
  good = folder.of('good');
  await save(program.database.db, program.log, good);
});
const open = async () => {
  node = await openNode();
  log = withValidation(openTestLog(node.url), eventTypes);
  database = await createTestDatabase();
};
afterEach(async () => {
  await log.close();
  await node.close();
  await database.drop();
});
afterAll(async () => {
  await program.close();
  await folder.remove();
});

/** What an event is, wherever it stands. */
const essence = ({ id, stream, revision, type, data, metadata }: RecordedEvent) => ({
  id,
  stream,
  revision,
  type,
  data,
  metadata: { ...metadata },
});

const eventsOf = async (of: EventLog) => (await collect(of.readAll(0n))).map(essence);

it('a backup goes into EventStoreDB in the log’s order, with new positions and valid references', {
  tags: 'long',
}, async () => {
  await open();
  await load(database, good, node.url);
  expect(await eventsOf(log)).toEqual(await eventsOf(program.log));
  const { 'log.events': _, 'metering.accounts': accountRows, ...tables } = await rowsOf(database.db);
  const { 'log.events': __, 'metering.accounts': before, ...saved } = await rowsOf(program.database.db);
  expect(tables).toEqual(saved);
  // Terms that are known by their position count as older than any.
  const { rows } = await database.db.query('select terms_position from metering.accounts');
  expect(rows).toEqual([{ terms_position: '0' }]);
  expect(accountRows).toHaveLength(before?.length ?? 0);

  const [skipped] = (await loadControl(log, accounts)).skipped;
  expect((await eventsOf(log)).map(({ id }) => id)).toContain(skipped);
  await program.project();
  const schema = await project(database.db, log, accounts);
  const { rows: here } = await database.db.query(
    `select * from ${schema}.accounts order by platform, handle`,
  );
  const { rows: there } = await program.database.db.query(
    `select * from ${program.builds.schema('accounts')}.accounts order by platform, handle`,
  );
  expect(here).toEqual(there);
});

it('an interrupted restore resumes where it was, without duplicates', { tags: 'long' }, async () => {
  await open();
  let there = 0;
  for (const at of [300, 900]) {
    const stop = new AbortController();
    let sent = 0;
    node.faults.onAppend = () => {
      sent += 1;
      if (sent === at) stop.abort();
    };
    await expect(load(database, good, node.url, { signal: stop.signal })).rejects.toThrow('aborted');
    const events = await eventsOf(log);
    expect(events.length).toBeGreaterThan(there);
    expect(events).toEqual((await eventsOf(program.log)).slice(0, events.length));
    there = events.length;
    expect((await rowsOf(database.db))['metering.usage_entries']).toEqual([]);
  }
  const total = (await eventsOf(program.log)).length;
  expect(there).toBeLessThan(total);
  let again = 0;
  node.faults.onAppend = (events) => {
    again += events;
  };
  await load(database, good, node.url);
  expect(again).toBe(total - there);
  expect(await eventsOf(log)).toEqual(await eventsOf(program.log));
  expect((await rowsOf(database.db))['metering.usage_entries']).toEqual(
    (await rowsOf(program.database.db))['metering.usage_entries'],
  );
});

it('a log with other events is left alone', async () => {
  await open();
  const event = { id: uuidV7(Date.now()), ...sighted('other', '2026-10-01T00:00:00.000Z') };
  await log.append('account-x:other', [event], 'any');
  await expect(load(database, good, node.url)).rejects.toThrow('holds other events than the backup');
  expect(await eventsOf(log)).toHaveLength(1);
  expect(Object.values(await rowsOf(database.db)).flat()).toEqual([]);
});

it('a log with more than the backup is left alone', { tags: 'long' }, async () => {
  await open();
  await load(database, good, node.url);
  const rows = await rowsOf(database.db);
  const event = { id: uuidV7(Date.now()), ...sighted('other', '2026-10-01T00:00:00.000Z') };
  await log.append('account-x:other', [event], 'any');
  const other = await createTestDatabase();
  await expect(load(other, good, node.url)).rejects.toThrow('holds other events than the backup');
  expect(Object.values(await rowsOf(other.db)).flat()).toEqual([]);
  await other.drop();
  expect(await rowsOf(database.db)).toEqual(rows);
});

it('a backup of EventStoreDB goes into Postgres, which numbers the events without gaps', {
  tags: 'long',
}, async () => {
  await open();
  await load(database, good, node.url);
  const out = folder.of('from-eventstore');
  await save(database.db, log, out, node.url);
  const target = await createTestDatabase();
  const restored = openTestDatabaseLog(target);
  await load(target, out);
  expect(await eventsOf(restored)).toEqual(await eventsOf(log));
  const positions = (await collect(restored.readAll(0n))).map(({ position }) => position);
  expect(positions).toEqual(positions.map((_, i) => BigInt(i) + 1n));
  const times = async (of: EventLog) => (await collect(of.readAll(0n))).map(({ recorded_at }) => recorded_at);
  expect(await times(restored)).toEqual(await times(log));
  await restored.close();
  await target.drop();
});
