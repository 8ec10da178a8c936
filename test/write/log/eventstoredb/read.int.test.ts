import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../../../src/kernel/ids.ts';
import type { Logger } from '../../../../src/kernel/logger.ts';
import {
  type EventLog,
  LogRequestRejectedError,
  LogUnavailableError,
} from '../../../../src/write/log/port.ts';
import { positionAtTime } from '../../../../src/write/position-at-time.ts';
import {
  collect,
  following,
  numbered,
  numbersOf,
  openTestLog,
  upTo,
} from '../../../support/eventstore/log.ts';
import { type NodeOptions, openNode, type TestNode } from '../../../support/eventstore/server.ts';
import { until } from '../../../support/wait.ts';

const closers: (() => Promise<void>)[] = [];
let node: TestNode;
let log: EventLog;

const open = (logger?: Logger): EventLog => {
  const opened = openTestLog(node.url, logger === undefined ? {} : { logger });
  closers.unshift(() => opened.close());
  return opened;
};

const serve = async (options: NodeOptions = {}): Promise<void> => {
  node = await openNode(options);
  const { close } = node;
  closers.push(() => close());
  log = open();
};

beforeEach(() => serve());

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('the server’s own events', () => {
  it('are in its log, and reach no reader here', async () => {
    expect(node.store.records.length).toBeGreaterThan(0);
    expect(await log.head()).toBe(0n);
    expect(await collect(log.readAll(0n))).toEqual([]);
    const reader = following(log);
    for (let n = 0; n < 20; n++) {
      node.store.system('$statsCollected');
      await log.append('account-x:a', numbered(1, n), 'any');
    }
    for (let i = 0; i < 1_200; i++) node.store.system('$>');
    const all = await collect(log.readAll(0n, { pageSize: 7 }));
    expect(numbersOf(all)).toEqual(upTo(20));
    expect(await log.head()).toBe(all.at(-1)?.position);
    expect(numbersOf(await collect(log.readAll(0n, { streamPrefixes: ['account-', '$'] })))).toEqual(
      upTo(20),
    );
    await until('the reader has seen all', () => reader.seen.length >= 20);
    await reader.end();
    expect(reader.seen).toEqual(upTo(20));
  });
});

describe('a filter', () => {
  it('is applied by the server as far as possible, and exactly in the end', async () => {
    await log.append('account-x:a', numbered(50, 0, 'Seen'), 'any');
    await log.append('account-x:a', numbered(50, 50, 'SeenAgain'), 'any');
    await log.append('holder-a', numbered(50, 100, 'Seen'), 'any');
    const sent = async (filter: object) => {
      node.sent.events = 0;
      const read = numbersOf(await collect(log.readAll(0n, filter)));
      // One is the head.
      return { read: read.length, first: read[0], sent: node.sent.events - 1 };
    };
    expect(await sent({ types: ['Seen'] })).toEqual({ read: 100, first: 0, sent: 150 });
    expect(await sent({ types: ['SeenAgain'] })).toEqual({ read: 50, first: 50, sent: 50 });
    expect(await sent({ streamPrefixes: ['holder-'] })).toEqual({ read: 50, first: 100, sent: 50 });
    expect(await sent({ streamPrefixes: ['account-'], types: ['SeenAgain'] })).toEqual({
      read: 50,
      first: 50,
      sent: 100,
    });
    expect(await sent({ types: [] })).toMatchObject({ read: 0, sent: 0 });
  });
});

describe('a reader of the whole log', () => {
  it('is told the possible positions when it asks for an invalid one', async () => {
    await log.append('account-x:a', numbered(3), 'any');
    const second = (await collect(log.readAll(0n)))[1]?.position as bigint;
    await expect(collect(log.readAll(second + 20n))).rejects.toThrow(LogRequestRejectedError);
    const stop = new AbortController();
    await expect(collect(log.subscribe(second + 20n, { signal: stop.signal }))).rejects.toThrow(
      /the position of an event/,
    );
  });

  it('is told that the node is gone or frozen, and reads on when it is back', { tags: 'long' }, async () => {
    await log.append('account-x:a', numbered(3), 'any');
    node.stop();
    await expect(collect(log.readAll(0n))).rejects.toThrow(LogUnavailableError);
    await node.start();
    expect(numbersOf(await collect(log.readAll(0n)))).toEqual([0, 1, 2]);
    node.freeze();
    await expect(log.head()).rejects.toThrow(LogUnavailableError);
    await expect(log.readStream('account-x:a')).rejects.toThrow(LogUnavailableError);
    node.thaw();
    await until('the node is met again', () =>
      log.head().then(
        (head) => head > 0n,
        () => false,
      ),
    );
    expect(numbersOf(await log.readStream('account-x:a'))).toEqual([0, 1, 2]);
  });
});

