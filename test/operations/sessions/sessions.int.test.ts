import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRegistry } from '../../../src/crawlers/platforms/registry.ts';
import { parseConfig } from '../../../src/kernel/config.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import {
  addSession,
  findSession,
  listSessions,
  rekeySessions,
  removeSession,
} from '../../../src/operations/sessions/sessions.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { withValidation } from '../../../src/write/log/codec.ts';
import type { EventLog } from '../../../src/write/log/port.ts';
import { createPostgresLog } from '../../../src/write/log/postgres.ts';
import { createKeyring, sessionStream } from '../../../src/write/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const registry = createRegistry();
const key = () => randomBytes(32).toString('base64');
const OLD = key();
const keyring = createKeyring([OLD]);
const CANARY = 'canary-of-a-session';
const TEXT = JSON.stringify({ bearer_token: `${CANARY}-b`, auth_token: `${CANARY}-a`, ct0: `${CANARY}-c` });

const folder = mkdtempSync(join(tmpdir(), 'sightline-sessions-'));
const PROXIES_FILE = join(folder, 'proxies.yaml');
writeFileSync(PROXIES_FILE, '- { name: eu1, url: "http://proxy.example:3128", platforms: [x] }');
const config = parseConfig({ PROXIES_FILE });
afterAll(() => rmSync(folder, { recursive: true }));

let database: TestDatabase;
let log: EventLog;
beforeEach(async () => {
  database = await createTestDatabase(4);
  log = withValidation(createPostgresLog(database.db, database.url, silentLogger), eventTypes);
});
afterEach(async () => {
  await log.close();
  await database.drop();
});

const act = () => ({ db: database.db, log });

const add = (label: string, more: { text?: string; proxy?: string | null; platform?: 'x' | 'tiktok' } = {}) =>
  addSession({ ...act(), config }, keyring, registry, {
    platform: 'x',
    label,
    proxy: null,
    text: TEXT,
    ...more,
  });

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );

describe('a stored session', () => {
  it('is encrypted: its credentials are in no table and no list', async () => {
    const id = await add('first', { proxy: 'eu1' });
    const [listed] = await listSessions(database, keyring);
    expect(listed).toMatchObject({ id, platform: 'x', label: 'first', proxy: 'eu1', status: 'active' });
    expect(JSON.stringify(listed)).not.toContain(CANARY);
    const { rows: tables } = await database.db.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const { rows } = await database.db.query(`select 1 from ${name} t where t::text like $1`, [
        `%${CANARY}%`,
      ]);
      expect(rows, name).toEqual([]);
    }
    const { rows: hex } = await database.db.query(
      `select encode(sealed, 'escape') as bytes from secrets.sessions`,
    );
    expect(JSON.stringify(hex)).not.toContain(CANARY);
  });

  it('can be given as JSON, or as lines of name=value', async () => {
    await add('lines', { text: '# of a guest\nbearer_token=abc=def\nguest_token = 123\n' });
    expect(await listSessions(database, keyring)).toHaveLength(1);
  });

  it.each([
    ['{"bearer_token": "b"', 'session_invalid'],
    ['{"bearer_token": "b"}', 'session_invalid'],
    ['{"guest_token": "b"}', 'session_invalid'],
    ['{"bearer_token": "b", "guest_token": "g", "auth_token": "a", "ct0": "c"}', 'session_invalid'],
    ['{"bearer_token": "b", "auth_token": "a"}', 'session_invalid'],
    ['{"bearer_token": "b\\r\\nHost: evil", "guest_token": "g"}', 'session_invalid'],
    ['{"bearer_token": "b", "auth_token": "a; other=1", "ct0": "c"}', 'session_invalid'],
    ['{"bearer_token": "b", "guest_token": "g", "more": "m"}', 'session_invalid'],
    ['no pairs', 'session_invalid'],
    ['', 'session_invalid'],
  ])('is refused if it is malformed: %s', async (text, code) => {
    expect(await codeOf(add('first', { text }))).toBe(code);
    expect(await listSessions(database, keyring)).toEqual([]);
  });

  it('is refused if its platform has none, its label is taken, its proxy unknown, or no key is set', async () => {
    await add('first');
    expect(await codeOf(add('first'))).toBe('session_exists');
    expect(await codeOf(add('a label'))).toBe('session_invalid');
    expect(await codeOf(add('second', { platform: 'tiktok' }))).toBe('sessions_unsupported');
    expect(await codeOf(add('second', { proxy: 'us1' }))).toBe('proxy_unknown');
    const options = { platform: 'x' as const, label: 'second', proxy: null, text: TEXT };
    expect(await codeOf(addSession({ ...act(), config }, null, registry, options))).toBe(
      'sessions_key_missing',
    );
    expect(await listSessions(database, keyring)).toHaveLength(1);
  });
});

