import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { SUBJECTS_STREAM } from '../../../src/write/erasure/subject.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { withValidation } from '../../../src/write/log/codec.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { collect, openTestLog } from '../../support/eventstore/log.ts';
import { openNode } from '../../support/eventstore/server.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';
import { createTestFolder, load, openTestDatabaseLog, rowsOf, save } from './world.ts';

let program: TestProgram;
let folder: Awaited<ReturnType<typeof createTestFolder>>;
/** A full backup, and two that continue it. */
let chain: readonly [string, string, string];
const targets: TestDatabase[] = [];
const target = async (): Promise<TestDatabase> => {
  const database = await createTestDatabase();
  targets.push(database);
  return database;
};

beforeAll(async () => {
  folder = await createTestFolder();
  program = await createTestProgram();
  const { db } = program.database;
  chain = [folder.of('full'), folder.of('one'), folder.of('two')];
  const [full, one, two] = chain;
  const key = await program.issueKey();
  await live(program.log, 3, 600);
  await save(db, program.log, full);
  await live(program.log, 4, 400, 600);
  expect((await program.get('/v2/directory', key)).status).toBe(200);
  await save(db, program.log, one, undefined, undefined, full);
  await program.append('x', 'late', sighted('late', '2026-10-01T00:00:00.000Z'));
  expect((await program.get('/v2/directory', key)).status).toBe(200);
  await save(db, program.log, two, undefined, undefined, one);
});
afterEach(async () => {
  for (const database of targets.splice(0)) await database.drop();
});
afterAll(async () => {
  await program.close();
  await folder.remove();
});

describe('an incremental backup', () => {
  it('has the events since the one before, and all tables', async () => {
    const [full, one, two] = chain;
    const database = await target();
    const last = await load(database, chain);
    expect(await rowsOf(database.db)).toEqual(await rowsOf(program.database.db));
    expect(last.log.file.lines).toBe(1);
    const { rows } = await database.db.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_user_tables where relname = 'events' and last_vacuum is null",
    );
    expect(rows).toEqual([{ n: 0 }]);
    const middle = await target();
    expect((await load(middle, [full, one])).log.head).toBe(String(BigInt(last.log.head) - 1n));
    // Nothing happened since.
    const empty = folder.of('empty');
    const { log } = await save(program.database.db, program.log, empty, undefined, undefined, two);
    expect(log.file.lines).toBe(0);
    const again = await target();
    await load(again, [...chain, empty]);
    expect(await rowsOf(again.db)).toEqual(await rowsOf(program.database.db));
  });

  it('is restored with the backups that it continues, in order, or not at all', async () => {
    const [full, one, two] = chain;
    const database = await target();
    for (const wrong of [[one], [full, two], [one, full], [full, full], [full, one, one], [two, one, full]])
      await expect(load(database, wrong), wrong.join()).rejects.toMatchObject({ code: 'backup_invalid' });
    expect(await openTestDatabaseLog(database).head()).toBe(0n);
    await load(database, chain);
  });

  it('goes into EventStoreDB with those that it continues, and continues a backup of it', async () => {
    const node = await openNode();
    const database = await target();
    await load(database, chain, node.url);
    const log = withValidation(openTestLog(node.url), eventTypes);
    const idsOf = async () => (await collect(log.readAll(0n))).map(({ id }) => id);
    expect(await idsOf()).toEqual((await collect(program.log.readAll(0n))).map(({ id }) => id));
    const [full, more] = [folder.of('node'), folder.of('more')];
    await save(database.db, log, full, node.url);
    await live(log, 6, 50, 1_000);
    expect((await save(database.db, log, more, node.url, undefined, full)).log.file.lines).toBe(50);
    const back = await target();
    await load(back, [full, more]);
    expect((await collect(openTestDatabaseLog(back).readAll(0n))).map(({ id }) => id)).toEqual(await idsOf());
    await log.close();
    await node.close();
  });

  it('is refused of another log', async () => {
    const other = await createTestProgram();
    await live(other.log, 5, 700);
    await expect(
      save(other.database.db, other.log, folder.of('other'), undefined, undefined, chain[0]),
    ).rejects.toMatchObject({ code: 'backup_incompatible' });
    await other.close();
  });

  it('does not continue one from before an erasure that is complete', async () => {
    const forgotten = {
      at: '2026-10-02T00:00:00.000Z',
      subject: 'a'.repeat(64),
      events: 1,
      references: 0,
      rows: {},
    };
    const event = { id: uuidV7(Date.now()), type: 'SubjectForgotten', data: forgotten };
    await program.log.append(SUBJECTS_STREAM, [event], 'any');
    const refused = save(
      program.database.db,
      program.log,
      folder.of('refused'),
      undefined,
      undefined,
      chain[2],
    );
    await expect(refused).rejects.toMatchObject({ code: 'backup_incompatible' });
    const full = folder.of('after');
    await save(program.database.db, program.log, full);
    await save(program.database.db, program.log, folder.of('continued'), undefined, undefined, full);
  });
});
