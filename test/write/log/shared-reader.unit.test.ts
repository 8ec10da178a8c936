import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withValidation } from '../../../src/write/log/codec.ts';
import { eventOf } from '../../../src/write/log/event-definition.ts';
import type {
  EventFilter,
  EventLog,
  EventPage,
  RecordedEvent,
  SubscribeOptions,
} from '../../../src/write/log/port.ts';
import { SharedTail, withSharedReader } from '../../../src/write/log/shared-reader.ts';
import { until } from '../../support/wait.ts';

const TYPES = ['Even', 'Odd', 'Third'] as const;

const eventAt = (position: number): RecordedEvent => ({
  id: `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`,
  stream: `account-x:${position % 5}`,
  revision: 0n,
  position: BigInt(position),
  type: position % 3 === 0 ? 'Third' : position % 2 === 0 ? 'Even' : 'Odd',
  data: { n: position },
  metadata: {},
  recorded_at: '2026-11-22T08:00:00.000Z',
});

/** A log in memory that counts what is read of it. */
const countedLog = () => {
  const events: RecordedEvent[] = [];
  const wakes = new Set<() => void>();
  const counts = { subscriptions: 0, readAlone: 0, pages: 0 };
  let failure: Error | null = null;
  let isHeadless = false;
  const matching = (event: RecordedEvent, { types, streamPrefixes }: EventFilter) =>
    (types === undefined || types.includes(event.type)) &&
    (streamPrefixes === undefined || streamPrefixes.some((prefix) => event.stream.startsWith(prefix)));
  const inner = {
    head: async () => {
      if (isHeadless) throw new Error('connection lost');
      return BigInt(events.length);
    },
    close: async () => undefined,
    async *subscribe(after: bigint, options: SubscribeOptions): AsyncGenerator<EventPage> {
      // The shared reader asks for everything; what reads by itself has a filter or another page size.
      const isShared = options.types === undefined && options.pageSize === 2_000;
      if (isShared) counts.subscriptions += 1;
      let position = after;
      while (!options.signal.aborted) {
        if (failure !== null) throw failure;
        if (position === BigInt(events.length)) {
          await new Promise<void>((resolve) => {
            wakes.add(resolve);
            options.signal.addEventListener('abort', () => resolve(), { once: true });
          });
          continue;
        }
        counts[isShared ? 'pages' : 'readAlone'] += 1;
        const all = BigInt(events.length);
        const limit = position + BigInt(isShared ? events.length : (options.pageSize ?? 100));
        const end = limit < all ? limit : all;
        const page = events.slice(Number(position), Number(end)).filter((event) => matching(event, options));
        yield { events: page, endPosition: end };
        position = end;
      }
    },
  } as unknown as EventLog;
  const wake = () => {
    for (const resolve of wakes) resolve();
    wakes.clear();
  };
  return {
    inner,
    counts,
    append: (n: number) => {
      for (let i = 0; i < n; i++) events.push(eventAt(events.length + 1));
      wake();
    },
    fail: (error: Error | null) => {
      failure = error;
      wake();
    },
    loseHead: () => {
      isHeadless = true;
    },
    isRead: () => wakes.size > 0,
  };
};

/** A subscriber that notes what it receives; `hold` makes it slow. */
const subscriber = (log: EventLog, after: bigint, options: Partial<SubscribeOptions> = {}) => {
  const stop = new AbortController();
  const seen: RecordedEvent[] = [];
  let gate: Promise<void> = Promise.resolve();
  let position = after;
  const done = (async () => {
    for await (const page of log.subscribe(after, { ...options, signal: stop.signal })) {
      await gate;
      seen.push(...page.events);
      position = page.endPosition;
    }
  })();
  return {
    seen,
    done,
    position: () => position,
    numbers: () => seen.map((event) => Number(event.position)),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    stop: async () => {
      stop.abort();
      await done;
    },
  };
};

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

