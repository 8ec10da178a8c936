import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedsOf } from '../../infra/simulator/ground-truth.ts';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { sql } from '../../src/kernel/postgres/statement.ts';
import { projections } from '../../src/projections/registry.ts';
import { openRuntime, type Runtime } from '../../src/runtime/open-runtime.ts';
import { startProjections } from '../../src/runtime/roles/projector.ts';
import { createTestHome, type TestHome } from '../support/cli.ts';
import { openNode, type TestNode } from '../support/eventstore/server.ts';
import { readinessAt } from '../support/readiness.ts';
import { allFollowed, expectAsRebuilt } from '../support/rebuilt.ts';
import { seedHome } from '../support/seeded-home.ts';
import { until } from '../support/wait.ts';

const SEED = 5;

let simulator: Simulator;
let node: TestNode;
let home: TestHome;
let key: string;

const good = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await home.run(args);
  expect(code, err).toBe(0);
  return out.trim();
};

beforeAll(async () => {
  [simulator, node] = await Promise.all([startSimulator({ seed: SEED, size: 3_000 }), openNode()]);
  home = await createTestHome({
    PORT: '0',
    LOG_FORMAT: 'json',
    SIMULATOR_URL: simulator.url,
    EVENT_LOG_URL: node.url,
    // So that accounts are left to read at the end, however long the outages take.
    CRAWL_RATE_PER_S: '20',
    CRAWL_RETRY_S: '1',
    X_BEARER_TOKEN: 'simulated',
    X_GUEST_TOKEN: 'simulated',
  });
  key = await seedHome({ SIGHTLINE_HOME: home.home, EVENT_LOG_URL: node.url }, simulator);
});

afterAll(async () => {
  await home.remove();
  await simulator.close();
  await node.close();
});

const withProgram = async (work: (program: Runtime) => Promise<void>): Promise<void> => {
  const config = parseConfig({ SIGHTLINE_HOME: home.home, LOG_LEVEL: 'silent', EVENT_LOG_URL: node.url });
  const program = await openRuntime(config, 'command', silentLogger);
  await work(program).finally(() => program.close());
};

const sightings = () => node.store.records.filter(({ stream }) => stream.startsWith('account-')).length;

