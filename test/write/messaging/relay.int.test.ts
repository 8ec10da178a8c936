import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import { decodeMessage, partitionFor, readEnvelope, TOPICS } from '../../../src/write/messaging/message.ts';
import type { Messaging, Producer } from '../../../src/write/messaging/port.ts';
import { readRelayCheckpoint, runRelay } from '../../../src/write/messaging/relay.ts';
import { live } from '../../support/generated-histories.ts';
import {
  describeWithKafka,
  listen,
  openTestKafka,
  type Received,
  type TestKafka,
  untilGivenUp,
} from '../../support/kafka.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

const DAY_MS = 86_400_000;
const NAMES = TOPICS.map(({ topic }) => topic);

await describeWithKafka('the relay', () => {
  let kafka: TestKafka;
  let program: TestProgram;
  let stops: (() => Promise<void>)[] = [];
  let groups = 0;

  beforeAll(async () => {
    kafka = await openTestKafka();
  });
  afterAll(() => kafka.close());
  beforeEach(async () => {
    program = await createTestProgram();
  });
  afterEach(async () => {
    for (const stop of stops.reverse()) await stop();
    stops = [];
    await program.close();
  });

  const start = (messaging: Messaging = kafka.messaging, retentionMs = 7 * DAY_MS) => {
    const stopping = new AbortController();
    const running = runRelay({
      db: program.database.db,
      connectionString: program.database.url,
      log: program.log,
      messaging,
      logger: silentLogger,
      signal: stopping.signal,
      retentionMs,
    });
    const stop = async () => {
      stopping.abort();
      await running;
    };
    stops.push(stop);
    return stop;
  };

  /** What came of this test's log, by partition. */
  const received = async (all: readonly Received[]) => {
    const relayCheckpoint = await readRelayCheckpoint(program.database.db);
    const own = all.filter(({ message }) => readEnvelope(message).logId === relayCheckpoint?.logId);
    return Map.groupBy(own, ({ topic, partition }) => `${topic}/${partition}`);
  };

  const events = async (): Promise<RecordedEvent[]> => {
    const out: RecordedEvent[] = [];
    for await (const page of program.log.readAll(0n)) out.push(...page.events);
    return out;
  };

  /** Runs until the brokers have all that the log holds, and says what they have. */
  const relayed = async () => {
    const head = await program.log.head();
    await until(
      'all is sent',
      async () => ((await readRelayCheckpoint(program.database.db))?.position ?? 0n) >= head,
    );
    const ear = listen(kafka.messaging, NAMES, `ear-${process.pid}-${groups++}`);
    stops.push(ear.close);
    const wanted = (await events()).filter((event) => partitionFor(event.stream) !== null);
    await until('all is heard', async () => {
      const parts = await received(ear.received);
      const seen = new Set([...parts.values()].flat().map(({ message }) => readEnvelope(message).position));
      return seen.size >= wanted.length;
    });
    return { wanted, parts: await received(ear.received) };
  };

  /** What a reader keeps that drops what it has seen: it must miss nothing, and see everything in order. */
  const kept = (messages: readonly Received[]) => {
    let at = -1n;
    const out: Received[] = [];
    for (const one of messages) {
      const { position, previousPosition: after } = readEnvelope(one.message);
      if (position <= at) continue;
      if (at >= 0n) expect(after).toBeLessThanOrEqual(at);
      at = position;
      out.push(one);
    }
    return out;
  };

  const expectWhole = ({ wanted, parts }: Awaited<ReturnType<typeof relayed>>) => {
    const all = [...parts.values()].flatMap((messages) =>
      kept(messages).map(({ message }) => decodeMessage(message)),
    );
    const byPosition = [...all].sort((a, b) => Number(a.position - b.position));
    expect(byPosition).toEqual(wanted);
  };

  it('the relay sends each event once, in order, to its stream’s partition, each naming its predecessor', {
    tags: 'long',
  }, async () => {
    await live(program.log, 1, 600);
    await program.issueKey();
    const confirmed: bigint[] = [];
    const noting = (producer: Producer): Producer => ({
      ...producer,
      send: async (messages) => {
        await producer.send(messages);
        confirmed.push(...messages.map(({ headers }) => BigInt(headers.position ?? -1)));
      },
    });
    start({ ...kafka.messaging, openProducer: async () => noting(await kafka.messaging.openProducer()) });
    await live(program.log, 1, 600, 600);
    const { wanted, parts } = await relayed();
    expectWhole({ wanted, parts });
    expect(confirmed.toSorted((a, b) => Number(a - b))).toEqual(wanted.map(({ position }) => position));
    for (const messages of parts.values()) {
      let at = 0n;
      // What the brokers did not confirm in time is there again.
      for (const { topic, partition, message } of kept(messages)) {
        const assigned = partitionFor(String(message.key));
        expect([assigned?.topic.topic, assigned?.partition]).toEqual([topic, partition]);
        const { position, previousPosition: after } = readEnvelope(message);
        expect(after).toBe(at);
        at = position;
      }
    }
    // Holders' events are in the log, and never leave it.
    expect((await events()).some(({ stream }) => stream.startsWith('holder-'))).toBe(true);
    expect([...parts.values()].flat().some(({ message }) => String(message.key).startsWith('holder-'))).toBe(
      false,
    );
  });

  it('the relay publishes in one process at a time, and another resumes where it ended', {
    tags: 'long',
  }, async () => {
    await live(program.log, 2, 200);
    const [first] = [start(), start()];
    await relayed();
    await first();
    await live(program.log, 2, 200, 200);
    const { wanted, parts } = await relayed();
    expectWhole({ wanted, parts });
    const count = [...parts.values()].reduce((n, messages) => n + messages.length, 0);
    expect(count).toBe(wanted.length);
  });

  it('the relay publishes unacknowledged messages again, and no consumer misses or doubles anything', {
    tags: 'long',
  }, async () => {
    await live(program.log, 3, 300);
    let calls = 0;
    const inDoubt = (producer: Producer): Producer => ({
      ...producer,
      send: async (messages) => {
        calls += 1;
        // Taken, and the answer lost; then not taken at all.
        if (calls === 1) {
          await producer.send(messages);
          throw new Error('the answer was lost');
        }
        if (calls === 2) throw new Error('not taken');
        await producer.send(messages);
      },
    });
    start({ ...kafka.messaging, openProducer: async () => inDoubt(await kafka.messaging.openProducer()) });
    const { wanted, parts } = await relayed();
    expect([...parts.values()].flat().length).toBeGreaterThan(wanted.length);
    expectWhole({ wanted, parts });
  });

  it('the relay advances past events that it does not send', async () => {
    const sent: (string | undefined)[] = [];
    const noting = (producer: Producer): Producer => ({
      ...producer,
      send: (messages) => {
        sent.push(...messages.map(({ key }) => String(key)));
        return producer.send(messages);
      },
    });
    start({ ...kafka.messaging, openProducer: async () => noting(await kafka.messaging.openProducer()) });
    const passed = async () => {
      const head = await program.log.head();
      await until('the relay has passed all', async () => {
        return ((await readRelayCheckpoint(program.database.db))?.position ?? 0n) >= head;
      });
    };
    await program.issueKey();
    await passed();
    expect(sent).toEqual([]);
    await program.append('x', 'nasa', sighted('nasa', '2026-06-01T00:00:00.000Z'));
    await passed();
    // What the brokers did not confirm in time is sent again.
    expect(new Set(sent)).toEqual(new Set(['account-x:nasa']));
  });

  const holder = async (): Promise<number | undefined> => {
    const { rows } = await program.database.db.query<{ pid: number }>(
      `select l.pid from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.granted and a.application_name = 'sightline lease relay'
         and a.datname = current_database()`,
    );
    return rows[0]?.pid;
  };

  it('the relay gives way when another has advanced', async () => {
    await live(program.log, 4, 50);
    start();
    await relayed();
    const { db } = program.database;
    const before = await until('it holds the lease', holder);
    await db.query("update relay.checkpoints set position = position + 1000000, last_published = '{}'");
    await live(program.log, 4, 50, 50);
    await until('it asks anew where to go on', async () => (await holder()) !== before);
    expect((await readRelayCheckpoint(db))?.position).toBeGreaterThan(1_000_000n);
  });

  it('the relay refuses a topic with a changed number of partitions', async () => {
    const [accounts] = TOPICS;
    await kafka.messaging.ensureTopics(TOPICS);
    await expect(
      kafka.messaging.ensureTopics([{ topic: String(accounts?.topic), partitions: 3 }]),
    ).rejects.toThrow(/has 64 partitions instead of 3/);
  });

  /** Brokers that say nothing are asked for a minute otherwise. */
  const expectStops = async (stop: () => Promise<void>) => {
    expect(await Promise.race([stop().then(() => 'stopped'), untilGivenUp(kafka)])).toBe('stopped');
  };

  it('the relay stops although the brokers are silent, whatever it was doing', { tags: 'long' }, async () => {
    let sending = 0;
    const counted = (producer: Producer): Producer => ({
      ...producer,
      send: (messages) => {
        sending += 1;
        return producer.send(messages);
      },
    });
    const openProducer = async () => counted(await kafka.messaging.openProducer());
    const stop = start({ ...kafka.messaging, openProducer });
    await live(program.log, 6, 100);
    await relayed();
    sending = 0;
    const before = await readRelayCheckpoint(program.database.db);
    kafka.broker.freeze();
    try {
      await live(program.log, 6, 100, 100);
      await until('events are on their way', () => sending > 0);
      const next = start();
      await expectStops(stop);
      // This one has yet to reach them.
      await until('the other holds the lease', holder);
      await expectStops(next);
      expect((await readRelayCheckpoint(program.database.db))?.position).toBe(before?.position);
    } finally {
      kafka.broker.thaw();
    }
    start();
    expectWhole(await relayed());
  });

  it('the relay waits for unavailable brokers, and resumes when they are back', {
    tags: 'long',
  }, async () => {
    start();
    await live(program.log, 5, 100);
    await relayed();
    await kafka.broker.stop('SIGKILL');
    await live(program.log, 5, 100, 100);
    await kafka.broker.start();
    expectWhole(await relayed());
  });
});