describe('subscriptions of one process', () => {
  it('share one reader, and have the same events by reference', async () => {
    const { inner, counts, append, isRead } = countedLog();
    const log = withSharedReader(inner);
    const all = upTo(5).map(() => subscriber(log, 0n));
    await until('they wait', isRead);
    for (let n = 0; n < 10; n++) {
      append(7);
      await until('all have it', () => all.every(({ position }) => position() === BigInt((n + 1) * 7)));
    }
    expect(counts.subscriptions).toBe(1);
    expect(counts.pages).toBe(10);
    for (const { numbers, seen } of all) {
      expect(numbers()).toEqual(upTo(70));
      expect(seen[69]).toBe(all[0]?.seen[69]);
    }
    await Promise.all(all.map(({ stop }) => stop()));
  });

  it('receive the types and streams that they ask for', async () => {
    const { inner, append, isRead } = countedLog();
    const log = withSharedReader(inner);
    const even = subscriber(log, 0n, { types: ['Even'] });
    const stream = subscriber(log, 0n, { streamPrefixes: ['account-x:3'] });
    await until('they wait', isRead);
    append(30);
    await until('both are there', () => even.position() === 30n && stream.position() === 30n);
    expect(even.numbers()).toEqual(upTo(30).filter((n) => n % 2 === 0 && n % 3 !== 0));
    expect(stream.numbers()).toEqual([3, 8, 13, 18, 23, 28]);
    await Promise.all([even.stop(), stream.stop()]);
  });

  it('that are far behind read by themselves, then share', async () => {
    const { inner, counts, append, isRead } = countedLog();
    const log = withSharedReader(inner);
    append(5_000);
    const ahead = subscriber(log, 5_000n);
    await until('it waits', isRead);
    const behind = subscriber(log, 0n, { pageSize: 100 });
    await until('it caught up', () => behind.position() === 5_000n);
    const alone = counts.readAlone;
    expect(alone).toBeGreaterThanOrEqual(50);
    append(10);
    await until('both have the rest', () => behind.position() === 5_010n && ahead.position() === 5_010n);
    expect(counts).toMatchObject({ readAlone: alone, subscriptions: 1 });
    expect(behind.numbers()).toEqual(upTo(5_010));
    await Promise.all([ahead.stop(), behind.stop()]);
  });

  it('that are slow or stopped delay no other, and lose nothing', async () => {
    const { inner, append, isRead } = countedLog();
    const log = withSharedReader(inner);
    const [fast, slow, gone] = [subscriber(log, 0n), subscriber(log, 0n), subscriber(log, 0n)];
    await until('they wait', isRead);
    const release = slow.hold();
    await gone.stop();
    for (let n = 1; n <= 60; n++) {
      append(100);
      await until('the fast one has it', () => fast.position() === BigInt(n * 100));
    }
    expect(slow.seen).toHaveLength(0);
    release();
    await until('the slow one has all', () => slow.position() === 6_000n);
    expect(slow.numbers()).toEqual(upTo(6_000));
    await Promise.all([fast.stop(), slow.stop()]);
  });

  it('keep nothing for one that stopped', async () => {
    const { inner, counts, append, isRead } = countedLog();
    const log = withSharedReader(inner);
    const [going, gone] = [subscriber(log, 0n), subscriber(log, 0n)];
    await until('they wait', isRead);
    await gone.stop();
    for (let n = 1; n <= 10; n++) {
      append(100);
      await until('the other one has it', () => going.position() === BigInt(n * 100));
    }
    const late = subscriber(log, 0n, { pageSize: 100 });
    await until('it is there', () => late.position() === 1_000n);
    // What came before the newest 200 events is read again.
    expect(counts.readAlone).toBe(8);
    await Promise.all([going.stop(), late.stop()]);
  });

  it('fail together with the log, and can be opened again', async () => {
    const { inner, append, fail, isRead } = countedLog();
    const log = withSharedReader(inner);
    const [a, b] = [subscriber(log, 0n), subscriber(log, 0n)];
    await until('they wait', isRead);
    fail(new Error('no leader'));
    await expect(a.done).rejects.toThrow('no leader');
    await expect(b.done).rejects.toThrow('no leader');
    fail(null);
    append(3);
    const again = subscriber(log, 0n);
    await until('it is there', () => again.position() === 3n);
    expect(again.numbers()).toEqual([1, 2, 3]);
    await again.stop();
  });

  it('survive a failure to ask for the head', async () => {
    const { inner, append, loseHead } = countedLog();
    const log = withSharedReader(inner);
    append(500);
    loseHead();
    const reader = subscriber(log, 0n, { pageSize: 100 });
    await until('it has all', () => reader.position() === 500n);
    expect(reader.numbers()).toEqual(upTo(500));
    await reader.stop();
  });

  it('end the reader with the last of them', async () => {
    const { inner, counts, append, isRead } = countedLog();
    const log = withSharedReader(inner);
    const first = subscriber(log, 0n);
    await until('it waits', isRead);
    await first.stop();
    append(2);
    const second = subscriber(log, 0n);
    await until('it is there', () => second.position() === 2n);
    await second.stop();
    expect(counts.subscriptions).toBeLessThanOrEqual(2);
  });

  it('receive every event once and in order, whenever they start and however slow they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ append: fc.nat(900), join: fc.boolean(), pause: fc.boolean() }), {
          minLength: 1,
          maxLength: 12,
        }),
        async (steps) => {
          const { inner, append } = countedLog();
          const log = withSharedReader(inner);
          const all: ReturnType<typeof subscriber>[] = [subscriber(log, 0n, { pageSize: 64 })];
          let total = 0;
          const releases: (() => void)[] = [];
          for (const step of steps) {
            append(step.append);
            total += step.append;
            if (step.join) all.push(subscriber(log, 0n, { types: ['Third'], pageSize: 50 }));
            if (step.pause) releases.push((all.at(-1) as (typeof all)[number]).hold());
            await new Promise((resolve) => setImmediate(resolve));
          }
          for (const release of releases) release();
          append(1);
          total += 1;
          await until('all have all', () => all.every(({ position }) => position() === BigInt(total)));
          expect(all[0]?.numbers()).toEqual(upTo(total));
          for (const { numbers } of all.slice(1))
            expect(numbers()).toEqual(upTo(total).filter((n) => n % 3 === 0));
          await Promise.all(all.map(({ stop }) => stop()));
        },
      ),
      { numRuns: 30 },
    );
  });
});

