import { describe, expect, it } from 'vitest';
import type { Handler, LogEvent, Reducer } from '../../../src/operations/events/handler.ts';
import { handlerOf, replay, resultJson } from '../../../src/operations/events/replay.ts';
import { decodeEvent, memoryLog } from '../../support/memory-log.ts';

const events = [1, 2, 3].map((position) => decodeEvent(position, { stream: `account-x:a${position}` }));
const reading = { signal: new AbortController().signal, onProgress: () => undefined, pageSize: 2 };
const fold = (exported: unknown) =>
  replay(memoryLog(events).log, { after: 0n, to: 3n, filter: {} }, handlerOf(exported, './fold.ts'), reading);

describe('a replay', () => {
  it('folds events in order and returns the result of the last state', async () => {
    const handler: Handler<string[], { seen: string }> = {
      initial: [],
      apply: (state, event) => [...state, event.stream],
      result: (state) => ({ seen: state.join(' ') }),
    };
    expect(await fold(handler)).toEqual({
      result: { seen: 'account-x:a1 account-x:a2 account-x:a3' },
      count: 3,
    });
  });

  it('returns the state where there is no result, and awaits it', async () => {
    const handler: Handler<number> = { initial: 10, apply: async (state) => state + 1 };
    expect((await fold(handler)).result).toBe(13);
  });

  it('accepts a function, whose first state is undefined', async () => {
    const reducer: Reducer<number> = (state = 0, event) => state + Number(event.position);
    expect((await fold(reducer)).result).toBe(6);
  });

  it('gives a handler no hashes of keys', async () => {
    const issued = decodeEvent(1, { type: 'KeyIssued', data: { key_id: 'key_1', key_hash: 'ab12' } });
    const seen: unknown[] = [];
    const handler = {
      initial: 0,
      apply: (state: number, event: LogEvent) => {
        seen.push(event.data);
        return state;
      },
    };
    await replay(memoryLog([issued]).log, { after: 0n, to: 1n, filter: {} }, handler as never, reading);
    expect(seen).toEqual([{ key_id: 'key_1', key_hash: '[redacted]' }]);
  });

  it('that fails names the event by position, type and stream', async () => {
    const failing = (state: number, event: LogEvent) => {
      if (event.position === 2n) throw new RangeError('too much');
      return state + 1;
    };
    await expect(fold({ initial: 0, apply: failing })).rejects.toThrow(
      /^the handler failed at position 2 \(AccountUnchanged of account-x:a2\): RangeError: too much/,
    );
    const later = async (state: number, event: LogEvent) => failing(state, event);
    await expect(fold({ initial: 0, apply: later })).rejects.toThrow(/at position 2 .*RangeError: too much/);
    const text = { initial: 0, apply: () => Promise.reject('words') };
    await expect(fold(text)).rejects.toThrow(/at position 1 .*: words$/);
  });

  it('says so if a handler forgets to return the state', async () => {
    await expect(fold({ initial: {}, apply: () => undefined })).rejects.toThrow(
      'the handler returned nothing at position 1 (AccountUnchanged of account-x:a1): apply has to return the state',
    );
  });

  it('says so if its result fails', async () => {
    const result = () => {
      throw new Error('no such thing');
    };
    await expect(fold({ initial: 0, apply: () => 1, result })).rejects.toThrow(
      /^the handler's result failed: Error: no such thing/,
    );
  });
});

describe('a default export', () => {
  const cases: [string, unknown, RegExp][] = [
    ['nothing', undefined, /it has no default export/],
    ['null', null, /its default export is no object or function/],
    ['a number', 5, /its default export is no object or function/],
    ['no apply', { initial: 0 }, /it has no apply/],
    ['an apply that is none', { initial: 0, apply: 5 }, /its apply is no function but number/],
    ['no initial', { apply: () => 0 }, /it has no initial/],
    [
      'a result that is none',
      { initial: 0, apply: () => 0, result: {} },
      /its result is no function but object/,
    ],
    ['a slip', { initial: 0, apply: () => 0, results: () => 0 }, /it has "results", which is none of/],
  ];
  it.each(cases)('is refused with what is wrong: %s', (_what, value, message) => {
    expect(() => handlerOf(value, './fold.ts')).toThrow(message);
    expect(() => handlerOf(value, './fold.ts')).toThrow(
      /^\.\/fold\.ts is no handler: .*\nA handler is: export/,
    );
  });
});

describe('a result', () => {
  it('is JSON, with 64-bit numbers as text, maps as objects and sets as lists', () => {
    const result = { last: 9_007_199_254_740_993n, by: new Map([['x', new Set([1, 2])]]), none: null };
    expect(JSON.parse(resultJson(result))).toEqual({
      last: '9007199254740993',
      by: { x: [1, 2] },
      none: null,
    });
    expect(resultJson(undefined)).toBe('null');
  });

  it('is refused if it is circular', () => {
    const round: { self?: unknown } = {};
    round.self = round;
    expect(() => resultJson(round)).toThrow(
      /^the handler's result is no JSON: TypeError: Converting circular/,
    );
  });
});
