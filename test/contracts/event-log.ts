import { describe, expect, it } from 'vitest';
import { uuidV7 } from '../../src/kernel/ids.ts';
import {
  type Append,
  type EventLog,
  type EventPage,
  LogRequestRejectedError,
  type NewEvent,
  type RecordedEvent,
} from '../../src/write/log/port.ts';

/** What an adapter brings to its test. */
export interface LogUnderTest {
  readonly name: string;
  /** An empty log, or one whose earlier events are all before `start`. */
  readonly open: () => Promise<{ log: EventLog; start: bigint }>;
  /** A second door to the same log, as another process would have it. */
  readonly openAgain: () => Promise<EventLog>;
  /** Breaks every connection that the log holds, without a word to it; null where the test can't. */
  readonly breakConnections: (() => Promise<void>) | null;
  /** Whether the log knows an id again in another stream; one that does not takes it. */
  readonly refusesIdsElsewhere: boolean;
}

// A log of somebody's own outlives its tests, whose streams must not meet again.
const run = uuidV7(Date.now());
let counter = 0;
const stream = (category = 'test') => `${category}-${run}.${counter++}`;
const make = (n: number, from = 0): NewEvent[] =>
  Array.from({ length: n }, (_, i) => ({
    id: uuidV7(Date.now()),
    type: (from + i) % 2 === 0 ? 'Even' : 'Odd',
    data: { n: from + i, text: 'quote " backslash \\ newline \n ünï 🤯', nothing: null },
  }));

const collect = async (pages: AsyncIterable<EventPage>): Promise<RecordedEvent[]> => {
  const out: RecordedEvent[] = [];
  for await (const page of pages) out.push(...page.events);
  return out;
};

const numbers = (events: readonly RecordedEvent[]) => events.map((e) => (e.data as { n: number }).n);