it('validate an event once for all', async () => {
  const { inner, append, isRead } = countedLog();
  let parsed = 0;
  const schema = z.strictObject({ n: z.number() }).refine(() => {
    parsed += 1;
    return true;
  });
  const definitions = Object.fromEntries(TYPES.map((type) => [type, { ...eventOf(schema), stored: schema }]));
  const log = withValidation(withSharedReader(inner), definitions);
  const all = upTo(4).map(() => subscriber(log, 0n));
  await until('they wait', isRead);
  append(10);
  await until('all have it', () => all.every(({ position }) => position() === 10n));
  expect(parsed).toBe(10);
  await Promise.all(all.map(({ stop }) => stop()));
});

describe('the shared tail', () => {
  const all = () => true;

  it('keeps what a subscriber lacks, and otherwise only the newest events', async () => {
    const { inner, append } = countedLog();
    const tail = new SharedTail(inner, 0n, () => undefined);
    const [first, second] = [{}, {}];
    for (let n = 1; n <= 10; n++) {
      append(100);
      await tail.advance();
      tail.pageAfter(first, BigInt(n * 100), 1_000, all);
      tail.pageAfter(second, 300n, 1_000, all);
    }
    expect(tail.from).toBe(300n);
    expect(tail.pageAfter(second, 300n, 1_000, all)?.events).toHaveLength(700);
    tail.pageAfter(second, 1_000n, 1_000, all);
    expect(tail.from).toBe(800n);
    tail.close();
  });

  it('keeps nothing for a subscriber that left, and at most 2,000 events for a slow one', async () => {
    const { inner, append } = countedLog();
    const tail = new SharedTail(inner, 0n, () => undefined);
    const [fast, slow] = [{}, {}];
    const read = async (pages: number) => {
      for (let n = 0; n < pages; n++) {
        append(100);
        await tail.advance();
        tail.pageAfter(fast, tail.end, 1_000, all);
      }
    };
    tail.pageAfter(slow, 0n, 1_000, all);
    await read(20);
    expect(tail.from).toBe(0n);
    await read(10);
    expect(tail.from).toBe(1_000n);
    tail.leave(slow);
    expect(tail.from).toBe(2_800n);
    tail.close();
  });
});
