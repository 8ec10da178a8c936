import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { PLATFORMS } from '../../../src/kernel/platform.ts';
import { activeBuild, createBuild } from '../../../src/projections/builds/builds.ts';
import { rebuild } from '../../../src/projections/builds/rebuild.ts';
import { checkpointsOf, topicPartitions, topicsOf } from '../../../src/projections/checkpoints.ts';
import { groupOf, runWorker } from '../../../src/projections/consumer/runner.ts';
import { listParked, retryParked } from '../../../src/projections/dead-letters/operations.ts';
import { parkedStreams } from '../../../src/projections/dead-letters/parking.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { listStalls, recordStall } from '../../../src/projections/stalls.ts';
import { eventAt, subscription } from '../../../src/projections/subscription.ts';
import { verify } from '../../../src/projections/verify.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { openBatchApplier, openWriter } from '../../../src/projections/writer.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { createDecoder, type EventDecoder } from '../../../src/write/log/codec.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import { createPostgresLog } from '../../../src/write/log/postgres.ts';
import { partitionFor, partitionKey, readEnvelope, TOPICS } from '../../../src/write/messaging/message.ts';
import type { Messaging, StartFrom } from '../../../src/write/messaging/port.ts';
import { readRelayCheckpoint, runRelay } from '../../../src/write/messaging/relay.ts';
import { loadControl, skipEvent } from '../../../src/write/projection-control.ts';
import { differences } from '../../support/compare.ts';
import { faultCount } from '../../support/faults.ts';
import { live } from '../../support/generated-histories.ts';
import {
  describeWithKafka,
  listen,
  messagingOf,
  openTestKafka,
  type TestKafka,
} from '../../support/kafka.ts';
import { createTestProgram, sighted, type TestProgram, unchanged } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

const PLATFORM_PLACES = [...PLATFORMS].sort().join();
const REBALANCES = faultCount(40, 10);

