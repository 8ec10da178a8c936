import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedsOf } from '../../infra/simulator/ground-truth.ts';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { PLATFORMS } from '../../infra/simulator/simulated-platforms.ts';
import { projections } from '../../src/projections/registry.ts';
import { createTestHome, type RunningProgram, type TestHome } from '../support/cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openNode, type TestNode } from '../support/eventstore/server.ts';
import { describeWithKafka, openTestKafka, type TestKafka } from '../support/kafka.ts';
import { until } from '../support/wait.ts';

const SEED = 6;
const ROLES = ['relay', 'project', 'project', 'crawl', 'api'];

await describeWithKafka('all of it in processes of their own, on EventStoreDB, Kafka and Postgres', () => {
  let simulator: Simulator;
  let node: TestNode;
  let kafka: TestKafka;
  let database: TestDatabase;
  let home: TestHome;
  let key: string;

  const good = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await home.run(args);
    expect(code, err).toBe(0);
    return out.trim();
  };

  beforeAll(async () => {
    [simulator, node, kafka, database] = await Promise.all([
      startSimulator({ seed: SEED, size: 300 }),
      openNode(),
      openTestKafka(),
      createTestDatabase(),
    ]);
    home = await createTestHome({
      PORT: '0',
      LOG_FORMAT: 'json',
      SIMULATOR_URL: simulator.url,
      DATABASE_URL: database.url,
      EVENT_LOG_URL: node.url,
      KAFKA_BROKERS: kafka.broker.address,
      CRAWL_RATE_PER_S: '40',
      CRAWL_RETRY_S: '1',
      X_BEARER_TOKEN: 'simulated',
      X_GUEST_TOKEN: 'simulated',
    });
  });
  afterAll(async () => {
    await home.remove();
    await Promise.all([kafka.close(), simulator.close(), node.close()]);
    await database.drop();
  });

  it('roles in processes of their own crawl, publish, project and serve; read models equal a rebuild; all stop cleanly', async () => {
    const running = ROLES.map((role): RunningProgram => home.start(['start', '--role', role]));
    const api = running.at(-1) as RunningProgram;
    const url = (await api.says(/"api":"(http:\/\/127\.0\.0\.1:\d+)\/v2\/"/))[1] as string;
    await Promise.all(running.map((program) => program.says(/"msg":"Sightline started"/)));
    await good('holders', 'add', 'Tester', '--plan', 'enterprise');
    key = await good('keys', 'issue', 'tester');
    for (const platform of PLATFORMS) {
      await good('seeds', 'add', platform, ...seedsOf(simulator.world, platform, 4, Date.now()));
    }
    const get = (path: string) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const entries = async () => {
      const answer = await get('/v2/directory?limit=100');
      return answer.status === 200
        ? ((await answer.json()) as { data: { platform: string; handle: string }[] }).data
        : [];
    };
    await until('all platforms are in the directory', async () => {
      const platforms = new Set((await entries()).map(({ platform }) => platform));
      return platforms.size === PLATFORMS.length - 1;
    });
    await until('it is ready', async () => (await get('/readyz')).status === 200);
    // What the directory lists, which follows the log, the account check knows, which Kafka's workers keep.
    const [first] = await entries();
    await until('the account is known', async () => {
      const answer = await get(`/v2/accounts/${first?.platform}/${first?.handle}`);
      return answer.status === 200 && ((await answer.json()) as { data: { exists: boolean } }).data.exists;
    });
    for (const { name } of projections)
      expect(await good('projections', 'verify', name)).toMatch(/^\w+ matches the event log/);
    expect(await good('usage', 'audit')).toMatch(/tester|holder/i);
    for (const program of running) {
      expect(await program.end('SIGTERM'), program.err()).toBe(0);
      expect(program.err()).not.toMatch(/"level":(50|60)/);
    }
  });
});
