import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withValidation } from '../../../../src/write/log/codec.ts';
import { event } from '../../../../src/write/log/event-definition.ts';
import {
  type Append,
  type EventLog,
  type EventPage,
  LogRequestRejectedError,
  type RecordedEvent,
} from '../../../../src/write/log/port.ts';

const definitions = {
  Thing: event({ n: z.int() }),
  Grown: event(
    { full_name: z.string(), age: z.int().nullable() },
    {
      1: (data) => ({ name: (data as { nom: string }).nom }),
      2: (data) => ({ full_name: (data as { name: string }).name, age: null }),
    },
  ),
  Gap: event({ n: z.int() }, { 2: (data) => data }),
};

const stored = (type: string, data: unknown, version?: number): RecordedEvent => ({
  id: '0',
  stream: 'thing-1',
  revision: 0n,
  position: 7n,
  type,
  data,
  metadata: version === undefined ? {} : { version },
  recorded_at: '2026-11-21T08:00:00.000Z',
});

/** A log that holds some events and remembers what it was given. */
const fakeLog = (events: readonly RecordedEvent[]) => {
  const taken: Append[] = [];
  const asked: unknown[] = [];
  async function* pages(_after: bigint, options?: unknown) {
    asked.push(options);
    yield { events, endPosition: 7n };
  }
  const log: EventLog = {
    append: async (stream, list, expected) => {
      taken.push({ stream, events: list, expected });
      return { status: 'appended', revision: 0n, position: 1n };
    },
    appendMany: async (appends) => {
      taken.push(...appends);
      return appends.map(() => ({ status: 'appended', revision: 0n, position: 1n }) as const);
    },
    readStream: async () => events,
    readAll: pages,
    subscribe: pages,
    head: async () => 7n,
    close: async () => undefined,
  };
  return { log, taken, asked };
};

describe('the validating log', () => {
  it('accepts what matches its schema and nothing else', async () => {
    const { log, taken } = fakeLog([]);
    const door = withValidation(log, definitions);
    await door.append('thing-1', [{ id: '1', type: 'Thing', data: { n: 1 } }], 'any');
    for (const bad of [{ n: 1.5 }, { n: 1, more: 2 }, {}, null]) {
      await expect(door.append('thing-1', [{ id: '1', type: 'Thing', data: bad }], 'any')).rejects.toThrow(
        LogRequestRejectedError,
      );
      const many = door.appendMany([
        { stream: 'thing-1', events: [{ id: '1', type: 'Thing', data: bad }], expected: 'any' },
      ]);
      await expect(many).rejects.toThrow(LogRequestRejectedError);
    }
    await expect(door.append('thing-1', [{ id: '1', type: 'Other', data: {} }], 'any')).rejects.toThrow(
      /no such event type/,
    );
    expect(taken).toHaveLength(1);
  });

  it('upcasts old versions step by step, and marks what it writes', async () => {
    const { log, taken } = fakeLog([
      stored('Grown', { nom: 'Ann' }),
      stored('Grown', { name: 'Ben' }, 2),
      stored('Grown', { full_name: 'Cat', age: 3 }, 3),
    ]);
    const door = withValidation(log, definitions);
    expect((await door.readStream('thing-1')).map((e) => e.data)).toEqual([
      { full_name: 'Ann', age: null },
      { full_name: 'Ben', age: null },
      { full_name: 'Cat', age: 3 },
    ]);
    await door.append('thing-1', [{ id: '1', type: 'Grown', data: { full_name: 'Dan', age: 1 } }], 'any');
    expect(taken[0]?.events[0]?.metadata).toEqual({ version: 3 });
  });

  it('stops a reader at an event of a version without an upcast', async () => {
    const { log } = fakeLog([stored('Gap', { n: 1 })]);
    await expect(withValidation(log, definitions).readStream('thing-1')).rejects.toMatchObject({
      message: expect.stringMatching(/position 7/),
      cause: new Error('no upcast from version 1'),
    });
  });

  it('stops a reader at an event that does not fit, naming its position', async () => {
    const { log } = fakeLog([stored('Thing', { n: 'one' })]);
    await expect(withValidation(log, definitions).readStream('thing-1')).rejects.toThrow(/position 7/);
  });

  it('returns exactly the events before such an event in its page', async () => {
    const { log } = fakeLog([
      { ...stored('Thing', { n: 1 }), position: 3n },
      { ...stored('Thing', { n: 'two' }), position: 5n },
      { ...stored('Thing', { n: 3 }), position: 6n },
    ]);
    const pages: EventPage[] = [];
    const reading = async () => {
      for await (const page of withValidation(log, definitions).readAll(0n)) pages.push(page);
    };
    await expect(reading()).rejects.toThrow(/position 5/);
    expect(pages).toMatchObject([{ events: [{ data: { n: 1 } }], endPosition: 3n }]);
  });

  it('drops excluded events unread, and returns the rest raw if requested', async () => {
    const odd = { ...stored('Thing', { n: 'odd' }), id: '1' };
    const old = { ...stored('Grown', { nom: 'Ann' }), id: '2' };
    const { log, asked } = fakeLog([odd, old]);
    const door = withValidation(log, definitions);
    const signal = new AbortController().signal;
    const excludeIds = new Set(['1']);
    for (const [pages, data] of [
      [door.readAll(0n, { excludeIds }), [{ full_name: 'Ann', age: null }]],
      [door.subscribe(0n, { excludeIds, signal }), [{ full_name: 'Ann', age: null }]],
      [door.readAll(0n, { raw: true }), [{ n: 'odd' }, { nom: 'Ann' }]],
      [door.readAll(0n, { raw: true, excludeIds, pageSize: 9 }), [{ nom: 'Ann' }]],
    ] as const) {
      for await (const page of pages) {
        expect(page.events.map((e) => e.data)).toEqual(data);
        expect(page.endPosition).toBe(7n);
      }
    }
    expect(asked).toEqual([{}, { signal }, {}, { pageSize: 9 }]);
  });

  it('returns what a newer program wrote unchanged', async () => {
    const newer = [stored('Unheard', { x: 1 }), stored('Thing', { n: 'new form' }, 2)];
    const { log } = fakeLog(newer);
    expect(await withValidation(log, definitions).readStream('thing-1')).toEqual(newer);
  });

  it('hides what was erased from every reader', async () => {
    const events = [stored('Thing', { n: 1 }), { ...stored('Thing', { n: 2 }), stream: 'thing-2' }];
    const { log } = fakeLog(events);
    const door = withValidation(log, definitions, {
      isOpen: false,
      isUndone: () => false,
      pass: ({ stream, data }) => (stream === 'thing-1' ? null : data),
    });
    const seen: number[] = [];
    for (const read of [door.readAll(0n), door.subscribe(0n, { signal: new AbortController().signal })]) {
      for await (const page of read) {
        seen.push(...page.events.map((e) => (e.data as { n: number }).n));
        expect(page.endPosition).toBe(7n);
      }
    }
    for (const e of await door.readStream('thing-1')) seen.push((e.data as { n: number }).n);
    expect(seen).toEqual([2, 2, 2]);
  });
});
