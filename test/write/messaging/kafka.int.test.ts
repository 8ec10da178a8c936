import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConsumerOptions, OutgoingMessage, StartFrom } from '../../../src/write/messaging/port.ts';
import { describeWithKafka, openTestKafka, type TestKafka } from '../../support/kafka.ts';
import { until } from '../../support/wait.ts';

const TOPIC = { topic: 'sightline.trial', partitions: 2 };
const NOON = Date.parse('2026-11-21T12:00:00.000Z');
const MINUTE = 60_000;

/** Message n of a partition, recorded n minutes after noon. */
const message = (partition: number, n: number): OutgoingMessage => ({
  topic: TOPIC.topic,
  partition,
  key: `account-x:${partition}`,
  value: String(n),
  headers: { position: String(n) },
  timestampMs: NOON + n * MINUTE,
});

await describeWithKafka('a consumer', () => {
  let kafka: TestKafka;
  let groups = 0;

  beforeAll(async () => {
    kafka = await openTestKafka();
    await kafka.messaging.ensureTopics([TOPIC]);
    const producer = await kafka.messaging.openProducer();
    const all = Array.from({ length: 20 }, (_, n) => [message(0, n), message(1, n)]);
    await producer.send(all.flat());
    await producer.close();
  });
  afterAll(() => kafka.close());

  /** What comes, by partition, until the last message of both has come. */
  const consumed = async (beginning: StartFrom | null, handle?: ConsumerOptions['handle']) => {
    const came: number[][] = [[], []];
    const stop = new AbortController();
    const running = kafka.messaging.consume({
      group: `trial-${groups++}`,
      topics: [TOPIC.topic],
      signal: stop.signal,
      onPartitionsAssigned: async (share) => share.map(() => beginning),
      handle: async (where, messages) => {
        const rest = (await handle?.(where, messages)) ?? null;
        const taken = messages.filter(({ offset }) => rest === null || offset < rest.offset);
        came[where.partition]?.push(...taken.map(({ value }) => Number(value)));
        return rest;
      },
    });
    await until('all have come', () => came.every((numbers) => numbers.includes(19)));
    stop.abort();
    await running;
    return came;
  };

  const from = (n: number) => Array.from({ length: 20 - n }, (_, i) => n + i);

  it('a consumer starts at the oldest message, an offset, or a time', { tags: 'long' }, async () => {
    expect(await consumed(null)).toEqual([from(0), from(0)]);
    expect(await consumed({ offset: 12n })).toEqual([from(12), from(12)]);
    expect(await consumed({ fromMs: NOON + 15 * MINUTE })).toEqual([from(15), from(15)]);
    expect(await consumed({ fromMs: NOON + 14.5 * MINUTE })).toEqual([from(15), from(15)]);
  });

  it('a consumer gets what it did not take again, for that partition only, after a while', {
    tags: 'long',
  }, async () => {
    let refusals = 0;
    const came = await consumed(null, async ({ partition }, messages) => {
      const refused = messages.find(({ offset }) => offset >= 7n);
      if (partition === 1 || refused === undefined || refusals === 3) return null;
      refusals += 1;
      return { offset: refused.offset, delayMs: 20 };
    });
    expect(came).toEqual([from(0), from(0)]);
    expect(refusals).toBe(3);
  });

  it('topics that exist close their segments within a day, and keep their other settings', async () => {
    const client = new Kafka({ brokers: [kafka.broker.address], logLevel: logLevel.NOTHING });
    const admin = client.admin();
    const own = { 'retention.ms': '7200000', 'cleanup.policy': 'delete' };
    const made = { older: own, shorter: { ...own, 'segment.ms': '3600000' } };
    const settingsOf = async (topic: string) => {
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
      });
      const entries = resources.flatMap(({ configEntries }) => configEntries);
      return Object.fromEntries(
        entries.filter(({ isDefault }) => !isDefault).map((one) => [one.configName, one.configValue]),
      );
    };
    await admin.connect();
    try {
      await admin.createTopics({
        waitForLeaders: true,
        topics: Object.entries(made).map(([topic, settings]) => ({
          topic,
          numPartitions: 1,
          configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
        })),
      });
      const before = { older: await settingsOf('older'), shorter: await settingsOf('shorter') };
      const topics = Object.keys(made).map((topic) => ({ topic, partitions: 1 }));
      for (let starts = 0; starts < 2; starts++) {
        await kafka.messaging.ensureTopics(topics);
        await until('the settings are there', async () => (await settingsOf('older'))['segment.ms']);
        expect(await settingsOf('older')).toEqual({ ...before.older, 'segment.ms': '86400000' });
        expect(await settingsOf('shorter')).toEqual(before.shorter);
      }
    } finally {
      await admin.disconnect();
    }
  });

  it('a consumer gets again what its handler failed on', async () => {
    let failures = 0;
    const came = await consumed(null, async ({ partition }) => {
      if (partition === 0 && failures < 2) {
        failures += 1;
        throw new Error('not now');
      }
      return null;
    });
    expect([...new Set(came[0])]).toEqual(from(0));
    expect(failures).toBe(2);
  });
});
