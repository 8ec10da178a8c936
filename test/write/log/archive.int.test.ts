import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import { archiveEvents, listArchives, withArchive } from '../../../src/write/log/archive.ts';
import { type ArchiveStore, openArchiveStore } from '../../../src/write/log/archive-store.ts';
import { openEventLog } from '../../../src/write/log/open-event-log.ts';
import { type EventLog, LogUnavailableError, type RecordedEvent } from '../../../src/write/log/port.ts';
import { createPostgresLog } from '../../../src/write/log/postgres.ts';
import { positionAtTime } from '../../../src/write/position-at-time.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const EVENTS = 12_000;
const SEPTEMBER = Date.UTC(2026, 8);

let database: TestDatabase;
let log: EventLog;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  log = createPostgresLog(database.db, database.url, silentLogger);
  folder = await mkdtemp(join(tmpdir(), 'sightline-archive-'));
  for (let from = 0; from < EVENTS; from += 1_000)
    await log.append(
      `account-x:${(from / 1_000) % 7}`,
      Array.from({ length: 1_000 }, (_, i) => ({
        id: idOf(from + i),
        type: i % 3 === 0 ? 'Odd' : 'Even',
        data: { n: from + i, text: 'ä'.repeat(20) },
        metadata: { request_id: `r${i}` },
      })),
      'any',
    );
  // Four months of a year, the last one not over.
  await database.db.query(sql`
    update log.events set recorded_at = '2026-06-01'::timestamptz + (position - 1) * interval '122 days' / ${EVENTS}`);
});
afterEach(async () => {
  await log.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const collect = async (of: EventLog, after = 0n): Promise<readonly RecordedEvent[]> => {
  const all: RecordedEvent[] = [];
  for await (const { events } of of.readAll(after)) all.push(...events);
  return all;
};
const store = (): Promise<ArchiveStore> => openArchiveStore({ LOG_ARCHIVE: folder });
const archive = async (store: ArchiveStore, signal = new AbortController().signal) => {
  const whole = withArchive(log, database.db, store);
  const to = await positionAtTime(whole, SEPTEMBER);
  return archiveEvents({ db: database.db, log: whole, store }, { to, signal, onProgress: () => undefined });
};
const withoutData = async () =>
  (await database.db.query<{ n: number }>(sql`select count(*)::int as n from log.events where data is null`))
    .rows[0]?.n;

describe('a log whose older months are archived', () => {
  it('reads as before, forwards, backwards, filtered and from anywhere', async () => {
    const before = await collect(log);
    const to = await store();
    const files = await archive(to);
    expect(new Set(files.map(({ name }) => name.slice(0, 7)))).toEqual(
      new Set(['2026-06', '2026-07', '2026-08']),
    );
    const moved = await withoutData();
    expect(moved).toBe(before.filter(({ recorded_at }) => Date.parse(recorded_at) < SEPTEMBER).length);
    const whole = withArchive(log, database.db, to);
    expect(await collect(whole)).toEqual(before);
    expect(await collect(whole, 5_500n)).toEqual(before.slice(5_500));
    const stream = before.filter(({ stream: name }) => name === 'account-x:3');
    expect(await whole.readStream('account-x:3')).toEqual(stream);
    expect(await whole.readStream('account-x:3', { direction: 'backwards', limit: 5 })).toEqual(
      stream.toReversed().slice(0, 5),
    );
    const odd: RecordedEvent[] = [];
    for await (const page of whole.readAll(0n, { types: ['Odd'] })) odd.push(...page.events);
    expect(odd).toEqual(before.filter(({ type }) => type === 'Odd'));
    expect(await archive(to)).toEqual([]);
  });

  it('takes events as before: nothing twice, each at its revision', async () => {
    const to = await store();
    await archive(to);
    const repeated = await log.append('account-x:0', [{ id: idOf(0), type: 'Odd', data: {} }], 'any');
    expect(repeated).toMatchObject({ status: 'appended', revision: 0n, position: 1n });
    expect(await log.append('account-x:1', [{ id: idOf(0), type: 'Odd', data: {} }], 'any')).toMatchObject({
      status: 'conflict',
    });
    const last = (await log.readStream('account-x:0', { direction: 'backwards', limit: 1 }))[0]?.revision;
    expect(
      await log.append('account-x:0', [{ id: idOf(99_999), type: 'Odd', data: {} }], last as bigint),
    ).toMatchObject({ status: 'appended', revision: (last as bigint) + 1n, position: BigInt(EVENTS + 1) });
  });

  it('refuses a file that was changed, and a start that does not know where the files are', async () => {
    const to = await store();
    const [file] = await archive(to);
    const path = join(folder, file?.name ?? '');
    const content = await readFile(path);
    content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
    await writeFile(path, content);
    await expect(collect(withArchive(log, database.db, to))).rejects.toThrow('is damaged');
    await rm(path);
    await expect(collect(withArchive(log, database.db, to))).rejects.toThrow(LogUnavailableError);
    const { db, url } = database;
    await expect(openEventLog({}, { db, url }, silentLogger)).rejects.toThrow('set LOG_ARCHIVE');
    // A process that started before anything was archived waits.
    await expect(collect(withArchive(log, db, null))).rejects.toThrow(LogUnavailableError);
  });
});

describe('archiving', () => {
  it('removes nothing of a file that does not read back as it was written', async () => {
    const to = await store();
    let files = 0;
    const bad: ArchiveStore = {
      write: (name, content) => to.write(name, ++files === 2 ? content.subarray(0, -1) : content),
      read: (name) => to.read(name),
      remove: (name) => to.remove(name),
    };
    await expect(archive(bad)).rejects.toThrow('is damaged');
    const [first, ...others] = await listArchives(database.db);
    expect(others).toEqual([]);
    expect(await withoutData()).toBe(Number(first?.last));
    const before = await collect(withArchive(log, database.db, to));
    expect(before).toHaveLength(EVENTS);
  });

  it('goes on where it was ended, at whichever step', async () => {
    const before = await collect(log);
    const to = await store();
    for (const step of ['write', 'read'] as const) {
      let left = 1;
      const dying: ArchiveStore = {
        ...to,
        [step]: (name: string, content: Uint8Array) => {
          if (left-- === 0) throw new Error('killed');
          return to[step](name, content);
        },
      };
      await expect(archive(dying)).rejects.toThrow('killed');
    }
    await archive(to);
    expect(await collect(withArchive(log, database.db, to))).toEqual(before);
    const files = await listArchives(database.db);
    for (const [i, { first }] of files.entries())
      expect(first).toBe(i === 0 ? 1n : (files[i - 1]?.last ?? 0n) + 1n);
    expect((await readdir(folder)).sort()).toEqual(['2026-06', '2026-07', '2026-08']);
  });
});

describe('a bucket', () => {
  const objects = new Map<string, Buffer>();
  let server: Server;
  const before = { ...process.env };
  beforeAll(async () => {
    server = createServer((request, response) => {
      const key = (request.url ?? '').split('?')[0] ?? '';
      if (request.method === 'PUT') {
        const parts: Buffer[] = [];
        request.on('data', (part: Buffer) => parts.push(part));
        request.on('end', () => {
          objects.set(key, Buffer.concat(parts));
          response.end();
        });
        return;
      }
      const found = objects.get(key);
      response.statusCode = found === undefined ? 404 : 200;
      response.end(found);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
  });
  afterAll(async () => {
    process.env = before;
    await new Promise((resolve) => server.close(resolve));
  });

  it('holds the files under its prefix', async () => {
    const all = await collect(log);
    const { port } = server.address() as AddressInfo;
    const settings = {
      LOG_ARCHIVE: 's3://events/sightline',
      LOG_ARCHIVE_ENDPOINT: `http://127.0.0.1:${port}`,
    };
    const bucket = await openArchiveStore(settings);
    await archive(bucket);
    expect([...objects.keys()]).toContain('/events/sightline/2026-06/00000000000000000001.ndjson.zst');
    const { db, url } = database;
    const reopened = await openEventLog(settings, { db, url }, silentLogger);
    expect(await collect(reopened)).toEqual(all);
    await reopened.close();
    objects.clear();
    await expect(collect(withArchive(log, db, bucket))).rejects.toThrow(LogUnavailableError);
  });
});