it('has errors with line numbers as an editor counts them', async () => {
  const text = '# of a guest\n\nbearer_token=b\n\nguest_token g\n';
  await expect(add('first', { text })).rejects.toThrow('Line 5 is not name=value.');
});

it('has errors that never quote its input', async () => {
  const text = JSON.stringify({ bearer_token: `${CANARY} with spaces`, guest_token: `${CANARY};` });
  const failure = await add('first', { text }).catch((error: Error) => error);
  expect(String(failure)).not.toContain(CANARY);
});

it('leaves nothing when removed', async () => {
  const id = await add('first');
  await database.db.query(`insert into crawl.session_limits (session, operation) values ($1, 'Followers')`, [
    id,
  ]);
  await removeSession(act(), 'first');
  expect(await codeOf(findSession(database, 'first'))).toBe('session_unknown');
  const { rows } = await database.db.query('select * from crawl.session_limits');
  expect(rows).toEqual([]);
});

it('leaves an event of all that was done with it, without its credentials', async () => {
  const id = await add('first', { proxy: 'eu1' });
  const fresh = key();
  await rekeySessions(act(), createKeyring([fresh, OLD]));
  await removeSession(act(), 'first');
  const events = await log.readStream(sessionStream(id));
  expect(events).toMatchObject([
    { type: 'SessionAdded', data: { platform: 'x', label: 'first', proxy: 'eu1' } },
    { type: 'SessionResealed', data: { key_id: createKeyring([fresh]).keyId } },
    { type: 'SessionRemoved' },
  ]);
  expect(
    JSON.stringify(events, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  ).not.toContain(CANARY);
});

it('is neither added, sealed anew nor removed if the log does not record it', async () => {
  await add('first');
  const { append } = log;
  log = { ...log, append: () => Promise.reject(new Error('no log')) };
  await expect(add('second')).rejects.toThrow('no log');
  await expect(rekeySessions(act(), createKeyring([key(), OLD]))).rejects.toThrow('no log');
  await expect(removeSession(act(), 'first')).rejects.toThrow('no log');
  log = { ...log, append };
  expect(await listSessions(database, keyring)).toMatchObject([{ label: 'first', status: 'active' }]);
});

describe('a new key', () => {
  it('replaces the old one for every session', async () => {
    await add('first');
    await add('second');
    const fresh = key();
    const both = createKeyring([fresh, OLD]);
    expect(await rekeySessions(act(), both)).toBe(2);
    expect(await rekeySessions(act(), both)).toBe(0);
    const listed = await listSessions(database, createKeyring([fresh]));
    expect(listed.map(({ status }) => status)).toEqual(['active', 'active']);
    const old = await listSessions(database, keyring);
    expect(old.map(({ status }) => status)).toEqual(['sealed', 'sealed']);
  });

  it('changes nothing that it cannot open without the old one, and says so', async () => {
    await add('first');
    const fresh = createKeyring([key()]);
    expect(await codeOf(rekeySessions(act(), fresh))).toBe('session_sealed');
    expect(await listSessions(database, keyring)).toMatchObject([{ status: 'active' }]);
  });
});
