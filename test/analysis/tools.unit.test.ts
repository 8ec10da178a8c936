import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountAgeOf, accountScore, timeOfId, usernameScore } from '../../src/analysis/account-scores.ts';
import { rankInLadder } from '../../src/analysis/percentiles.ts';
import { seededRandom } from '../../src/kernel/random.ts';

const NOW = Date.UTC(2026, 9, 31);

describe('the time in an ID', () => {
  it('matches published examples', () => {
    // Twitter's documentation of snowflakes: 1541815603606036480 is of 2022-06-28T16:07:40.105Z.
    expect(new Date(timeOfId('x', '1541815603606036480', NOW) ?? 0).toISOString()).toBe(
      '2022-06-28T16:07:40.105Z',
    );
    // 6,000,000,000 × 2^32 is before its platform's time; the seconds are the upper half.
    const seconds = 1_600_000_000;
    expect(timeOfId('tiktok', String(BigInt(seconds) << 32n), NOW)).toBe(seconds * 1_000);
  });

  it('is unknown for sequential IDs, other platforms, and times to come', () => {
    expect(timeOfId('x', '11348282', NOW)).toBeNull();
    expect(timeOfId('instagram', '1541815603606036480', NOW)).toBeNull();
    expect(timeOfId('x', '9999999999999999999', NOW)).toBeNull();
    expect(timeOfId('tiktok', '12345', NOW)).toBeNull();
    expect(timeOfId('x', null, NOW)).toBeNull();
    expect(timeOfId('x', 'did:plc:abc', NOW)).toBeNull();
  });

  it('gives way to the time that the profile states', () => {
    const account = {
      platform: 'x',
      id: '1541815603606036480',
      first_seen_at: '2026-01-01T00:00:00.000Z',
    } as const;
    expect(accountAgeOf({ ...account, created_at: '2026-10-01T00:00:00.000Z' }, NOW)).toMatchObject({
      basis: 'profile',
      ageDays: 30,
    });
    expect(accountAgeOf({ ...account, created_at: null }, NOW).basis).toBe('id');
    expect(accountAgeOf({ ...account, id: null, created_at: null }, NOW)).toEqual({
      createdMs: null,
      ageDays: 303,
      isLeast: true,
      basis: 'first_seen',
    });
  });
});

describe('a rank in a ladder', () => {
  const ladder = fc
    .array(fc.nat({ max: 1_000_000 }), { minLength: 101, maxLength: 101 })
    .map((points) => points.toSorted((a, b) => a - b));

  it('never falls as the value rises, and lies within the rounding', () => {
    fc.assert(
      fc.property(ladder, fc.nat({ max: 1_100_000 }), fc.nat({ max: 1_100_000 }), (points, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map((value) =>
          rankInLadder(points, 500, value),
        );
        expect(less?.percentile).toBeLessThanOrEqual(more?.percentile as number);
        for (const { percentile, low, high, ...ranks } of [less, more] as ReturnType<typeof rankInLadder>[]) {
          expect(low <= percentile && percentile <= high && low >= 0 && high <= 100).toBe(true);
          expect(1 <= ranks.rankLow && ranks.rankLow <= ranks.rank).toBe(true);
          expect(ranks.rank <= ranks.rankHigh && ranks.rankHigh <= 500).toBe(true);
        }
      }),
    );
  });

  it.each([30, 99, 101, 5_000])('bounds the rank of every account in a long-tailed population of %i', (n) => {
    const random = seededRandom(7);
    const values = Array.from({ length: n }, () => Math.round(10 / (1 - random.next()))).toSorted(
      (a, b) => a - b,
    );
    const points = Array.from({ length: 101 }, (_, k) => values[Math.floor((k * (n - 1)) / 100)] as number);
    for (let i = 0; i < n; i += i < n - 300 ? 97 : 1) {
      const value = values[i] as number;
      const less = values.findIndex((other) => other >= value);
      const rank = values.filter((other) => other > value).length + 1;
      const { low, high, rankLow, rankHigh } = rankInLadder(points, n, value);
      expect(low <= (100 * less) / n && (100 * less) / n <= high, `${i}`).toBe(true);
      expect(rankLow <= rank && rank <= rankHigh, `${i}`).toBe(true);
    }
  });

  it('interpolates between percentiles at a constant factor', () => {
    // By Pareto's law, of which 5,000 and 10,000 are the last two percentiles; 98.59 % have less than 7,071.
    const points = Array.from({ length: 101 }, (_, k) => (k === 100 ? 1_000_000 : 100 / (1 - k / 100)));
    expect(rankInLadder(points, 50_000, Math.sqrt(5_000 * 10_000)).percentile).toBeCloseTo(98.5, 2);
  });

  it('resolves the first percent no further than its first ranks', () => {
    const points = Array.from({ length: 101 }, (_, k) => (k === 100 ? 1_000_000 : 100 / (1 - k / 100)));
    expect(rankInLadder(points, 50_000, 200_000)).toMatchObject({
      low: 99,
      rankLow: 2,
      rankHigh: 500,
    });
  });

  it('is first above all values and last below them', () => {
    const points = Array.from({ length: 101 }, (_, n) => 10 + n);
    expect(rankInLadder(points, 1_000, 5_000)).toMatchObject({ percentile: 100, rank: 1 });
    expect(rankInLadder(points, 1_000, 1)).toMatchObject({ percentile: 0, rank: 1_000 });
    expect(rankInLadder(points, 1_000, 60).percentile).toBeCloseTo(50, 5);
  });
});

describe('the score of a name', () => {
  it('is the weighted sum of its parts, from 0 to 100', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }), (name) => {
        const { score, parts } = usernameScore(name);
        expect(score).toBeCloseTo(
          parts.reduce((sum, { value, weight }) => sum + value * weight, 0),
          9,
        );
        expect(score >= 0 && score <= 100).toBe(true);
        for (const { value } of parts) expect(value >= 0 && value <= 1).toBe(true);
      }),
    );
  });

  it('prefers short, pronounceable names of letters', () => {
    const scores = ['nasa', 'nasa_hq', 'nasa_1998_x', 'xqzt_99182_kk', '99182'].map(
      (name) => usernameScore(name).score,
    );
    expect(scores.slice(0, 4)).toEqual(scores.slice(0, 4).toSorted((a, b) => b - a));
    expect(usernameScore('99182').pattern).toBe('digits');
  });
});

describe('the score of an account', () => {
  const POINTS = {
    followersPercentile: 25,
    engagementPercentile: 30,
    growthPerDayPct: 15,
    postsPerWeek: 10,
    ageYears: 10,
    reactionFlags: 10,
  };
  const value = fc.option(fc.double({ min: 0, max: 100, noNaN: true }));

  it('rests on the points of its known parts, and on 70 at least', () => {
    fc.assert(
      fc.property(
        fc.record({
          followersPercentile: value,
          engagementPercentile: value,
          growthPerDayPct: value,
          postsPerWeek: value,
          ageYears: value,
          reactionFlags: value,
        }),
        (account) => {
          const rests = Object.entries(POINTS).reduce(
            (sum, [name, points]) => sum + (account[name as keyof typeof POINTS] === null ? 0 : points),
            0,
          );
          const { total, known } = accountScore(account);
          expect(known).toBe(rests);
          expect(total === null).toBe(rests < 70);
        },
      ),
    );
  });
});
