import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProxyStates } from '../../src/crawlers/proxies/proxied-http.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { listProxies } from '../../src/operations/proxies.ts';
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
