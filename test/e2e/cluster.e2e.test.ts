import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { projections } from '../../src/projections/registry.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { holderStream } from '../../src/write/holders/events.ts';
import { withValidation } from '../../src/write/log/codec/validating-log.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { createPostgresLog } from '../../src/write/log/postgres/index.ts';
import { createTestHome, type RunningProgram, type TestHome } from '../support/cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { faultCount } from '../support/faults.ts';
import { live } from '../support/generated-histories.ts';
import { describeWithKafka, openTestKafka, type TestKafka } from '../support/kafka.ts';
import { readinessAt } from '../support/readiness.ts';
import { allFollowed, expectAsRebuilt } from '../support/rebuilt.ts';
import { until } from '../support/wait.ts';

const KILLS = faultCount(20, 5);
/** In the full suite for longer than any session or request time-out. */
const OUTAGE_S = faultCount(20, 6);
const SEED = 11;
/** A program that waited for brokers that say nothing would take a minute. */
const STOP_LIMIT_MS = 50_000;

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

  it(`lose and double nothing when relays and workers are killed ${KILLS} times under load`, {
    tags: 'faults',
  }, async () => {
    const roles = ['relay', 'relay', 'project', 'project', 'project'];
    const running = roles.map(start);
    await Promise.all(running.map(up));
    await underLoad(async (random, appended) => {
      for (let n = 0; n < KILLS; n++) {
        await sleep(random.int(1_500));
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

  it('continue without a frozen relay and worker, undisturbed when those wake', async () => {
    const [first, second] = [start('relay,project'), start('relay,project')];
    await Promise.all([first, second].map(up));
    // By now it has leases, and a part of the places.
    await underLoad(() => sleep(3_000));
    await allFollowed(database.db, log, projections);
    first.child.kill('SIGSTOP');
    await underLoad(async () => {
      await sleep(2_000);
      await allFollowed(database.db, log, projections);
      first.child.kill('SIGCONT');
      await sleep(3_000);
    });
    await expectWhole();
    expect(await first.end('SIGTERM'), first.err()).toBe(0);
    expect(await second.end('SIGTERM'), second.err()).toBe(0);
  });

  it(`wait for a broker that is stopped for ${OUTAGE_S} s, while what needs none goes on, and catch up`, {
    tags: 'faults',
  }, async () => {
    const running = [start('relay'), start('project'), start('project')];
    await Promise.all(running.map(up));
    await underLoad(() => sleep(2_000));
    await allFollowed(database.db, log, projections);
    await kafka.broker.stop();
    await underLoad(() => sleep(OUTAGE_S * 1_000));
    // These follow the log itself.
    await allFollowed(
      database.db,
      log,
      projections.filter(({ order }) => order === 'global'),
    );
    await kafka.broker.start();
    await underLoad(() => sleep(1_000));
    await expectWhole();
    for (const program of running) expect(await program.end('SIGTERM'), program.err()).toBe(0);
  });

  it('tell how they are, each for itself', async () => {
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

  it('report that the brokers are unavailable, and stop although they do not respond', async () => {
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
      let code: number | null | undefined;
      void relay.end('SIGTERM').then((ended) => {
        code = ended;
      });
      await until('it has ended', () => code !== undefined, STOP_LIMIT_MS);
      expect(code, relay.err()).toBe(0);
    } finally {
      kafka.broker.thaw();
    }
  });

  it('are refused a role that there is not, or that has nothing to do', async () => {
    const wrong = await home.run(['start', '--role', 'api,chef']);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('"chef" is no role. They are: api, crawl, project, relay');
    const idle = await home.run(['start', '--role', 'relay'], { KAFKA_BROKERS: '' });
    expect(idle.code).toBe(2);
    expect(idle.err).toContain('set KAFKA_BROKERS');
  });
});
