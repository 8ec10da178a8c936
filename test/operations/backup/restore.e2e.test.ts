import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { projections } from '../../../src/projections/registry.ts';
import { holders } from '../../../src/projections/views/holders/projection.ts';
import { createTestHome, type TestHome } from '../../support/cli.ts';
import { createTestDatabase } from '../../support/database.ts';
import { collect, openTestLog } from '../../support/eventstore/log.ts';
import { openNode } from '../../support/eventstore/server.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

let program: TestProgram;
/** Where it was, and an empty machine. */
let source: TestHome;
let machine: TestHome;
let folder: string;
let key: string;

beforeAll(async () => {
  program = await createTestProgram();
  source = await createTestHome({ DATABASE_URL: program.database.url });
  machine = await createTestHome({ PORT: '0', CRAWL_MODE: 'replay', LOG_FORMAT: 'json', LOG_LEVEL: 'info' });
  folder = await mkdtemp(join(tmpdir(), 'sightline-restore-'));
  await live(program.log, 12, 1_200);
  for (let i = 0; i < 30; i++) {
    await program.append(
      'youtube',
      `many${i}`,
      sighted(`many${i}`, '2026-10-01T00:00:00.000Z', { id: `${i}` }),
    );
  }
  key = await program.issueKey();
});
afterAll(async () => {
  await machine.remove();
  await source.remove();
  await program.close();
  await rm(folder, { recursive: true, force: true });
});

const PATHS = [
  '/v2/directory?limit=50&sort=followers',
  '/v2/directory/youtube?limit=10',
  '/v2/directory/changes?limit=50',
  '/v2/directory/stats',
  '/v2/accounts/x/handle1',
  '/v2/accounts/youtube/many7',
  '/v2/accounts/platforms',
];

/** An answer without what tells of the moment that it was given at: ages above all. */
const timeless = (body: Record<string, Record<string, unknown>>) =>
  JSON.parse(
    JSON.stringify(body, (name, value: unknown) =>
      ['request_id', 'generated_at', 'took_ms'].includes(name) || name.endsWith('_s') ? undefined : value,
    ),
  ) as unknown;

it('a restored empty machine answers as the first did, and everything adds up', async () => {
  const answers = new Map<string, unknown>();
  for (const path of PATHS) {
    const { status, body } = await program.get(path, key);
    expect([path, status]).toEqual([path, 200]);
    answers.set(path, timeless(body));
  }
  const list = await program.get('/v2/directory/youtube?limit=10', key);
  const cursor = list.body.meta.next_cursor;
  expect(cursor).toEqual(expect.any(String));
  const next = `/v2/directory/youtube?limit=10&cursor=${encodeURIComponent(cursor)}`;
  answers.set(next, timeless((await program.get(next, key)).body));

  const out = join(folder, 'backup');
  const saved = await source.run(['backup', '--out', out]);
  expect([saved.code, saved.out]).toEqual([
    0,
    expect.stringMatching(
      /holds [\d,]+ events, up to position \d+, and \d+ rows of \d+ tables, in [\d.]+ MB; it took/,
    ),
  ]);
  const again = await source.run(['backup', '--out', out]);
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('is not empty')]);

  const restored = await machine.run(['restore', out]);
  expect([restored.code, restored.out]).toEqual([
    0,
    expect.stringMatching(/^Restored as of .*: [\d,]+ events and \d+ rows/),
  ]);
  const refused = await machine.run(['restore', out]);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('The target is not empty')]);

  const service = machine.start(['start', '--role', 'api,project']);
  const url = (await service.says(/"api":"(http:\/\/127\.0\.0\.1:\d+)\/v2\/"/))[1];
  for (const [path, answer] of answers) {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    expect([path, response.status, timeless((await response.json()) as never)]).toEqual([path, 200, answer]);
  }
  for (const { name } of projections) {
    const verified = await machine.run(['projections', 'verify', name]);
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('matches the event log')]);
  }
  const audited = await machine.run(['usage', 'audit']);
  expect([audited.code, audited.err]).toEqual([0, expect.any(String)]);
  expect(await service.end('SIGTERM')).toBe(0);

  const { rows: secrets } = await program.database.db.query<{ text: string }>(
    `select key_hash as text from ${program.builds.schema(holders.name)}.keys
     union all select encode(secret, 'hex') from secrets.cursor_secrets`,
  );
  expect(secrets.length).toBeGreaterThan(1);
  const printed =
    [saved, again, restored, refused, audited].map(({ out, err }) => out + err).join() + service.err();
  for (const { text } of secrets) expect(printed).not.toContain(text);
});

