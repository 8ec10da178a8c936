import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { createSimClock } from '../../infra/simulator/world/clock.ts';
import { createProxyStates } from '../../src/crawlers/proxies/proxied-http.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { openHttp, openRegistry } from '../../src/runtime/crawler-http.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { nothingErased } from '../support/erasures.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-proxies-'));
const PROXIES_FILE = join(folder, 'proxies.yaml');
let database: TestDatabase;
let simulator: Simulator;
beforeAll(async () => {
  database = await createTestDatabase();
  simulator = await startSimulator({
    seed: 1,
    size: 5,
    clock: createSimClock({ now: Date.now(), speed: 0 }),
  });
  writeFileSync(PROXIES_FILE, '- { name: eu1, url: "http://127.0.0.1:9", platforms: [x] }');
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await simulator.close();
  await database.drop();
});

it('a simulator is reached directly, although its platform has proxies', async () => {
  const config = parseConfig({ SIMULATOR_URL: simulator.url, PROXIES_FILE });
  const { db } = database;
  const runtime = { config, asyncCommitDb: db, logger: silentLogger, metrics: new Registry() };
  const http = await openHttp(runtime as never, openRegistry({ config, ...nothingErased }));
  // All proxies of the platform rest: nothing could be sent through one.
  await createProxyStates(db).failed('x', 'eu1', 'HTTP 429');
  const page = await http.fetch({ platform: 'x', url: 'https://x.com/zz_nobody_zz' });
  const direct = await fetch(`${simulator.url}/x.com/zz_nobody_zz`);
  expect([page.status, page.body]).toEqual([direct.status, await direct.text()]);
  expect(simulator.requests.x.total).toBe(2);
  await http.close();
});
