import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { projections } from '../../src/projections/registry.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { holderStream } from '../../src/write/holders/holder.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { createTestHome, type RunningProgram, type TestHome } from '../support/cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { faultCount } from '../support/faults.ts';
import { live } from '../support/generated-histories.ts';
import { describeWithKafka, openTestKafka, type TestKafka, untilGivenUp } from '../support/kafka.ts';
import { readinessAt } from '../support/readiness.ts';
import { allFollowed, expectAsRebuilt } from '../support/rebuilt.ts';
import { until } from '../support/wait.ts';

const KILLS = faultCount(20, 5);
/** Events that are appended while a broker is stopped. */
const OUTAGE_EVENTS = faultCount(20_000, 3_000);
const SEED = 11;

await describeWithKafka('processes of many roles, through Kafka', () => {
  let kafka: TestKafka;
  let database: TestDatabase;
  let home: TestHome;
  let log: EventLog;
  let seed = SEED;

  beforeAll(async () => {
    kafka = await openTestKafka();
  });
  afterAll(() => kafka.close());
  beforeEach(async () => {
    database = await createTestDatabase();
    log = withValidation(createPostgresLog(database.db, database.url, silentLogger), eventTypes);
    home = await createTestHome({
      PORT: '0',
      LOG_FORMAT: 'json',
      CRAWL_MODE: 'replay',
      DATABASE_URL: database.url,
      KAFKA_BROKERS: kafka.broker.address,
    });
    const data = { at: new Date().toISOString(), holder: 'tester', name: 'Tester' };
    await log.append(
      holderStream('tester'),
      [{ id: uuidV7(0), type: 'HolderRegistered', data }],
      'no_stream',
    );
    seed += 1;
  });
  afterEach(async () => {
    await home.remove();
    await log.close();
    await database.drop();
  });

  const start = (role: string): RunningProgram => home.start(['start', '--role', role]);
  const up = (program: RunningProgram) => program.says(/"msg":"Sightline started"/);
  /** URL of a program that has started. */
  const healthOf = async (program: RunningProgram): Promise<string> => {
    await up(program);
    return (await program.says(/"health":"(http:\/\/127\.0\.0\.1:\d+)\/readyz"/))[1] as string;
  };

  /** Appends all the while that something else is done. */
  const underLoad = async (
    work: (random: Random, appended: () => number) => Promise<void>,
  ): Promise<void> => {
    let done = false;
    let appended = 0;
    const load = async () => {
      while (!done) {
        await live(log, seed, 100, appended);
        appended += 100;
        await sleep(100);
      }
    };
    const loading = load();
    await work(seededRandom(seed), () => appended).finally(() => {
      done = true;
    });
    await loading;
  };

  const expectWhole = async () => {
    await allFollowed(database.db, log, projections);
    await expectAsRebuilt(database.db, log, projections);
  };

  it(`processes of a cluster lose and double nothing when relays and workers are killed ${KILLS} times under load`, {
    tags: 'faults',
  }, async () => {
    const roles = ['relay', 'relay', 'project', 'project', 'project'];
    const running = roles.map(start);
    await Promise.all(running.map(up));
    await underLoad(async (random, appended) => {
      for (let n = 0; n < KILLS; n++) {
        const enough = appended() + random.int(1_000);
        await until('more was appended', () => appended() > enough);
        const victim = random.int(roles.length);
        await running[victim]?.end('SIGKILL');
        running[victim] = start(roles[victim] as string);
      }
      await until('enough was appended', () => appended() > 250 * KILLS);
    });
    await Promise.all(running.map(up));
    await expectWhole();
    for (const program of running) expect(await program.end('SIGTERM'), program.err()).toBe(0);
  });

  it('processes of a cluster continue without a frozen relay and worker, undisturbed when those wake', async () => {
    const [first, second] = [start('relay,project'), start('relay,project')];
    const urls = await Promise.all([first, second].map(healthOf));
    await underLoad(async (_, appended) => {
      for (const url of urls) {
        await until('each has a part of the partitions', async () =>
          /"detail":"[1-9]\d* partitions assigned"/.test(await (await fetch(`${url}/readyz`)).text()),
        );
      }
      await until('enough was appended', () => appended() > 1_000);
    });
    await allFollowed(database.db, log, projections);
    first.child.kill('SIGSTOP');
    await underLoad(async (_, appended) => {
      await until('more was appended', () => appended() > 1_000);
      await allFollowed(database.db, log, projections);
      first.child.kill('SIGCONT');
      // It answers again, and has done what was left to it.
      await until('it responds', async () => (await fetch(`${urls[0]}/livez`)).ok);
      const enough = appended() + 1_000;
      await until('still more was appended', () => appended() > enough);
    });
    await expectWhole();
    expect(await first.end('SIGTERM'), first.err()).toBe(0);
    expect(await second.end('SIGTERM'), second.err()).toBe(0);
  });

  it(`processes of a cluster wait for a broker that is down for ${OUTAGE_EVENTS} events, serve what needs none, and catch up`, {
    tags: 'faults',
  }, async () => {
    const running = [start('relay'), start('project'), start('project')];
    const urls = await Promise.all(running.map(healthOf));
    const load = (events: number) =>
      underLoad((_, appended) =>
        until('enough was appended', () => appended() > events).then(() => undefined),
      );
    await load(1_000);
    await allFollowed(database.db, log, projections);
    await kafka.broker.stop();
    await load(OUTAGE_EVENTS);
    // Each has waited for the broker for longer than it waits for an answer.
    for (const url of urls) {
      await until(
        'it reports that the broker is away',
        async () => (await fetch(`${url}/readyz`)).status === 503,
      );
    }
    // These follow the log itself.
    await allFollowed(
      database.db,
      log,
      projections.filter(({ order }) => order === 'global'),
    );
    await kafka.broker.start();
    await load(500);
    await expectWhole();
    for (const program of running) expect(await program.end('SIGTERM'), program.err()).toBe(0);
  });

  it('processes of a cluster report their health individually', async () => {
    const program = start('project,relay');
    const [, url] = await program.says(/"health":"(http:\/\/127\.0\.0\.1:\d+)\/readyz"/);
    expect(program.err()).not.toContain('"api"');
    await live(log, seed, 100);
    await until('it is ready', async () => (await fetch(`${url}/readyz`)).status === 200);
    await allFollowed(database.db, log, projections);
    const metrics = await until('all is handed out', async () => {
      const text = await (await fetch(`${url}/metrics`)).text();
      return /^sightline_relay_lag_events 0$/m.test(text) && text;
    });
    expect(metrics).toMatch(/^sightline_relay_published_events_total\{topic="sightline\.accounts"\} \d+$/m);
    expect(metrics).toMatch(/^sightline_projection_lag_events\{projection="accounts"\} 0$/m);
    expect(metrics).toMatch(/^process_cpu_seconds_total/m);
    expect((await fetch(`${url}/v2/`)).status).toBe(404);
    const checkOf = async (wanted: string, at = url) => {
      const { checks } = await readinessAt(`${at}/readyz`);
      return checks.find(({ name }) => name === wanted);
    };
    const relayCheck = (at = url) => checkOf('relay', at);
    expect(await checkOf('worker accounts')).toMatchObject({ ok: true, detail: '64 partitions assigned' });
    expect(await relayCheck()).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/has the lease.*last published at 20/),
    });
    const second = start('relay');
    const [, other] = await second.says(/"health":"(http:\/\/127\.0\.0\.1:\d+)\/readyz"/);
    await until('the second is ready', async () => (await fetch(`${other}/readyz`)).status === 200);
    expect(await relayCheck(other)).toMatchObject({ ok: true, detail: expect.stringContaining('standby') });
    expect(await program.end('SIGTERM')).toBe(0);
  });

  it('processes of a cluster report unavailable brokers, and stop although they do not respond', async () => {
    const [relay, worker] = [start('relay'), start('project')];
    const [url, workerUrl] = await Promise.all(
      [relay, worker].map(async (program) => {
        const [, found] = await program.says(/"health":"(http:\/\/127\.0\.0\.1:\d+)\/readyz"/);
        return found;
      }),
    );
    const ready = (at = url) => fetch(`${at}/readyz`).then(({ status }) => status === 200);
    await until('both are ready', async () => (await ready()) && (await ready(workerUrl)));
    await kafka.broker.stop('SIGKILL');
    await live(log, seed, 100);
    await until('it is not ready', async () => {
      const response = await fetch(`${url}/readyz`);
      return response.status === 503 && (await response.text()).includes('brokers unavailable');
    });
    await until('nor is the worker', async () => {
      const response = await fetch(`${workerUrl}/readyz`);
      return response.status === 503 && (await response.text()).includes('joining the consumer group');
    });
    await kafka.broker.start();
    await until('both are ready again', async () => (await ready()) && (await ready(workerUrl)));
    kafka.broker.freeze();
    try {
      await live(log, seed, 100, 100);
      const ended = await Promise.race([relay.end('SIGTERM'), untilGivenUp(kafka)]);
      expect(ended, relay.err()).toBe(0);
    } finally {
      kafka.broker.thaw();
    }
  });

  it('processes of a cluster are refused an unknown role, or one without work', async () => {
    const wrong = await home.run(['start', '--role', 'api,chef']);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('"chef" is no role. They are: api, crawl, project, relay');
    const idle = await home.run(['start', '--role', 'relay'], { KAFKA_BROKERS: '' });
    expect(idle.code).toBe(2);
    expect(idle.err).toContain('set KAFKA_BROKERS');
  });
});
