import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CountedHour,
  type Counts,
  candidatesOf,
  dispersionOf,
  type FoundHour,
  findingsOf,
  formerBlocks,
  judge,
} from '../../../src/write/research/findings.ts';
import { normals } from '../../analysis/post-samples.ts';

const hours = (count: (hour: number) => number, exposure = 100, length = 336): readonly CountedHour[] =>
  Array.from({ length }, (_, hour) => ({ hour, count: count(hour), exposure, evidence: [`event ${hour}`] }));

/** Finds whose namers each named so many. */
const finds = (count: (hour: number) => number, each = 1): readonly FoundHour[] =>
  hours(count).map((hour) => ({ ...hour, namers: hour.count / each }));

describe('the dispersion of counts', () => {
  it('is one for counts that vary no more than independent ones', () => {
    expect(dispersionOf(hours(() => 10)).dispersion).toBe(1);
  });

  it('is Pearson’s statistic for counts that vary more', () => {
    // Around 10: 20 blocks of (10 ± 10)² / 10.
    const { dispersion, blocks } = dispersionOf(hours((hour) => (hour % 2) * 20, 100, 20));
    expect(blocks).toBe(20);
    expect(dispersion).toBeCloseTo((20 * 10) / 19, 4);
  });

  it('leaves out the time of day where blocks have the same hours', () => {
    const day = hours((hour) => (hour % 24 < 12 ? 20 : 2));
    const [all, daily] = [false, true].map((isDaily) =>
      dispersionOf(formerBlocks(day, 335, 6, 312, isDaily)),
    );
    expect(all?.dispersion).toBeGreaterThan(5);
    expect(daily?.dispersion).toBe(1);
  });
});

const QUIET: Counts = {
  now: 335,
  pools: ['a', 'b', 'c'].map((pool) => ({
    pool,
    platform: 'x',
    discovered: finds((hour) => 10 + (hour % 3)),
    demanded: hours((hour) => hour % 2, 1),
    jumps: hours((hour) => (hour % 12 === 0 ? 1 : 0)),
    late: { late: 10, accounts: 1_000, graceS: 7_200 },
  })),
  engines: [
    {
      engine: 'x',
      errors: hours((hour) => 3 + (hour % 3)),
      alarms: hours(() => 0, 1),
      renames: hours((hour) => (hour % 8 === 0 ? 1 : 0)),
    },
  ],
};

const [A] = QUIET.pools as [Counts['pools'][number]];
const [X] = QUIET.engines as [Counts['engines'][number]];
const withPool = (pool: Partial<typeof A>): Counts => ({
  ...QUIET,
  pools: [{ ...A, ...pool }, ...QUIET.pools.slice(1)],
});
const withEngine = (engine: Partial<typeof X>): Counts => ({ ...QUIET, engines: [{ ...X, ...engine }] });
const since = (hour: number, before: (hour: number) => number, after: number) => (each: number) =>
  each >= hour ? after : before(each);