it('a service on EventStoreDB crawls and serves across failures of its node', async () => {
  const service = home.start(['start']);
  const api = (await service.says(/"api":"(http:\/\/127\.0\.0\.1:\d+)\/v2\/"/))[1] as string;
  const root = api.replace(/\/v2\/?$/, '');
  const get = (path: string) => fetch(`${root}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const ready = () =>
    get('/readyz').then(
      ({ status }) => status === 200,
      () => false,
    );
  await until('it is ready', ready);
  const goesOn = async () => {
    const before = sightings();
    await until('more was crawled', () => sightings() > before + 20);
  };
  await goesOn();
  node.drop();
  await goesOn();
  const [, health = ''] = await service.says(/"health":"(\S+?)"/);
  const checksNow = async () => (await readinessAt(health)).checks;
  const isLogThere = async () => (await checksNow()).find(({ name }) => name === 'event log')?.ok;
  await until('the log is there', isLogThere);
  const isOfApi = (line: string) => line.includes('"process":"api"');
  const linesWith = (text: string) =>
    service
      .err()
      .split('\n')
      .filter((line) => line.includes(text));
  const said = (text: string) => linesWith(text).filter((line) => !isOfApi(line)).length;
  const saidByApi = (text: string) => linesWith(text).filter(isOfApi).length;
  const before = said('components that need it wait');
  const beforeByApi = saidByApi('components that need it wait');
  node.stop();
  await until('it says what is degraded', async () => !(await isLogThere()));
  const [seed = ''] = seedsOf(simulator.world, 'x', 6, Date.now());
  const live = () => get(`/v2/accounts/x/${seed}/live`);
  await until('it is known', () => said('components that need it wait') > before);
  for (let i = 0; i < 3; i++) {
    const refused = await live();
    expect(refused.status).toBe(503);
    expect([refused.headers.get('retry-after'), refused.headers.get('x-request-cost')]).toEqual(['5', '0']);
    expect(await refused.json()).toMatchObject({ error: { code: 'service_unavailable' } });
    expect((await get('/v2/directory?limit=5')).status).toBe(200);
    expect(await ready()).toBe(true);
  }
  await sleep(3_000);
  // Each process says so once.
  expect(said('components that need it wait')).toBe(before + 1);
  expect(saidByApi('components that need it wait')).toBe(beforeByApi + 1);
  await node.start();
  await goesOn();
  await until('it says so', () => said('event log available again') > 0);
  await until('the log is there again', isLogThere);
  await withProgram(({ db, log }) => allFollowed(db, log, projections));
  const answer = await get('/v2/directory?limit=5');
  expect(answer.status).toBe(200);
  expect(((await answer.json()) as { data: unknown[] }).data.length).toBeGreaterThan(0);
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.err()).not.toContain('level":60');
});

it('a service on EventStoreDB serves the catalog although the log is unavailable at start-up', async () => {
  node.stop();
  const service = home.start(['start', '--role', 'api']);
  const api = (await service.says(/"api":"(http:\/\/127\.0\.0\.1:\d+)\/v2\/"/))[1] as string;
  const get = (path: string) => fetch(`${api}/v2${path}`, { headers: { authorization: `Bearer ${key}` } });
  const answer = await get('/directory?limit=5');
  expect(answer.status).toBe(200);
  expect(((await answer.json()) as { data: unknown[] }).data.length).toBeGreaterThan(0);
  expect((await get('/accounts/x/somebody/live')).status).toBe(503);
  expect((await fetch(`${api}/readyz`)).status).toBe(200);
  expect(await service.end('SIGTERM')).toBe(0);
  // Who can do nothing without it says so, and ends.
  const crawling = await home.run(['start', '--role', 'crawl']);
  expect(crawling.code).not.toBe(0);
  expect(crawling.err + crawling.out).toContain("EVENT_LOG_URL can't be used");
  await node.start();
});

it('a service on EventStoreDB keeps no events in Postgres, and its read models equal a rebuild', async () => {
  await withProgram(async (program) => {
    const { db, log } = program;
    const { rows } = await db.query<{ n: number }>(sql`select count(*)::int as n from log.events`);
    expect(rows).toEqual([{ n: 0 }]);
    const following = startProjections(program, null);
    await allFollowed(db, log, projections);
    await following.stop();
    await expectAsRebuilt(db, log, projections);
  });
});

it('a service on EventStoreDB can be read, exported, rebuilt and audited despite gaps in positions', async () => {
  const stored = node.store.records.filter(({ type }) => !type.startsWith('$'));
  const lines = (await good('events', 'export', '--format', 'ndjson'))
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
  const [first, second] = [lines[10], lines[14]];
  const stretch = await good('events', 'read', '--json', '--from', first.position, '--to', second.position);
  expect(stretch.split('\n').map((line) => JSON.parse(line).id)).toEqual(
    stored.slice(10, 15).map(({ id }) => id),
  );
  const since = lines[Math.floor(lines.length / 2)].recorded_at;
  // An export is noted at the end of the log.
  const last = ['--to', lines.at(-1).position];
  const later = await good('events', 'export', '--format', 'ndjson', '--since', since, ...last);
  expect(later.split('\n')).toHaveLength(lines.filter(({ recorded_at }) => recorded_at >= since).length);
  await good('projections', 'rebuild', 'directory');
  await good('projections', 'list');
  expect(await good('usage', 'audit')).toMatch(/tester|holder/i);
  const nowhere = await home.run(['events', 'read', '--from', String(BigInt(first.position) + 8n)]);
  expect(nowhere.code).toBe(2);
  expect(nowhere.err).toMatch(/^sightline: .*at the position of an event.*\n$/);
});

it('a service on EventStoreDB says what to do about a wrong address, and never prints the password', async () => {
  const dead = `127.0.0.1:${new URL(simulator.url).port}`;
  for (const [url, says] of [
    [`esdb://ops:hunter2@${dead}?tls=false`, /EVENT_LOG_URL can't be used: .*node listens there/],
    ['esdb://ops:hunter2@127.0.0.1:1?tls=false', /EVENT_LOG_URL can't be used: .*node listens there/],
    ['esdb://ops:hunter2@127.0.0.1?sslmode=off', /EVENT_LOG_URL has an unknown option: sslmode/],
    ['redis://ops:hunter2@127.0.0.1', /EVENT_LOG_URL is set to a secret value; allowed: .*esdb:\/\//],
  ] as const) {
    const { code, out, err } = await home.run(['events', 'read'], { EVENT_LOG_URL: url });
    expect([code, out], err).toEqual([2, '']);
    expect(err).toMatch(says);
    expect(err).not.toContain('hunter2');
  }
  const shown = await good('config');
  expect(shown).toContain('EVENT_LOG_URL');
  expect(shown).not.toContain(node.url);
});
