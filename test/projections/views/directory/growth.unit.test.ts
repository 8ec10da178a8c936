import { describe, expect, it } from 'vitest';
import { canonicalLink } from '../../../../src/kernel/text.ts';
import { grow, hasJumped } from '../../../../src/projections/views/directory/projection.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n, 12)).toISOString();

/** Grows a growth_samples by readings `[day, followers]` and returns the last figures. */
const grownBy = (...readings: [number, number | null][]) =>
  readings.reduce(
    (growth, [n, followers]) => grow(growth.growth_samples, day(n), followers),
    grow('', day(0), null),
  );

describe('growth', () => {
  it('is unknown before there is a reading that old', () => {
    expect(grownBy([0, 100])).toMatchObject({ growth_7d: null, growth_30d: null });
    expect(grownBy([0, 100], [6, 200])).toMatchObject({ growth_7d: null, growth_30d: null });
    expect(grownBy([0, 100], [7, 200])).toMatchObject({ growth_7d: 100, growth_30d: null });
    expect(grownBy([0, 100], [10, 150], [30, 90])).toMatchObject({ growth_7d: -60, growth_30d: -10 });
  });

  it('counts from the newest reading that is old enough, but not too old', () => {
    expect(grownBy([0, 1], [5, 2], [20, 3], [31, 10])).toMatchObject({ growth_7d: 7, growth_30d: 9 });
    expect(grownBy([0, 100], [61, 200])).toMatchObject({ growth_7d: null, growth_30d: null });
  });

  it('is unknown where followers are, and its samples stay', () => {
    const hidden = grownBy([0, 100], [8, null]);
    expect(hidden).toMatchObject({ growth_7d: null });
    expect(grow(hidden.growth_samples, day(9), 130).growth_7d).toBe(30);
  });

  it('keeps one point a day, and no more than needed', () => {
    let growth_samples = '';
    for (let n = 0; n < 200; n++) {
      growth_samples = grow(growth_samples, day(n), n).growth_samples;
      growth_samples = grow(growth_samples, day(n), n + 0.5).growth_samples;
    }
    const points = growth_samples.split(',');
    expect(points.length).toBeLessThanOrEqual(32);
    expect(grow(growth_samples, day(200), 200)).toMatchObject({ growth_7d: 7, growth_30d: 30 });
  });
});

describe('a jump', () => {
  it('is a fifth and a thousand at once', () => {
    expect(hasJumped(10_000, 12_000)).toBe(true);
    expect(hasJumped(10_000, 8_000)).toBe(true);
    expect(hasJumped(10_000, 11_999)).toBe(false);
    expect(hasJumped(100, 900)).toBe(false);
    expect(hasJumped(0, 1_000)).toBe(true);
    expect(hasJumped(null, 1_000_000)).toBe(false);
  });
});

describe('a link', () => {
  it('has one form for the same page', () => {
    expect(canonicalLink('https://www.Example.com/a/?utm=1#x')).toBe('example.com/a');
    expect(canonicalLink('http://example.com/a')).toBe('example.com/a');
    expect(canonicalLink('https://example.com')).toBe('example.com');
    expect(canonicalLink('not a link')).toBeNull();
  });
});