describe('the rules of findings', () => {
  it('find nothing where nothing changes', () => {
    expect(findingsOf(QUIET)).toEqual([]);
  });

  it.each([
    ['pool_yield', 'a', withPool({ discovered: finds(since(312, () => 10, 60)) })],
    ['pool_exhausted', 'a', withPool({ discovered: finds(since(288, () => 10, 0)) })],
    ['pool_stale', 'a', withPool({ late: { late: 200, accounts: 1_000, graceS: 7_200 } })],
    [
      'demand_surge',
      'a',
      withPool({
        demanded: hours(
          since(330, (hour) => hour % 2, 9),
          1,
        ),
      }),
    ],
    ['engine_fault', 'x', withEngine({ errors: hours(since(334, () => 3, 70)) })],
    ['rename_wave', 'x', withEngine({ renames: hours(since(312, (hour) => (hour % 8 === 0 ? 1 : 0), 3)) })],
    ['growth_cluster', 'a', withPool({ jumps: hours(since(312, (hour) => (hour % 12 === 0 ? 1 : 0), 2)) })],
  ] as const)('find %s of %s, with the events of its hours', (kind, subject, counts) => {
    const found = findingsOf(counts);
    expect(found.map((each) => `${each.kind} ${each.subject}`)).toEqual([`${kind} ${subject}`]);
    const [finding] = found;
    expect(finding?.confidence).toBeGreaterThan(0.999);
    expect(finding?.evidence.length).toBeGreaterThan(0);
    expect(finding?.evidence.every((id) => Number(id.slice('event '.length)) >= 288)).toBe(true);
    expect(finding?.summary).toContain(subject);
  });

  it('find nothing where days differ by factors, as they did before', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = normals(seed);
        const pools = Array.from({ length: 40 }, (_, n) => {
          const factors = Array.from({ length: 14 }, () => Math.exp(draw()));
          return {
            ...A,
            pool: `p${n}`,
            jumps: hours((hour) => Math.round(3 * (factors[Math.floor(hour / 24)] as number))),
          };
        });
        expect(findingsOf({ ...QUIET, pools })).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('take the variance of a pool’s days from all pools, as far as these are alike', () => {
    /** Pools whose days alternate by so many jumps. */
    const variancesOf = (...swings: readonly number[]) =>
      candidatesOf({
        ...QUIET,
        pools: swings.map((swing, n) => ({
          ...A,
          pool: `p${n}`,
          jumps: hours((hour) => (hour % 12 === 0 ? 3 + swing * (Math.floor(hour / 24) % 2) : 0)),
        })),
      }).flatMap(({ kind, metrics }) => (kind === 'growth_cluster' ? [metrics] : []));
    const alike = variancesOf(3, 3, 3, 4, 4, 4);
    expect(alike.every(({ ln_df: df }) => (df as number) > 100)).toBe(true);
    expect(alike[0]?.ln_variance).toBeCloseTo(alike[5]?.ln_variance as number, 1);
    const [calm, , , , , wild] = variancesOf(1, 1, 1, 1, 1, 60);
    expect((wild?.ln_variance as number) / (calm?.ln_variance as number)).toBeGreaterThan(10);
    expect(wild?.ln_df).toBeLessThan(20);
  });

  it('find a degraded engine, whatever its counts are', () => {
    const [finding] = findingsOf(
      withEngine({
        alarms: hours(
          since(335, () => 0, 1),
          1,
        ),
      }),
    );
    expect(finding).toMatchObject({ kind: 'engine_fault', subject: 'x' });
    expect(finding?.summary).toContain('found degraded once');
  });

  it('find no fault in a tolerable share of inconclusive readings', () => {
    expect(findingsOf(withEngine({ errors: hours(since(334, () => 1, 15)) }))).toEqual([]);
  });

  it('take what one account names as one observation, and say how many accounts named it', () => {
    const yields = (each: number) =>
      findingsOf(
        withPool({
          discovered: finds(
            since(312, () => 10, 60),
            each,
          ),
        }),
      ).filter(({ kind }) => kind === 'pool_yield');
    expect(yields(1)).toMatchObject([{ metrics: { namers: 24 * 60, count: 24 * 60 } }]);
    expect(yields(1)[0]?.summary).toContain('named by 1440 accounts');
    expect(yields(24 * 60)).toEqual([]);
  });

  it('follow from the recorded metrics alone', () => {
    const counts = withPool({ discovered: finds(since(312, () => 10, 60)) });
    for (const finding of findingsOf(counts)) {
      const { kind, subject, metrics, evidence } = finding;
      expect(judge({ kind, subject, metrics: JSON.parse(JSON.stringify(metrics)), evidence })).toEqual(
        finding,
      );
    }
  });

  it('look at each hour of a pool as often, however many pools there are', () => {
    const looksAt = (pools: number): number => {
      let looks = 0;
      const counted = finds(() => 10).map((each) =>
        Object.defineProperty({ ...each }, 'hour', {
          get: () => {
            looks++;
            return each.hour;
          },
        }),
      );
      candidatesOf({
        ...QUIET,
        pools: Array.from({ length: pools }, (_, n) => ({ ...A, pool: `p${n}`, discovered: counted })),
      });
      return looks / pools;
    };
    expect(looksAt(80)).toBe(looksAt(20));
  });

  it('compare a pool with the others of its platform, and an only one with all others', () => {
    const [a, b, c] = QUIET.pools as [typeof A, typeof A, typeof A];
    const alone = { ...c, pool: 'd', platform: 'tiktok', discovered: finds(() => 3) };
    const yields = candidatesOf({ ...QUIET, pools: [a, b, alone] }).filter(
      ({ kind }) => kind === 'pool_yield',
    );
    const day = (pool: typeof A) =>
      pool.discovered.filter(({ hour }) => hour > 335 - 24).reduce((sum, { count }) => sum + count, 0);
    expect(yields.map(({ metrics }) => metrics.baseline_count)).toEqual([day(b), day(a), day(a) + day(b)]);
  });

  it('share the probability of a false finding among the tests of a run', () => {
    const [one] = candidatesOf(QUIET);
    expect(one?.metrics.alpha).toBeCloseTo(0.01 / (3 * 5 + 2), 8);
  });
});
