import { describe, expect, it } from 'vitest';
import { coveredOverlap, overlapOf } from '../../src/analysis/overlap.ts';
import { seededRandom } from '../../src/kernel/random.ts';

describe('the overlap of two lists', () => {
  it('is exact where all members were compared', () => {
    expect(overlapOf({ a: 40, b: 10, shared: 5 }, null)).toEqual({
      shared: { value: 5, low: 5, high: 5 },
      jaccard: { value: 1 / 9, low: 1 / 9, high: 1 / 9 },
      shareOfA: { value: 0.125, low: 0.125, high: 0.125 },
      shareOfB: { value: 0.5, low: 0.5, high: 0.5 },
    });
  });

  it('is zero for empty lists', () => {
    const { shared, jaccard } = overlapOf({ a: 0, b: 0, shared: 0 }, null);
    expect([shared.value, jaccard.value]).toEqual([0, 0]);
  });

  it('does not depend on which list comes first', () => {
    const one = overlapOf({ a: 900, b: 400, shared: 0 }, { a: 90, b: 41, shared: 13 });
    const other = overlapOf({ a: 400, b: 900, shared: 0 }, { a: 41, b: 90, shared: 13 });
    expect([other.shared, other.jaccard, other.shareOfA]).toEqual([one.shared, one.jaccard, one.shareOfB]);
  });

  it('has Wilson’s interval, as in the published example, for a sample', () => {
    // Newcombe (Statistics in Medicine 1998), table I: 81 of 263, score interval 0.2553 to 0.3662.
    const { shareOfA } = overlapOf({ a: 263_000, b: 900_000, shared: 0 }, { a: 263, b: 900, shared: 81 });
    expect(shareOfA.low).toBeCloseTo(0.2553, 4);
    expect(shareOfA.high).toBeCloseTo(0.3662, 4);
  });

  it('excludes nothing for a sample without members', () => {
    expect(overlapOf({ a: 7, b: 9, shared: 0 }, { a: 0, b: 0, shared: 0 }).shared).toEqual({
      value: 0,
      low: 0,
      high: 7,
    });
  });

  it('covers the truth in about 95 of 100 samples', () => {
    const random = seededRandom(5);
    const runs = 1_000;
    let held = 0;
    for (let run = 0; run < runs; run++) {
      const [a, b, shared] = [4_000, 9_000, 600];
      const sample = { a: 0, b: 0, shared: 0 };
      for (let n = 0; n < a + b - shared; n++) {
        if (random.next() >= 1 / 16) continue;
        if (n < a) sample.a += 1;
        if (n >= a - shared) sample.b += 1;
        if (n < a && n >= a - shared) sample.shared += 1;
      }
      const { low, high } = overlapOf({ a, b, shared: 0 }, sample).shared;
      if (low <= shared && shared <= high) held += 1;
    }
    expect(held / runs).toBeGreaterThan(0.93);
    expect(held / runs).toBeLessThan(0.98);
  });
});

describe('the overlap of partly read lists', () => {
  it('has bounds that hold whatever the unread members are', () => {
    const { next: random } = seededRandom(7);
    let stated = 0;
    for (let drawn = 0; drawn < 2_000; drawn++) {
      const size = 1 + Math.floor(random() * 60);
      const pick = () => new Set(Array.from({ length: size }, (_, id) => id).filter(() => random() < 0.7));
      const [a, b] = [pick(), pick()];
      const both = [...a].filter((id) => b.has(id)).length;
      // Lists are read from one end.
      const part = (all: ReadonlySet<number>) =>
        [...all].slice(0, Math.ceil(all.size * (random() < 0.5 ? 1 : random())));
      const [readA, readB] = [part(a), part(b)];
      const shared = readA.filter((id) => readB.includes(id)).length;
      const covered = (all: ReadonlySet<number>, read: readonly number[]) => ({
        read: read.length,
        stated: all.size,
        isWhole: read.length === all.size,
      });
      const counted = overlapOf({ a: readA.length, b: readB.length, shared }, null).shared;
      const found = coveredOverlap(counted, covered(a, readA), covered(b, readB));
      if (found === null) continue;
      stated += 1;
      const holds = (figure: { low: number; high: number } | null, of: number) =>
        expect(figure !== null && figure.low <= of + 1e-9 && of <= figure.high + 1e-9).toBe(true);
      holds(found.shared, both);
      if (a.size > 0) holds(found.shareOfA, both / a.size);
      if (b.size > 0) holds(found.shareOfB, both / b.size);
      if (a.size + b.size > both) holds(found.jaccard, both / (a.size + b.size - both));
      expect(found.shared.high - found.shared.low).toBeLessThanOrEqual(Math.min(a.size, b.size) / 2);
    }
    expect(stated).toBeGreaterThan(500);
  });

  it('is undefined where more members were read than stated, unless the list was read whole', () => {
    const none = { value: 0, low: 0, high: 0 };
    for (const read of [400, 500]) {
      const full = { read, stated: 400, isWhole: false };
      expect(coveredOverlap(none, full, { ...full, read: 1_000, stated: 900 })).toBeNull();
      expect(coveredOverlap(none, { ...full, isWhole: true }, { ...full, isWhole: true })).not.toBeNull();
    }
  });

  it('is undefined where the number of unread members is unknown, unless the other list is whole and mostly in it', () => {
    const exact = (value: number) => ({ value, low: value, high: value });
    const open = { read: 500, stated: null, isWhole: false };
    const whole = { read: 100, stated: 90, isWhole: true };
    expect(coveredOverlap(exact(0), open, open)).toBeNull();
    expect(coveredOverlap(exact(10), open, whole)).toBeNull();
    expect(coveredOverlap(exact(80), open, whole)).toMatchObject({
      shared: { value: 80, low: 80, high: 100 },
      shareOfA: null,
      shareOfB: { low: 0.8, high: 1 },
      jaccard: null,
    });
  });
});
