import { describe, expect, it } from 'vitest';
import { largerLookAlikes, type NearHandles } from '../../../src/analysis/handles.ts';

const near = (followers: number | null, distance = 1, isSkeletonEqual = false) => ({
  followers,
  distance,
  isSkeletonEqual,
});

const countOf = (found: Partial<NearHandles>): number | null =>
  largerLookAlikes({ followers: 999, matches: [], isCapped: false, isComparable: true, ...found });

describe('larger look-alikes', () => {
  it('are accounts with ten times the followers that look the same or are one edit away', () => {
    expect(countOf({})).toBe(0);
    expect(countOf({ matches: [near(10_000), near(9_999), near(10_000, 2), near(10_000, 2, true)] })).toBe(2);
  });

  it('are unknown when others may exist beyond those found', () => {
    expect(countOf({ followers: null })).toBeNull();
    expect(countOf({ isCapped: true })).toBeNull();
    expect(countOf({ isComparable: false })).toBeNull();
    expect(countOf({ matches: [near(null)] })).toBeNull();
    expect(countOf({ matches: [near(null, 2, true)] })).toBeNull();
    // Two edits away and no look-alike, however large.
    expect(countOf({ matches: [near(null, 2)] })).toBe(0);
    // Accounts with ten times its followers are too small to be indexed.
    expect(countOf({ followers: 98 })).toBeNull();
    expect(countOf({ followers: 99 })).toBe(0);
  });

  it('are known once one is found', () => {
    const matches = [near(10_000), near(null)];
    expect(countOf({ matches, isCapped: true, isComparable: false })).toBe(1);
    expect(countOf({ followers: 9, matches: [near(100)] })).toBe(1);
  });
});
