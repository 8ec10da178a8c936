import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import { createTestHome, type RunningProgram, type TestHome } from '../support/cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { seedHome } from '../support/seeded-home.ts';
import { until } from '../support/wait.ts';

/** What an operator is promised. */
const EFFECT_MS = 2_000;

let simulator: Simulator;
let database: TestDatabase;
let home: TestHome;
beforeAll(async () => {
  simulator = await startSimulator({ seed: 3, size: 200 });
  database = await createTestDatabase(2, 'built');
  home = await createTestHome({
    LOG_FORMAT: 'json',
    DATABASE_URL: database.url,
    SIMULATOR_URL: simulator.url,
    OPERATIONS_PORT: '0',
    PORT: '0',
    CRAWL_RATE_PER_S: '20',
  });
  await seedHome({ SIGHTLINE_HOME: home.home, DATABASE_URL: database.url }, simulator);
});
afterAll(async () => {
  await home.remove();
  await simulator.close();
  await database.drop();
});

const start = async (role: string): Promise<RunningProgram> => {
  const program = home.start(['start', '--role', role]);
  await program.says(/"msg":"Sightline started"/);
  return program;
};

/** By the simulator's own record. */
const total = (platform: Platform): number => simulator.requests[platform].total;
const isRead = (platform: Platform, requests: number) => {
  const before = total(platform);
  return until(`${platform} is read`, () => total(platform) >= before + requests);
};

const run = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await home.run(args);
  expect(code, err).toBe(0);
  return out.trim();
};

it('a pause ends the requests of all crawl processes, although no read model follows the log', async () => {
  const projector = await start('project');
  const crawlers = await Promise.all([start('crawl'), start('crawl')]);
  await isRead('x', 40);
  // From here on accounts are read again and again, as no reading of them is known.
  expect(await projector.end('SIGTERM')).toBe(0);
  await isRead('x', 20);
  expect(await run('engines', 'pause', 'x', '--reason', 'answers look wrong')).toContain('x is paused');
  const pausedAt = Date.now();
  await until('that is in effect', () => Date.now() > pausedAt + EFFECT_MS);
  // What was started before may still arrive.
  const arrived = async () => {
    const requests = total('x');
    await isRead('bluesky', 5);
    return total('x') === requests;
  };
  await until('no request is on its way', arrived, 60_000);
  const before = total('x');
  await isRead('bluesky', 60);
  expect(total('x')).toBe(before);
  expect(await run('engines', 'resume', 'x')).toContain('x is resumed');
  await isRead('x', 20);
  for (const crawler of crawlers) expect(await crawler.end('SIGTERM')).toBe(0);
});
