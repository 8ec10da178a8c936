import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBatcher } from '../../src/kernel/batch.ts';
import { requestId, uuidV5, uuidV7 } from '../../src/kernel/ids.ts';
import { seededRandom } from '../../src/kernel/random.ts';

describe('ids', () => {
  it('of version 7 sort by time and are unique', () => {
    const ids = Array.from({ length: 2_000 }, (_, i) => uuidV7(1_700_000_000_000 + i));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set([...ids, uuidV7(1_700_000_000_000)]).size).toBe(2_001);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('of version 5 are equal for equal causes', () => {
    expect(uuidV5('a')).toBe(uuidV5('a'));
    expect(uuidV5('a')).not.toBe(uuidV5('b'));
    expect(uuidV5('a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('of requests have the documented form', () => {
    expect(requestId()).toMatch(/^req_[0-9a-f]{32}$/);
  });
});

describe('a seeded source of randomness', () => {
  it('repeats itself for the same seed', () => {
    const draw = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 5 }, () => random.int(1_000));
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });
});

describe('a batcher', () => {
  it('fetches one tick’s look-ups in one call, with few calls in flight', async () => {
    const calls: number[][] = [];
    let release: (() => void)[] = [];
    const find = createBatcher<number, number>(
      (keys) => {
        calls.push([...keys]);
        return new Promise((resolve) => release.push(() => resolve(keys.map((k) => k * 10))));
      },
      { inFlight: 1, max: 3 },
    );
    const first = [1, 2, 3, 4, 5].map((k) => find(k));
    await turn();
    expect(calls).toEqual([[1, 2, 3]]);
    const later = find(6);
    await turn();
    for (let i = 0; i < 4; i++) {
      for (const let_go of release.splice(0)) let_go();
      await turn();
    }
    release = [];
    expect(await Promise.all([...first, later])).toEqual([10, 20, 30, 40, 50, 60]);
    expect(calls).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });

  it('fails all callers of a failed call and none of the next', async () => {
    let fail = true;
    const find = createBatcher<number, number>(async (keys) => {
      if (fail) throw new Error('away');
      return keys;
    });
    const results = await Promise.allSettled([find(1), find(2)]);
    expect(results.map((r) => r.status)).toEqual(['rejected', 'rejected']);
    fail = false;
    expect(await find(3)).toBe(3);
  });
});
