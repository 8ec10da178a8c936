import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  AdmissionTimeoutError,
  type HolderRequests,
  openAdmissionQueue,
  type PendingRequest,
} from '../../../../src/write/metering/admission.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const waiting = (holder: string, sinceMs = performance.now()): PendingRequest & { failed?: unknown } => {
  const one: PendingRequest & { failed?: unknown } = {
    ask: { holder, keyId: 'key_1', operation: 'op', catalog: 1, live: 0 },
    sinceMs,
    resolve: () => undefined,
    reject: (error) => {
      one.failed = error;
    },
  };
  return one;
};

const many = (holder: string, n: number) => Array.from({ length: n }, () => waiting(holder));

/** A lane whose turns are noted, and end when they are told to. */
const lane = () => {
  const turns: Record<string, number>[] = [];
  const ends: (() => void)[] = [];
  const opened = openAdmissionQueue((asked: readonly HolderRequests[]) => {
    turns.push(Object.fromEntries(asked.map((each) => [each.holder, each.waiting.length])));
    return new Promise((resolve) => {
      ends.push(() => resolve([]));
    });
  }, null);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    opened,
    turns,
    end: async () => {
      ends.shift()?.();
      await settled();
    },
    settled,
  };
};

describe('an admission queue', () => {
  it('takes no more of one holder per turn than of any other', async () => {
    const { opened, turns, end, settled } = lane();
    opened.put('a', many('a', 600));
    opened.put('b', many('b', 1));
    await settled();
    expect(turns).toEqual([{ a: 250, b: 1 }]);
    opened.put('c', many('c', 2));
    await end();
    await end();
    expect(turns).toEqual([{ a: 250, b: 1 }, { a: 250, c: 2 }, { a: 100 }]);
  });

  it('takes a limited number of holders per batch, the longest-waiting first', async () => {
    const { opened, turns, end, settled } = lane();
    for (let i = 0; i < 200; i++) opened.put(`h${String(i).padStart(3, '0')}`, many(`h${i}`, 1));
    await settled();
    await end();
    expect(turns.map((turn) => Object.keys(turn).length)).toEqual([128, 72]);
    expect(Object.keys(turns[0] ?? {})[0]).toBe('h000');
  });

  it('refuses what has waited too long, unsent, and decides the rest', async () => {
    const { opened, turns, end, settled } = lane();
    opened.put('first', many('first', 1));
    await settled();
    const old = waiting('late', performance.now() - 60_000);
    const fresh = waiting('late');
    opened.put('late', [old, fresh]);
    const gone = waiting('gone', performance.now() - 60_000);
    opened.put('gone', [gone]);
    await end();
    expect(old.failed).toBeInstanceOf(AdmissionTimeoutError);
    expect(gone.failed).toBeInstanceOf(AdmissionTimeoutError);
    expect(fresh.failed).toBeUndefined();
    expect(turns).toEqual([{ first: 1 }, { late: 1 }]);
  });
});