await describeWithKafka('workers that share a projection', () => {
  let kafka: TestKafka;
  let program: TestProgram;
  let stops: (() => Promise<void>)[] = [];
  let appended = 0;

  beforeAll(async () => {
    kafka = await openTestKafka();
  });
  afterAll(() => kafka.close());
  beforeEach(async () => {
    program = await createTestProgram();
    appended = 0;
  });
  afterEach(async () => {
    for (const stop of stops.reverse()) await stop();
    stops = [];
    await program.close();
  });

  const started = (run: (signal: AbortSignal) => Promise<void>) => {
    const stopping = new AbortController();
    const running = run(stopping.signal);
    const stop = async () => {
      stopping.abort();
      await running;
    };
    stops.push(stop);
    return stop;
  };

  const own = () => ({
    db: program.database.db,
    connectionString: program.database.url,
    log: program.log,
    logger: silentLogger,
  });

  const relay = (messaging: Messaging = kafka.messaging) =>
    started((signal) => runRelay({ ...own(), messaging, signal, retentionMs: 86_400_000 }));

  const worker = (
    projection: Projection = accounts,
    {
      messaging = messagingOf(kafka.broker),
      decoder = createDecoder(eventTypes),
    }: { messaging?: Messaging; decoder?: EventDecoder } = {},
  ) => started((signal) => runWorker(projection, { ...own(), messaging, decoder, signal }));

  const append = async (count: number) => {
    await live(program.log, 7, count, appended);
    appended += count;
  };

  const schemaOf = async (projection: Projection = accounts) =>
    (await activeBuild(program.database.db, projection.name, projection.version))?.schema ?? '';

  const followed = async (projection: Projection = accounts) => {
    const head = await program.log.head();
    await until('all partitions have followed', async () => {
      const at = await checkpointsOf(program.database.db, await schemaOf(projection));
      return at.size > 0 && [...at.values()].every((position) => position >= head);
    });
  };

  /** The rows are those of a rebuild. */
  const expectSame = async (projection: Projection = accounts) => {
    await followed(projection);
    const check = { ...projection, name: `check_${projection.name}` };
    const { schema } = await rebuild(check, { ...own(), signal: new AbortController().signal, graceMs: 0 });
    expect(await differences(program.database.db, await schemaOf(projection), schema)).toEqual([]);
  };

  const atPlaces = async () =>
    [...(await checkpointsOf(program.database.db, await schemaOf())).keys()].sort();

  it('consumers apply what the relay publishes, each partition at its own position', {
    tags: 'long',
  }, async () => {
    await append(500);
    relay();
    worker();
    worker();
    await followed();
    expect(await atPlaces()).toEqual([...topicPartitions(accounts)].sort());
    await append(1_000);
    await expectSame();
    expect(await atPlaces()).toEqual([...topicPartitions(accounts)].sort());
  });

  it('consumers begin in Kafka where their rows stand, or about when those were recorded', {
    tags: 'long',
  }, async () => {
    const begun: (StartFrom | null)[] = [];
    const noting: Messaging = {
      ...messagingOf(kafka.broker),
      consume: (consumption) =>
        messagingOf(kafka.broker).consume({
          ...consumption,
          onPartitionsAssigned: async (share) => {
            const all = await consumption.onPartitionsAssigned(share);
            begun.push(...all);
            return all;
          },
        }),
    };
    relay();
    await append(200);
    const startedMs = Date.now();
    const stop = worker(accounts, { messaging: noting });
    await followed();
    await stop();
    expect(begun).toHaveLength(64);
    for (const beginning of begun) {
      const { fromMs } = beginning as { fromMs: number };
      expect(fromMs).toBeGreaterThan(startedMs - 3_600_000);
      expect(fromMs).toBeLessThan(startedMs);
    }
    begun.length = 0;
    worker(accounts, { messaging: noting });
    await append(200);
    await expectSame();
    // Where nothing was read in a partition there is no offset to go on from.
    const offsets = begun.flatMap((beginning) =>
      beginning !== null && 'offset' in beginning ? [beginning.offset] : [],
    );
    expect(offsets.length).toBeGreaterThan(20);
    expect(offsets.every((offset) => offset > 0n)).toBe(true);
  });

  it('consumers lose and double nothing when their number goes from 1 to 3 to 1 under load', {
    tags: 'long',
  }, async () => {
    relay();
    const first = worker();
    await append(300);
    await followed();
    const others = [worker(), worker()];
    await append(700);
    await first();
    await append(300);
    await others[0]?.();
    await append(200);
    await expectSame();
  });

  it(`consumers lose and double nothing while the group is rebalanced ${REBALANCES} times`, {
    tags: ['faults', 'long'],
  }, async () => {
    relay();
    let shares = 0;
    const counting: Messaging = {
      ...messagingOf(kafka.broker),
      consume: (consumption) =>
        messagingOf(kafka.broker).consume({
          ...consumption,
          onPartitionsAssigned: (share) => {
            shares += 1;
            return consumption.onPartitionsAssigned(share);
          },
        }),
    };
    worker(accounts, { messaging: counting });
    worker();
    let done = false;
    const load = async () => {
      while (!done) {
        await append(20);
        await sleep(20);
      }
    };
    const loading = load();
    while (shares < REBALANCES) {
      const before = shares;
      // A member of the same group that takes its share and does nothing with it.
      const stranger = listen(
        messagingOf(kafka.broker),
        topicsOf(accounts).map(({ topic }) => topic),
        groupOf(accounts),
      );
      await until('it has joined', () => shares > before);
      await stranger.close();
      await until('it has left', () => shares > before + 1);
    }
    done = true;
    await loading;
    await expectSame();
  });

  it('consumers read from the log what was never sent, lost, or expired', {
    tags: 'long',
  }, async () => {
    await append(300);
    const stopRelay = relay();
    const stop = worker();
    await followed();
    await stop();
    await stopRelay();
    // None of these ever comes; then others do.
    await append(300);
    const { db } = program.database;
    await db.query(
      "update relay.checkpoints set position = $1, last_published = '{}', start_position = $1, updated_at = now()",
      [String(await program.log.head())],
    );
    relay();
    await append(100);
    worker();
    await expectSame();
  });

  it('consumers read from the log what the relay sent and Kafka does not deliver', {
    tags: 'long',
  }, async () => {
    const lossy: Messaging = {
      ...kafka.messaging,
      openProducer: async () => ({ send: async () => undefined, close: async () => undefined }),
    };
    relay(lossy);
    worker();
    await append(200);
    await expectSame();
  });

  it('consumers are not moved by a second relay that repeats everything at new offsets', {
    tags: 'long',
  }, async () => {
    await append(400);
    relay();
    worker();
    await followed();
    const before = await schemaOf();
    await program.database.db.query(
      "update relay.checkpoints set position = 0, last_published = '{}', start_position = 0",
    );
    await append(200);
    await expectSame();
    expect(await schemaOf()).toBe(before);
  });

  it('consumers ignore messages of another log', { tags: 'long' }, async () => {
    relay();
    worker();
    await append(50);
    await followed();
    const other = await createTestProgram();
    const stopping = new AbortController();
    await other.append('x', 'stranger', sighted('stranger', '2026-06-01T00:00:00.000Z'));
    const running = runRelay({
      db: other.database.db,
      connectionString: other.database.url,
      log: other.log,
      messaging: kafka.messaging,
      logger: silentLogger,
      signal: stopping.signal,
      retentionMs: 86_400_000,
    });
    const sent = async () =>
      (await other.database.db.query('select 1 from relay.checkpoints where position > 0')).rowCount === 1;
    await until('the other log is sent', sent);
    stopping.abort();
    await running;
    await other.close();
    await append(100);
    await expectSame();
    const { rows } = await program.database.db.query(
      `select 1 from ${await schemaOf()}.accounts where handle = 'stranger'`,
    );
    expect(rows).toEqual([]);
  });

  /** A projection that can't apply a reading whose biography says so, for as long as it is poison. */
  const pickyOf = (base: Projection, name: string, isPoison = () => true): Projection => ({
    ...base,
    name,
    open: (schema) => {
      const inner = base.open(schema);
      return {
        ...inner,
        apply: (event) => {
          const { profile } = event.data as { profile?: { bio?: string } };
          if (profile?.bio === 'poison' && isPoison()) throw new Error('poison');
          inner.apply(event);
        },
      };
    },
  });

  it('consumers park the stream of a poison event, and apply it on a retry, in whichever worker', {
    tags: 'long',
  }, async () => {
    let poison = true;
    const picky = pickyOf(accounts, 'parking', () => poison);
    const { db } = program.database;
    relay();
    const stops = [worker(picky), worker(picky)];
    await append(100);
    await followed(picky);
    const read = (minute: number, bio: string, followers: number) =>
      program.append(
        'x',
        'parked',
        sighted('parked', `2026-06-01T00:0${minute}:00.000Z`, { bio, followers }),
      );
    await read(1, 'well', 1);
    await read(2, 'poison', 2);
    await read(3, 'well again', 3);
    await append(300);
    await followed(picky);
    expect(await listStalls(db)).toEqual([]);
    const followers = async () => {
      const { rows } = await db.query<{ followers: string }>(
        `select followers from ${await schemaOf(picky)}.accounts where handle = 'parked'`,
      );
      return rows[0]?.followers;
    };
    expect(await followers()).toBe('1');
    expect(await listParked(program.log, [picky])).toMatchObject([{ stream: 'account-x:parked' }]);
    const verified = () => verify(picky, { ...own(), signal: new AbortController().signal, max: 5 });
    expect((await verified()).differences).toEqual([]);

    // Fails again: what stands between the retry and the new hold changes nothing.
    await retryParked(program.log, [picky], 'account-x:parked', 'a test');
    await until('it is parked again', async () => {
      return (await loadControl(program.log, picky)).sequences.get('account-x:parked')?.length === 2;
    });
    expect((await verified()).differences).toEqual([]);

    // Retried while nobody has the partition, which moves on before anybody knows of it.
    for (const stop of stops) await stop();
    poison = false;
    await retryParked(program.log, [picky], 'account-x:parked', 'mended');
    await read(4, 'well', 4);
    worker(picky);
    await append(100);
    await followed(picky);
    await until('it is applied', async () => (await followers()) === '4');
    expect((await parkedStreams(db, await schemaOf(picky))).size).toBe(0);
    expect((await verified()).differences).toEqual([]);
  });

  it('consumers stall only the partition of a poison event, and resume it after a skip', {
    tags: 'long',
  }, async () => {
    const { parks: _, ...unparking } = accounts;
    const picky = pickyOf(unparking, 'picky');
    relay();
    worker(picky);
    worker(picky);
    await append(100);
    await followed(picky);
    await program.append('x', 'nasa', sighted('nasa', '2026-06-01T00:00:00.000Z', { bio: 'poison' }));
    const position = await program.log.head();
    await append(300);
    const partition = partitionFor('account-x:nasa');
    const name = partitionKey(String(partition?.topic.name), partition?.partition ?? -1);
    const head = await program.log.head();
    const { db } = program.database;
    await until('all the others have followed', async () => {
      const at = await checkpointsOf(db, await schemaOf(picky));
      return [...at].every(([where, reached]) => where === name || reached >= head);
    });
    const [stop] = await until('the stop is told', async () => {
      const list = await listStalls(db);
      return list.length > 0 && list;
    });
    expect(stop).toMatchObject({ projection: 'picky', partition: name, position });
    expect((await checkpointsOf(db, await schemaOf(picky))).get(name)).toBeLessThan(position);
    const event = await eventAt(program.log, position);
    if (event === null) throw new Error('the event is in the log');
    // As a process without Kafka would have left it.
    await recordStall(db, picky, event, 'poison', 'all');
    await skipEvent(program.log, picky, event, 'a test', Date.now());
    await followed(picky);
    await until('nothing stands any more', async () => (await listStalls(db)).length === 0);
  });

  it('consumers read from the log what is too large for a message, and what follows', {
    tags: 'long',
  }, async () => {
    relay();
    worker();
    await program.append('x', 'large', sighted('large', '2026-06-01T00:00:00.000Z', { followers: 1 }));
    // As before events were bounded.
    const raw = createPostgresLog(program.database.db, program.database.url, silentLogger);
    const { data } = sighted('large', '2026-06-01T00:01:00.000Z', {
      followers: 2,
      bio: 'x'.repeat(5_000_000),
    });
    await raw.append('account-x:large', [{ id: uuidV7(Date.now()), type: 'AccountSighted', data }], 'any');
    await raw.close();
    await program.append('x', 'large', unchanged('2026-06-01T00:02:00.000Z', { followers: 3 }));
    await append(50);
    await expectSame();
    const { rows } = await program.database.db.query<{ followers: string }>(
      `select followers from ${await schemaOf()}.accounts where handle = 'large'`,
    );
    expect(rows).toEqual([{ followers: '3' }]);
  });

  it('consumers apply nothing that was erased', async () => {
    relay();
    const handle = 'withheld';
    const decoder = createDecoder(eventTypes, {
      isOpen: false,
      isUndone: () => false,
      pass: ({ stream, data }) => (stream.endsWith(`:${handle}`) ? null : data),
    });
    worker(accounts, { decoder });
    await program.append('x', handle, sighted(handle, '2026-06-01T00:00:00.000Z'));
    await program.append('x', 'seen', sighted('seen', '2026-06-01T00:00:00.000Z'));
    await followed();
    const { rows } = await program.database.db.query<{ handle: string }>(
      `select handle from ${await schemaOf()}.accounts`,
    );
    expect(rows.map((row) => row.handle)).toEqual(['seen']);
  });

  it('consumers return a build to a process that follows the log, and take it over again', {
    tags: 'long',
  }, async () => {
    relay();
    const stop = worker();
    await append(300);
    await followed();
    await stop();
    await append(200);
    const { db } = program.database;
    // Places that stand apart: one has come further, and each is caught up with from where it is.
    const partition = partitionFor('account-x:handle1');
    const name = partitionKey(String(partition?.topic.name), partition?.partition ?? -1);
    const from = (await checkpointsOf(db, await schemaOf())).get(name) as bigint;
    const head = await program.log.head();
    const events: RecordedEvent[] = [];
    for await (const page of program.log.readAll(from)) events.push(...page.events);
    const its = events.filter(({ stream }) => partitionFor(stream)?.partition === partition?.partition);
    expect(its.length).toBeGreaterThan(0);
    const applier = openBatchApplier(db, accounts, await schemaOf());
    await applier.apply([{ partition: name, from, endPosition: head, events: its }]);
    const direct = started((signal) => runProjection(accounts, { ...own(), signal }));
    await append(100);
    await until('it is divided by platform', async () => (await atPlaces()).join() === PLATFORM_PLACES);
    await expectSame();
    await direct();
    // One platform is further than the others: its process was the last to stop.
    await append(100);
    const ahead = await openWriter(db, accounts, await schemaOf(), undefined, ['x']);
    for await (const page of program.log.readAll(ahead.position(), subscription(accounts, ['x']))) {
      await ahead.write(page);
    }
    worker();
    await append(100);
    await until('it is in partitions', async () => (await atPlaces()).length === TOPICS[0]?.partitions);
    await expectSame();
  });

  it('consumers resume after a process followed the log directly, without a restart', {
    tags: 'long',
  }, async () => {
    relay();
    worker();
    await append(200);
    await followed();
    const direct = started((signal) => runProjection(accounts, { ...own(), signal }));
    await until('it was divided by platform', async () => (await atPlaces()).join() === PLATFORM_PLACES);
    await append(100);
    await direct();
    await append(100);
    await expectSame();
    expect(await atPlaces()).toEqual([...topicPartitions(accounts)].sort());
  });

  it('consumers apply nothing of a lost incarnation of the database', { tags: 'long' }, async () => {
    const { db } = program.database;
    const stopRelay = relay();
    await append(100);
    await until('all was sent', async () => ((await readRelayCheckpoint(db))?.position ?? 0n) >= 100n);
    await stopRelay();
    // The brokers have events that the log, gone back, no longer has; and it gives their positions to others.
    await db.query('delete from log.events where position > 50');
    await db.query(
      "update relay.checkpoints set position = 50, last_published = '{}', incarnation = 'another incarnation'",
    );
    await live(program.log, 8, 50, 0);
    worker();
    relay();
    await append(100);
    await expectSame();
    const { rows } = await db.query<{ n: number }>('select max(position)::int as n from log.events');
    expect(rows[0]?.n).toBe(200);
  });

  it('consumers do not fetch the same again while much waits, or while a partition is stalled', {
    tags: 'long',
  }, async () => {
    await append(4_000);
    const poisoned = await program.log.head();
    const picky: Projection = {
      ...accounts,
      name: 'patient',
      open: (schema) => {
        const inner = accounts.open(schema);
        return {
          ...inner,
          apply: (event) => {
            if (event.position === poisoned + 1n) throw new Error('poison');
            inner.apply(event);
          },
        };
      },
    };
    await append(8_000);
    const head = await program.log.head();
    let handed = 0;
    let ownLog: string | undefined;
    const counting: Messaging = {
      ...kafka.messaging,
      consume: (consumption) =>
        kafka.messaging.consume({
          ...consumption,
          handle: (partition, messages) => {
            // Those of other tests are on the same broker.
            handed += messages.filter((message) => readEnvelope(message).logId === ownLog).length;
            return consumption.handle(partition, messages);
          },
        }),
    };
    relay();
    await until(
      'all is sent',
      async () => ((await readRelayCheckpoint(program.database.db))?.position ?? 0n) >= head,
    );
    ownLog = (await readRelayCheckpoint(program.database.db))?.logId;
    // The build is made without what is sent: it begins at the start, in Kafka.
    const { schema } = await createBuild(program.database.db, picky, 'active');
    worker(picky, { messaging: counting });
    const name = (await eventAt(program.log, poisoned + 1n))?.stream ?? '';
    const partition = partitionFor(name);
    const stalled = partitionKey(String(partition?.topic.name), partition?.partition ?? -1);
    await until('all the others have followed', async () => {
      const at = await checkpointsOf(program.database.db, schema);
      return at.size > 1 && [...at].every(([where, reached]) => where === stalled || reached >= head);
    });
    expect(handed).toBeGreaterThan(4_000);
    expect(handed).toBeLessThan(2 * Number(head));
  });

  it('consumers continue while a topic is deleted and recreated', { tags: 'long' }, async () => {
    relay();
    worker();
    await append(200);
    await followed();
    const client = new Kafka({ brokers: [kafka.broker.address], logLevel: logLevel.NOTHING });
    const admin = client.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [TOPICS[0]?.topic ?? ''] });
    await admin.disconnect();
    await append(200);
    await expectSame();
  });

  it('consumers continue in the build that a rebuild activated', { tags: 'long' }, async () => {
    relay();
    worker();
    await append(300);
    await followed();
    const before = await schemaOf();
    await rebuild(accounts, { ...own(), signal: new AbortController().signal, graceMs: 0 });
    await append(200);
    await expectSame();
    expect(await schemaOf()).not.toBe(before);
  });
});