/** What every adapter of the event log must do. */
export const describeEventLog = (under: LogUnderTest): void => {
  describe(`the event log contract: ${under.name}`, () => {
    it('returns what was appended, in order, with revisions from 0', async () => {
      const { log } = await under.open();
      const s = stream();
      const events = make(3);
      const outcome = await log.append(s, events, 'no_stream');
      expect(outcome).toMatchObject({ status: 'appended', revision: 2n });
      const read = await log.readStream(s);
      expect(read.map((e) => e.revision)).toEqual([0n, 1n, 2n]);
      expect(read.map((e) => e.id)).toEqual(events.map((e) => e.id));
      expect(read.map((e) => e.data)).toEqual(events.map((e) => e.data));
      expect(read.every((e) => e.stream === s)).toBe(true);
      expect(read.every((e) => !Number.isNaN(Date.parse(e.recorded_at)))).toBe(true);
      expect(outcome.status === 'appended' && outcome.position).toBe(read[2]?.position);
    });

    it('reads a stream from a revision, both ways, with a limit', async () => {
      const { log } = await under.open();
      const s = stream();
      await log.append(s, make(10), 'no_stream');
      expect(numbers(await log.readStream(s, { from: 7n }))).toEqual([7, 8, 9]);
      expect(numbers(await log.readStream(s, { from: 2n, limit: 3 }))).toEqual([2, 3, 4]);
      expect(numbers(await log.readStream(s, { direction: 'backwards', limit: 3 }))).toEqual([9, 8, 7]);
      expect(numbers(await log.readStream(s, { direction: 'backwards', from: 1n }))).toEqual([1, 0]);
      expect(await log.readStream(stream())).toEqual([]);
    });

    it('refuses an append at another revision and says where the stream stands', async () => {
      const { log } = await under.open();
      const s = stream();
      expect(await log.append(s, make(1), 0n)).toEqual({ status: 'conflict', revision: null });
      await log.append(s, make(2), 'no_stream');
      expect(await log.append(s, make(1), 'no_stream')).toEqual({ status: 'conflict', revision: 1n });
      expect(await log.append(s, make(1), 0n)).toEqual({ status: 'conflict', revision: 1n });
      expect(await log.append(s, make(1), 5n)).toEqual({ status: 'conflict', revision: 1n });
      expect(await log.append(s, make(1), 1n)).toMatchObject({ status: 'appended', revision: 2n });
      expect(await log.append(s, make(1), 'any')).toMatchObject({ status: 'appended', revision: 3n });
      expect(await log.readStream(s)).toHaveLength(4);
    });

    it('lets exactly one of 32 racers create a stream', async () => {
      const { log } = await under.open();
      const other = await under.openAgain();
      const s = stream();
      const outcomes = await Promise.all(
        Array.from({ length: 32 }, (_, i) => (i % 2 ? log : other).append(s, make(1), 'no_stream')),
      );
      expect(outcomes.filter((o) => o.status === 'appended')).toHaveLength(1);
      expect(await log.readStream(s)).toHaveLength(1);
    });

    it('answers a repeated append of the same ids as it did the first time', async () => {
      const { log } = await under.open();
      for (const expected of ['no_stream', 'any'] as const) {
        const s = stream();
        const events = make(3);
        const first = await log.append(s, events, expected);
        expect(await log.append(s, events, expected)).toEqual(first);
        await log.append(s, make(2), 2n);
        expect(await log.append(s, events, expected)).toEqual(first);
        expect(await log.readStream(s)).toHaveLength(5);
      }
      const s = stream();
      await log.append(s, make(2), 'no_stream');
      const later = make(2);
      const second = await log.append(s, later, 1n);
      expect(await log.append(s, later, 1n)).toEqual(second);
      // The same ids with another expectation are no repetition.
      expect(await log.append(s, later, 0n)).toEqual({ status: 'conflict', revision: 3n });
    });

    it('treats an id that is repeated with other contents as a conflict', async () => {
      const { log } = await under.open();
      const s = stream();
      const [event] = make(1) as [NewEvent];
      const [other] = make(1) as [NewEvent];
      await log.append(s, [event], 'any');
      for (const changed of [{ ...event, data: { ...(other.data as object), n: 77 } }]) {
        expect(await log.append(s, [changed], 'any')).toEqual({ status: 'conflict', revision: 0n });
      }
      expect((await log.append(s, [event], 'any')).status).toBe('appended');
      expect(await log.readStream(s)).toHaveLength(1);
    });

    it('accepts or refuses an id of another stream as the adapter states', async () => {
      const { log } = await under.open();
      const events = make(1);
      await log.append(stream(), events, 'no_stream');
      const elsewhere = stream();
      const again = log.append(elsewhere, events, 'no_stream');
      if (under.refusesIdsElsewhere) await expect(again).rejects.toThrow(LogRequestRejectedError);
      else expect((await again).status).toBe('appended');
      expect(await log.readStream(elsewhere)).toHaveLength(under.refusesIdsElsewhere ? 0 : 1);
    });

    it('refuses an append at any revision if the stream already has a part of it', async () => {
      const { log } = await under.open();
      const s = stream();
      const events = make(3);
      await log.append(s, events, 'no_stream');
      expect(await log.append(s, events.slice(2), 'any')).toMatchObject({ revision: 2n });
      expect(await log.append(s, [...events, ...make(1)], 'any')).toEqual({
        status: 'conflict',
        revision: 2n,
      });
      expect(await log.readStream(s)).toHaveLength(3);
    });

    it('refuses to append nothing', async () => {
      const { log } = await under.open();
      await expect(log.append(stream(), [], 'any')).rejects.toThrow(LogRequestRejectedError);
    });

    it('appends to many streams at once, with one outcome each; a refused append affects no other', async () => {
      const { log } = await under.open();
      const [a, b, c] = [stream(), stream(), stream()];
      await log.append(b, make(1), 'no_stream');
      const outcomes = await log.appendMany([
        { stream: a, events: make(2), expected: 'no_stream' },
        { stream: b, events: make(2), expected: 'no_stream' },
        { stream: c, events: make(1), expected: 'any' },
        { stream: a, events: make(1, 2), expected: 1n },
      ]);
      expect(outcomes.map((o) => o.status)).toEqual(['appended', 'conflict', 'appended', 'appended']);
      expect(numbers(await log.readStream(a))).toEqual([0, 1, 2]);
      expect(await log.readStream(b)).toHaveLength(1);
    });

    it('appends different numbers of events to streams of different lengths at once', async () => {
      const { log } = await under.open();
      const streams = [stream(), stream(), stream(), stream()] as const;
      const lengths = [0, 0, 0, 5];
      for (const [i, length] of lengths.entries())
        if (length > 0) await log.append(streams[i] as string, make(length), 'no_stream');
      const counts = [3, 2, 1, 4];
      const expected = ['no_stream', 'no_stream', 'any', 4n] as const;
      const repeated = streams.map(
        (s, i): Append => ({
          stream: s,
          events: make(counts[i] as number, lengths[i]),
          expected: expected[i] as (typeof expected)[number],
        }),
      );
      const first = await log.appendMany(repeated);
      for (const [i, s] of streams.entries()) {
        const read = await log.readStream(s);
        const all = [...Array((lengths[i] as number) + (counts[i] as number)).keys()];
        expect(numbers(read)).toEqual(all);
        expect(read.map(({ revision }) => Number(revision))).toEqual(all);
        const last = read.at(-1);
        expect(first[i]).toEqual({
          status: 'appended',
          revision: last?.revision,
          position: last?.position,
        });
      }
      const [a, b, c, d] = repeated as [Append, Append, Append, Append];
      const more = [{ ...a, events: make(2, 3), expected: 2n }, b, { ...c, events: make(2, 1) }, d] as const;
      const second = await log.appendMany(more);
      expect([second[1], second[3]]).toEqual([first[1], first[3]]);
      for (const i of [0, 2]) {
        const last = (await log.readStream(streams[i] as string)).at(-1);
        expect(second[i]).toEqual({
          status: 'appended',
          revision: last?.revision,
          position: last?.position,
        });
      }
      const lengthsNow = await Promise.all(streams.map(async (s) => (await log.readStream(s)).length));
      expect(lengthsNow).toEqual([5, 2, 3, 9]);
    });

    it('reads all in global order after a position, exclusively, to an end', async () => {
      const { log } = await under.open();
      const start = await log.head();
      const [a, b] = [stream(), stream()];
      for (let i = 0; i < 10; i++) await log.append(i % 2 ? a : b, make(1, i), 'any');
      const all = await collect(log.readAll(start, { pageSize: 3 }));
      expect(numbers(all)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      for (let i = 1; i < all.length; i++) {
        expect((all[i] as RecordedEvent).position).toBeGreaterThan((all[i - 1] as RecordedEvent).position);
        expect((all[i] as RecordedEvent).recorded_at >= (all[i - 1] as RecordedEvent).recorded_at).toBe(true);
      }
      const fifth = (all[4] as RecordedEvent).position;
      expect(numbers(await collect(log.readAll(fifth)))).toEqual([5, 6, 7, 8, 9]);
      expect(numbers(await collect(log.readAll(start, { to: fifth })))).toEqual([0, 1, 2, 3, 4]);
      expect(await log.head()).toBe((all[9] as RecordedEvent).position);
      expect(await collect(log.readAll(await log.head()))).toEqual([]);
    });

    it('gives each event of one append its own position, at and just before which reading can resume', async () => {
      const { log } = await under.open();
      const start = await log.head();
      await log.append(stream(), make(7), 'no_stream');
      const all = await collect(log.readAll(start));
      expect(new Set(all.map((e) => e.position)).size).toBe(7);
      for (const [i, event] of all.entries()) {
        expect(numbers(await collect(log.readAll(event.position)))).toEqual(
          [0, 1, 2, 3, 4, 5, 6].slice(i + 1),
        );
        expect(numbers(await collect(log.readAll(event.position - 1n)))).toEqual(
          [0, 1, 2, 3, 4, 5, 6].slice(i),
        );
      }
    });

    it('resumes at the end of any page, and returns each event once', async () => {
      const { log } = await under.open();
      const start = await log.head();
      const s = [stream('one'), stream('two'), stream('three')];
      for (let i = 0; i < 12; i++) await log.append(s[i % 3] as string, make(2, 2 * i), 'any');
      for (const filter of [{}, { types: ['Odd'] }, { streamPrefixes: ['two-'] }, { types: ['Never'] }]) {
        const whole = numbers(await collect(log.readAll(start, filter)));
        const seen: number[] = [];
        let endPosition = start;
        for (const head = await log.head(); endPosition < head; ) {
          // One page, then another reader.
          for await (const page of log.readAll(endPosition, { ...filter, pageSize: 3 })) {
            expect(page.events.length).toBeLessThanOrEqual(3);
            expect(page.endPosition).toBeGreaterThan(endPosition);
            seen.push(...numbers(page.events));
            endPosition = page.endPosition;
            break;
          }
        }
        expect(seen).toEqual(whole);
        expect(await collect(log.readAll(endPosition))).toEqual([]);
      }
    });

    it('filters by stream prefix and by type, and reports how far it read', async () => {
      const { log } = await under.open();
      const start = await log.head();
      const [one, two, account] = [stream('one'), stream('two'), stream('account')];
      for (let i = 0; i < 30; i++) await log.append([one, two, account][i % 3] as string, make(1, i), 'any');
      const of = async (filter: object) =>
        numbers(await collect(log.readAll(start, { ...filter, pageSize: 4 })));
      expect(await of({ streamPrefixes: ['one-'] })).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27]);
      expect(await of({ streamPrefixes: ['account-'], types: ['Odd'] })).toEqual([5, 11, 17, 23, 29]);
      expect(await of({ streamPrefixes: ['one-', 'account-'], types: ['Even'] })).toHaveLength(10);
      expect(await of({ types: ['Never'] })).toEqual([]);
      expect(await of({ streamPrefixes: ['one%'] })).toEqual([]);
      let endPosition = start;
      for await (const page of log.readAll(start, { types: ['Never'] })) endPosition = page.endPosition;
      expect(endPosition).toBe(await log.head());
    });

    it('subscribes: catches up, tails what any process appends, and ends by its signal', async () => {
      const { log } = await under.open();
      const other = await under.openAgain();
      const start = await log.head();
      const s = stream();
      await log.append(s, make(5), 'any');
      const stop = new AbortController();
      const seen: number[] = [];
      for await (const page of log.subscribe(start, { signal: stop.signal, pageSize: 2 })) {
        // Empty pages come while nothing else does.
        if (page.events.length === 0) continue;
        seen.push(...numbers(page.events));
        if (seen.length === 5) void other.append(s, make(5, 5), 'any');
        if (seen.length === 10) stop.abort();
      }
      expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });

    it('reports progress of the log to a waiting reader without matching events', async () => {
      const { log } = await under.open();
      const stop = new AbortController();
      let head = 0n;
      let pages = 0;
      for await (const page of log.subscribe(await log.head(), { types: ['Never'], signal: stop.signal })) {
        expect(page.events).toEqual([]);
        pages += 1;
        if (pages === 1) {
          await log.append(stream(), make(3), 'any');
          head = await log.head();
        } else if (page.endPosition === head) {
          stop.abort();
        }
      }
      expect(pages).toBeGreaterThan(1);
    });

    it.skipIf(under.breakConnections === null)(
      'continues to subscribe and append after its connections broke, without loss or repetition',
      async () => {
        const { log } = await under.open();
        const start = await log.head();
        const s = stream();
        const stop = new AbortController();
        const seen: number[] = [];
        const reader = (async () => {
          for await (const page of log.subscribe(start, { signal: stop.signal })) {
            seen.push(...numbers(page.events));
            if (seen.length >= 60) stop.abort();
          }
        })();
        for (let i = 0; i < 60; i++) {
          if (i % 20 === 10) await under.breakConnections?.();
          expect((await log.append(s, make(1, i), i === 0 ? 'no_stream' : BigInt(i - 1))).status).toBe(
            'appended',
          );
        }
        await reader;
        expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => i));
      },
    );
  });
};