describe('a subscription', () => {
  it('misses and repeats nothing while its connections break and its node dies', {
    tags: 'long',
  }, async () => {
    const reader = following(log);
    const writer = open();
    const total = 400;
    const writing = (async () => {
      for (let n = 0; n < total; n++) await writer.append(`account-x:s${n % 7}`, numbered(1, n), 'any');
    })();
    for (let i = 1; i <= 8; i++) {
      await until('some have come', () => reader.seen.length >= Math.min(total, 40 * i));
      if (i % 4 === 0) {
        node.stop();
        await node.start();
      } else {
        node.drop();
      }
    }
    await writing;
    await until('all have come', () => reader.seen.length >= total);
    await reader.end();
    expect(reader.seen).toEqual(upTo(total));
  });

  it('misses nothing that was appended before a late start', async () => {
    node.faults.lateSubscriptionMs = 300;
    const reads = () => node.calls.get('read') ?? 0;
    const reader = following(log);
    // The end is looked up, and the subscription is asked for.
    await until('the subscription was asked for', () => reads() >= 2);
    await log.append('account-x:a', numbered(1), 'no_stream');
    await until('it has begun', () => node.sent.confirmations === 1);
    await log.append('account-x:a', numbered(1, 1), 0n);
    await until('both have come', () => reader.seen.includes(1));
    await reader.end();
    expect(reader.seen).toEqual([0, 1]);
  });

  it('is reopened if its connection broke, even if everything was delivered', async () => {
    const reader = following(log);
    await until('the reader follows', () => node.sent.confirmations === 1);
    node.drop();
    await until('the reader follows anew', () => node.sent.confirmations === 2);
    await log.append('account-x:a', numbered(2), 'any');
    await until('they have come', () => reader.seen.length >= 2);
    await reader.end();
    expect(reader.seen).toEqual([0, 1]);
    expect(node.sent.confirmations).toBe(2);
  });

  it('notices a frozen node even when idle, and follows again', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const reader = following(open(logger));
    await log.append('account-x:a', numbered(2), 'any');
    await until('the reader follows', () => reader.seen.length === 2);
    node.freeze();
    await until('the reader has noticed', () =>
      lines.some((line) => line.includes('reading the log failed')),
    );
    node.thaw();
    await until('a node is met again', () =>
      log.append('account-x:a', numbered(1, 2), 1n).then(
        () => true,
        () => false,
      ),
    );
    await until('the reader follows again', () => reader.seen.length >= 3);
    await reader.end();
    expect(reader.seen).toEqual([0, 1, 2]);
  });

  it('waits for a slow reader, who gets everything', { tags: 'long' }, async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const total = 12_000;
    let writing: Promise<unknown> | undefined;
    for await (const page of log.subscribe(0n, { signal: stop.signal, pageSize: 500 })) {
      writing ??= (async () => {
        for (let n = 0; n < total; n += 500)
          await log.append(`account-x:${n}`, numbered(500, n), 'no_stream');
      })();
      expect(page.events.length).toBeLessThanOrEqual(500);
      seen.push(...numbersOf(page.events));
      if (seen.length >= total) stop.abort();
      // Slow in that everything is appended while it is at its first pages.
      if (page.events.length > 0) await writing;
    }
    expect(seen).toEqual(upTo(total));
  });

  it('loses no answers that arrive late', async () => {
    node.faults.delayMs = 10;
    const reader = following(log);
    for (let n = 0; n < 20; n++)
      await log.append('account-x:a', numbered(1, n), n === 0 ? 'no_stream' : BigInt(n - 1));
    await until('all have come', () => reader.seen.length >= 20);
    await reader.end();
    expect(reader.seen).toEqual(upTo(20));
  });

  it('ends at once on its signal, even while it waits', async () => {
    const reader = following(log);
    await until('it waits', () => (node.calls.get('read') ?? 0) > 2);
    await reader.end();
    expect(reader.seen).toEqual([]);
  });
});

describe('the position at an instant', () => {
  const START = Date.UTC(2026, 10, 21);
  let now = START;

  it('is found with few reads of the log, through streams with regular events', {
    tags: 'long',
  }, async () => {
    await serve({ now: () => now });
    for (let n = 0; n < 300; n++) {
      now = START + n * 1_000;
      await log.append(`account-x:a${n % 11}`, numbered(2, n), 'any');
      if (n % 10 === 5)
        await log.append('engine-x:reports', [{ id: uuidV7(now), type: 'Batch', data: {} }], 'any');
    }
    const all = await collect(log.readAll(0n));
    for (const second of [-5, 0, 1, 4, 5, 6, 99, 150, 155, 298, 299, 300, 1_000]) {
      node.sent.events = 0;
      const found = await positionAtTime(log, START + second * 1_000);
      const before = all.filter((event) => Date.parse(event.recorded_at) < START + second * 1_000);
      expect(found, `second ${second}`).toBe(before.at(-1)?.position ?? 0n);
      expect(node.sent.events, `second ${second}`).toBeLessThan(160);
    }
  });

  it('is found without such streams, too', async () => {
    await serve({ now: () => now });
    for (let n = 0; n < 20; n++) {
      now = START + n * 1_000;
      await log.append('account-x:a', numbered(1, n), 'any');
    }
    const all = await collect(log.readAll(0n));
    expect(await positionAtTime(log, START + 7_500)).toBe(all[7]?.position);
    expect(await positionAtTime(log, START)).toBe(0n);
    expect(await positionAtTime(log, START + 99_000)).toBe(all[19]?.position);
  });
});

it('a burst that overtakes a live reader costs it neither a log line, nor a pause, nor an event', {
  tags: 'long',
}, async () => {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(line) });
  const own = openTestLog(node.url, { logger });
  const reader = following(own);
  try {
    for (let total = 0; total < 2_004; total += 501) {
      // Each burst ends the reader at another place: twice at one would be a failure.
      await own.append('account-x:burst', numbered(1, total), 'any');
      await until('it has come', () => reader.seen.length === total + 1);
      await own.append('account-x:burst', numbered(500, total + 1), 'any');
      await until('all have come', () => reader.seen.length === total + 501);
    }
    expect(reader.seen).toEqual(upTo(2_004));
    // The node did end subscriptions: this reader was live more often than once.
    expect(node.sent.confirmations).toBeGreaterThan(1);
    expect(lines).toEqual([]);
  } finally {
    await reader.end();
    await own.close();
  }
});
