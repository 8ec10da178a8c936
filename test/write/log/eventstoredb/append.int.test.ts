import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uuidV5 } from '../../../../src/kernel/ids.ts';
import type { AppendLimits } from '../../../../src/write/log/eventstoredb/append.ts';
import {
  type EventLog,
  LogRequestRejectedError,
  LogUnavailableError,
} from '../../../../src/write/log/port.ts';
import { following, numbered, numbersOf, openTestLog, upTo } from '../../../support/eventstore/log.ts';
import { openNode, type TestNode } from '../../../support/eventstore/server.ts';
import { until } from '../../../support/wait.ts';

const closers: (() => Promise<void>)[] = [];
let node: TestNode;
let log: EventLog;

const open = (url = node.url, limits?: AppendLimits, keepAliveMs?: number): EventLog => {
  const opened = openTestLog(url, {
    ...(limits === undefined ? {} : { limits }),
    ...(keepAliveMs === undefined ? {} : { keepAliveMs }),
  });
  closers.unshift(() => opened.close());
  return opened;
};

const serve = async (options = {}): Promise<TestNode> => {
  const opened = await openNode(options);
  closers.push(() => opened.close());
  return opened;
};

beforeEach(async () => {
  node = await serve();
  log = open();
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('an append in doubt', () => {
  it.each(['breakAfterAppend', 'timeOutAfterAppend'] as const)(
    'is repeated until its outcome is known, and stands once: %s',
    async (fault) => {
      for (const expected of ['no_stream', 1n, 'any'] as const) {
        const before = node.calls.get('batchAppend') ?? 0;
        node.faults[fault] = 2;
        const outcome = await log.append('account-x:doubt', numbered(2), expected);
        expect(outcome).toMatchObject({
          status: 'appended',
          revision: expected === 'no_stream' ? 1n : expected === 1n ? 3n : 5n,
        });
        expect(node.faults[fault]).toBe(0);
        if (fault === 'breakAfterAppend')
          expect((node.calls.get('batchAppend') ?? 0) - before).toBeGreaterThan(1);
      }
      const read = await log.readStream('account-x:doubt');
      expect(numbersOf(read)).toEqual([0, 1, 0, 1, 0, 1]);
    },
  );

  it('is not repeated if the node refused it before doing anything', async () => {
    node.faults.refuse = 3;
    expect(await log.append('account-x:refused', numbered(1), 'no_stream')).toMatchObject({ revision: 0n });
    expect(node.faults.refuse).toBe(0);
  });

  it('stays in doubt while the node is gone, and is answered as the first time later', async () => {
    const short = open(node.url, { doubtMs: 300, tryMs: 10_000 });
    await short.append('account-x:gone', numbered(1), 'no_stream');
    const events = numbered(2, 1);
    node.faults.breakAfterAppend = 1_000;
    await expect(short.append('account-x:gone', events, 0n)).rejects.toThrow(LogUnavailableError);
    node.faults.breakAfterAppend = 0;
    expect(await short.append('account-x:gone', events, 0n)).toMatchObject({
      status: 'appended',
      revision: 2n,
    });
    expect(numbersOf(await log.readStream('account-x:gone'))).toEqual([0, 1, 2]);
  });

  it('is abandoned by a try that the node leaves unanswered despite keep-alive', async () => {
    const impatient = open(node.url, { doubtMs: 30_000, tryMs: 200 });
    node.faults.mute = true;
    const append = impatient.append('account-x:mute', numbered(1), 'no_stream');
    await until('it was tried over another call', () => (node.calls.get('batchAppend') ?? 0) > 1);
    node.faults.mute = false;
    expect(await append).toMatchObject({ status: 'appended', revision: 0n });
    expect(await log.readStream('account-x:mute')).toHaveLength(1);
  });

  it('is distinguished from one that lost a race meanwhile', async () => {
    await log.append('account-x:race', numbered(1), 'no_stream');
    node.faults.refuse = 5;
    const losing = log.append('account-x:race', numbered(1, 7), 0n);
    node.store.append('account-x:race', 0n, [
      {
        id: uuidV5('another'),
        type: 'Numbered',
        contentType: 'application/json',
        data: Buffer.from('{"n":1}'),
        metadata: Buffer.from(''),
      },
    ]);
    expect(await losing).toEqual({ status: 'conflict', revision: 1n });
    expect(numbersOf(await log.readStream('account-x:race'))).toEqual([0, 1]);
  });
});

describe('appends to a node that dies', () => {
  it('are all there once if acknowledged, in each stream’s order', async () => {
    const writers = Array.from({ length: 16 }, async (_, w) => {
      let revision: bigint | 'no_stream' = 'no_stream';
      for (let n = 0; n < 40; n++) {
        const outcome = await log.append(`account-x:w${w}`, numbered(1, n), revision);
        if (outcome.status !== 'appended') throw new Error(`writer ${w} met a conflict at ${n}`);
        revision = outcome.revision;
      }
    });
    for (let i = 0; i < 4; i++) {
      const stored = node.store.records.length;
      await until(
        'some were appended',
        () => node.store.records.length > stored + 50 || node.store.records.length > 600,
      );
      if (i % 2 === 0) {
        node.stop();
        await node.start();
      } else {
        node.drop();
      }
    }
    await Promise.all(writers);
    for (let w = 0; w < 16; w++) {
      expect(numbersOf(await log.readStream(`account-x:w${w}`))).toEqual(upTo(40));
    }
  });

  it('keep their order though one has to be repeated', async () => {
    node.faults.timeOutBeforeAppend = 1;
    node.faults.breakAfterAppend = 1;
    const outcomes = await Promise.all(
      upTo(30).map((n) =>
        log.append('account-x:queue', numbered(1, n), n === 0 ? 'no_stream' : BigInt(n - 1)),
      ),
    );
    expect(outcomes.every(({ status }) => status === 'appended')).toBe(true);
    expect(numbersOf(await log.readStream('account-x:queue'))).toEqual(upTo(30));
  });

  it('do not disturb those of the process’s other connection', async () => {
    const healthy = await serve();
    const other = open(healthy.url, undefined, 60_000);
    healthy.faults.delayMs = 5;
    const appends = upTo(60).map(async (n) => {
      const outcome = await other.append(`account-x:h${n}`, numbered(1, n), 'no_stream');
      expect(outcome).toMatchObject({ status: 'appended', revision: 0n });
    });
    node.faults.breakAfterAppend = 5;
    await Promise.all([
      ...appends,
      ...upTo(10).map((n) => log.append(`account-x:b${n}`, numbered(1), 'no_stream')),
    ]);
    expect(healthy.calls.get('batchAppend')).toBe(1);
  });
});

describe('many appends at once', () => {
  it('travel over one call, and are answered individually', async () => {
    const outcomes = await Promise.all(
      upTo(500).map((n) => log.append(`account-x:many${n}`, numbered(1 + (n % 3), n), 'no_stream')),
    );
    expect(outcomes.map((outcome) => outcome.status === 'appended' && outcome.revision)).toEqual(
      upTo(500).map((n) => BigInt(n % 3)),
    );
    expect(node.calls.get('batchAppend')).toBe(1);
    expect(numbersOf(await log.readStream('account-x:many499'))).toEqual([499, 500]);
  });
});

describe('the size of an append', () => {
  const sized = (bytes: number) =>
    ({ ...(numbered(1)[0] as object), data: { text: 'x'.repeat(bytes) } }) as never;

  it('is refused above the limit before anything is sent, without affecting others', async () => {
    await expect(log.append('account-x:big', [sized(2_000_000)], 'any')).rejects.toThrow(
      LogRequestRejectedError,
    );
    expect(node.calls.size).toBe(0);
    const [bad, good] = await Promise.allSettled([
      log.append('account-x:big', [sized(600_000), sized(600_000)], 'no_stream'),
      log.append('account-x:small', [sized(1_000_000)], 'no_stream'),
    ]);
    expect(bad).toMatchObject({
      status: 'rejected',
      reason: { name: 'LogRequestRejectedError', message: expect.stringContaining('1048576') },
    });
    expect(good.status).toBe('fulfilled');
    expect(await log.readStream('account-x:big')).toEqual([]);
  });

  it('is limited by the node where that is less, and nothing is written', async () => {
    const strict = await serve({ maxAppendSize: 2_000 });
    const other = open(strict.url);
    await expect(other.append('account-x:a', [sized(1_500), sized(1_500)], 'any')).rejects.toThrow(
      /accepts 2000 bytes/,
    );
    expect(await other.readStream('account-x:a')).toEqual([]);
    expect(await other.append('account-x:a', [sized(1_500)], 'any')).toMatchObject({ revision: 0n });
  });

  it('is at least one event, and an empty one is refused before it is sent', async () => {
    await expect(log.append('account-x:none', [], 'no_stream')).rejects.toThrow(LogRequestRejectedError);
    expect(node.calls.get('batchAppend')).toBeUndefined();
  });
});

describe('an append at any revision', () => {
  it('is recognized after the node lost its memory, however much came after it', async () => {
    const settled = [{ id: uuidV5('settled 1'), type: 'Numbered', data: { n: 0 } }];
    const fresh = numbered(2, 1);
    const first = await log.append('holder-a', settled, 'any');
    const second = await log.append('holder-a', fresh, 'any');
    await log.append('holder-a', numbered(700, 3), 'any');
    node.stop();
    await node.start();
    expect(await log.append('holder-a', settled, 'any')).toEqual(first);
    expect(await log.append('holder-a', fresh, 'any')).toEqual(second);
    expect(await log.readStream('holder-a')).toHaveLength(703);
  });

  it('succeeds among concurrent appends', async () => {
    const other = open();
    await Promise.all(upTo(40).map((n) => (n % 2 ? log : other).append('engine-x', numbered(1, n), 'any')));
    expect(numbersOf(await log.readStream('engine-x')).sort((a, b) => a - b)).toEqual(upTo(40));
  });
});

describe('an answer to an append', () => {
  it('is completed from the stream if it lacks positions', async () => {
    node.faults.noPositions = true;
    const outcome = await log.append('account-x:where', numbered(3), 'no_stream');
    const read = await log.readStream('account-x:where');
    expect(outcome).toEqual({ status: 'appended', revision: 2n, position: read[2]?.position });
  });

  it('is waited for if it is late', async () => {
    node.faults.delayMs = 300;
    const outcomes = await log.appendMany(
      upTo(5).map((n) => ({
        stream: `account-x:late${n}`,
        events: numbered(1),
        expected: 'no_stream' as const,
      })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('appended'));
    expect(node.store.records.filter(({ stream }) => stream.startsWith('account-x:late'))).toHaveLength(5);
  });

  it('is a rejection if it denies access, as for reads', async () => {
    node.faults.deny = true;
    await expect(log.append('account-x:denied', numbered(1), 'no_stream')).rejects.toThrow(/EVENT_LOG_URL/);
    await expect(log.readStream('account-x:denied')).rejects.toThrow(LogRequestRejectedError);
    await expect(log.head()).rejects.toThrow(LogRequestRejectedError);
  });
});

describe('a cluster', () => {
  it('is followed to its leader, which a follower names', async () => {
    const follower = await serve({ store: node.store });
    follower.faults.leader = node.endpoint;
    const byFollower = open(follower.url);
    expect(await byFollower.append('account-x:c', numbered(1), 'no_stream')).toMatchObject({ revision: 0n });
    expect(numbersOf(await byFollower.readStream('account-x:c'))).toEqual([0]);
    expect(node.calls.get('batchAppend')).toBe(1);
  });

  it('is asked for its leader at any host, and again when the leader died', async () => {
    const second = await serve({ store: node.store });
    second.faults.leader = node.endpoint;
    const hosts = [second, node].map(({ endpoint }) => `${endpoint.address}:${endpoint.port}`).join(',');
    const cluster = open(`esdb://${hosts}?tls=false&discoveryInterval=20&gossipTimeout=1`);
    await cluster.append('account-x:d', numbered(1), 'no_stream');
    expect(node.calls.get('batchAppend')).toBe(1);
    node.stop();
    second.faults.leader = null;
    expect(await cluster.append('account-x:d', numbered(1, 1), 0n)).toMatchObject({ revision: 1n });
    expect(second.calls.get('batchAppend')).toBe(1);
    await node.start();
  });

  it('does not end the process if a call breaks while no node is found', async () => {
    const discovery = 'maxDiscoverAttempts=10&discoveryInterval=30&gossipTimeout=1';
    const cluster = open(`esdb+discover://127.0.0.1:${node.endpoint.port}?tls=false&${discovery}`);
    const reader = following(cluster);
    await until('the reader follows', () => node.sent.confirmations === 1);
    node.faults.hidden = true;
    node.faults.breakAfterAppend = 1;
    const asked = node.calls.get('gossip') ?? 0;
    const append = cluster.append('account-x:f', numbered(1), 'no_stream');
    await until('a node is looked for', () => (node.calls.get('gossip') ?? 0) > asked);
    node.drop();
    await until('it was looked for in vain', () => (node.calls.get('gossip') ?? 0) > asked + 12);
    node.faults.hidden = false;
    expect(await append).toMatchObject({ status: 'appended', revision: 0n });
    await until('the reader follows again', () => reader.seen.length === 1);
    await reader.end();
  });

  it('fails calls, not the process, while no node answers, and is found again later', {
    tags: 'long',
  }, async () => {
    const cluster = open(
      `esdb+discover://127.0.0.1:${node.endpoint.port}?tls=false&maxDiscoverAttempts=2&discoveryInterval=10&gossipTimeout=1`,
    );
    await cluster.append('account-x:e', numbered(1), 'no_stream');
    node.stop();
    await Promise.all(
      upTo(4).map(() => expect(cluster.readStream('account-x:e')).rejects.toThrow(LogUnavailableError)),
    );
    await node.start();
    await until('the node is found again', () =>
      cluster.readStream('account-x:e').then(
        (events) => events.length === 1,
        () => false,
      ),
    );
  });
});
