import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProxyStates } from '../../src/crawlers/proxies/proxied-http.ts';
import { loadProxies } from '../../src/crawlers/proxies/proxies-file.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { listProxies } from '../../src/operations/proxies.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { recordProxies } from '../../src/write/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), 'sightline-proxies-'));
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

it('proxies are listed by platform with their state, without credentials', async () => {
  const PROXIES_FILE = join(folder, 'proxies.yaml');
  writeFileSync(
    PROXIES_FILE,
    '- { name: eu1, url: "http://user:canary@proxy.example:3128", platforms: [x, tiktok] }',
  );
  await createProxyStates(database.db).failed('x', 'eu1', 'HTTP 429');
  const listed = await listProxies({ config: parseConfig({ PROXIES_FILE }), db: database.db });
  expect(listed).toMatchObject([
    { name: 'eu1', url: 'http://proxy.example:3128', platform: 'x', status: 'resting', reason: 'HTTP 429' },
    { name: 'eu1', platform: 'tiktok', status: 'usable', failures: 0, reason: null, resting_until: null },
  ]);
  expect(JSON.stringify(listed)).not.toContain('canary');
  expect(await listProxies({ config: parseConfig({}), db: database.db })).toEqual([]);
});

it('other proxies than at the last start are recorded once, without addresses and credentials', async () => {
  const log = withValidation(createPostgresLog(database.db, database.url, silentLogger), eventTypes);
  const load = async (text: string) => {
    const PROXIES_FILE = join(folder, 'recorded.yaml');
    writeFileSync(PROXIES_FILE, text);
    await recordProxies(log, await loadProxies(PROXIES_FILE), systemClock.now());
  };
  await recordProxies(log, [], systemClock.now());
  const ONE = '- { name: eu1, url: "http://user:canary@proxy.example:3128", platforms: [x] }';
  for (const text of [ONE, ONE, ONE.replace('[x]', '[x, tiktok]'), '[]']) await load(text);
  const events = await log.readStream('proxies-configured');
  expect(events.map(({ data }) => (data as { proxies: unknown }).proxies)).toEqual([
    [{ name: 'eu1', platforms: ['x'] }],
    [{ name: 'eu1', platforms: ['x', 'tiktok'] }],
    [],
  ]);
  await log.close();
});