it('a damaged backup is refused, and the machine stays empty', async () => {
  const out = join(folder, 'damaged');
  expect((await source.run(['backup', '--out', out])).code).toBe(0);
  const file = join(out, 'log.ndjson.zst');
  const bytes = await readFile(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 4;
  await writeFile(file, bytes);
  const empty = await createTestHome();
  const refused = await empty.run(['restore', out]);
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining('does not have the checksum that it had. Nothing was changed.'),
  ]);
  expect((await empty.run(['events', 'read', '--json'])).out).toBe('');
  await empty.remove();
});

it('Ctrl-C ends a backup and a restore with exit code 130, and leaves nothing', async () => {
  const out = join(folder, 'stopped');
  // A table that can't be read holds the backup up in its middle.
  const gate = await program.database.db.connect();
  await gate.query('begin; lock table metering.usage in access exclusive mode');
  const saving = source.start(['backup', '--out', out]);
  const waits = async (mode: string) => {
    const { rows } = await program.database.db.query(
      `select from pg_locks where not granted and mode = $1 and database = (select oid from pg_database where datname = current_database())`,
      [mode],
    );
    return rows.length > 0;
  };
  await until('the backup is half done', () => waits('AccessShareLock'));
  expect((await readdir(folder)).filter((name) => name.startsWith('stopped'))).toHaveLength(1);
  saving.child.kill('SIGINT');
  gate.release(true);
  expect([await saving.ended, saving.out()]).toEqual([130, `Stopped. There is no ${out}.\n`]);
  expect((await readdir(folder)).filter((name) => name.startsWith('stopped'))).toEqual([]);

  expect((await source.run(['backup', '--out', out])).code).toBe(0);
  const empty = await createTestDatabase();
  const target = await createTestHome({ DATABASE_URL: empty.url });
  const held = await empty.db.connect();
  await held.query('begin; lock table secrets.cursor_secrets in share mode');
  const loading = target.start(['restore', out]);
  await until('the restore is half done', async () => {
    const { rows } = await empty.db.query(
      `select from pg_locks where not granted and mode = 'ExclusiveLock' and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length > 0;
  });
  loading.child.kill('SIGINT');
  held.release(true);
  expect([await loading.ended, loading.out()]).toEqual([130, 'Stopped. Nothing was changed.\n']);
  const { rows } = await empty.db.query('select from log.events');
  expect(rows).toEqual([]);
  await target.remove();
  await empty.drop();
});

it('a killed restore into EventStoreDB is resumed by the same command, which appends only what is missing', async () => {
  const out = join(folder, 'killed');
  const idsOf = async (of: typeof program.log) => (await collect(of.readAll(0n))).map(({ id }) => id);
  const wanted = await idsOf(program.log);
  expect((await source.run(['backup', '--out', out])).code).toBe(0);
  // That it was made is no part of it.
  const [made, ...others] = (await collect(program.log.readAll(0n))).slice(wanted.length);
  expect([made?.type, others]).toEqual(['BackupVerified', []]);
  const empty = await createTestDatabase();
  const node = await openNode();
  const target = await createTestHome({ DATABASE_URL: empty.url, EVENT_LOG_URL: node.url });
  const log = openTestLog(node.url, { keepAliveMs: 10_000 });

  let sent = 0;
  const killed = target.start(['restore', out]);
  node.faults.onAppend = () => {
    sent += 1;
    if (sent !== 700) return;
    // The node takes no more until the process is gone.
    node.faults.mute = true;
    killed.child.kill('SIGKILL');
  };
  expect(await killed.ended).toBeNull();
  node.faults.mute = false;
  const left = await idsOf(log);
  expect(left.length).toBeGreaterThanOrEqual(700);
  expect(left).toEqual(wanted.slice(0, left.length));
  expect(left.length).toBeLessThan(wanted.length);

  let missing = 0;
  node.faults.onAppend = (events) => {
    missing += events;
  };
  const resumed = await target.run(['restore', out]);
  expect([resumed.code, resumed.out]).toEqual([0, expect.stringMatching(/^Restored as of .*events/)]);
  expect(missing).toBe(wanted.length - left.length);
  expect(await idsOf(log)).toEqual(wanted);
  await log.close();
  await target.remove();
  await node.close();
  await empty.drop();
});
