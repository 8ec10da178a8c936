import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_LIMITS,
  decide,
  drawPools,
  type Figures,
  type PoolInput,
  withPriors,
} from '../../../src/write/research/policy.ts';

const LIMITS = DEFAULT_LIMITS;
const FIGURES: Figures = {
  share: 1,
  share_least: 1,
  share_greatest: 1,
  size_cap: 1_000,
  size_cap_least: 1_000,
  accounts: 10,
  requests: 1_000,
  discovered: 100,
  namers: 100,
  prior: 100,
  may_change: 1,
};

const input = (pool: string, figures: Partial<Figures> = {}, platform = 'x'): PoolInput => ({
  pool,
  platform,
  figures: { ...FIGURES, ...figures },
});

const decided = (pools: readonly PoolInput[], limits = LIMITS, seed = 9) =>
  new Map(decide('run', drawPools(seed, withPriors(pools), limits), limits).map((each) => [each.pool, each]));

const SEED = fc.integer({ min: 0, max: 2 ** 32 - 1 });

/** Up to so many pools of one platform, with any figures and whatever was changed within the hour. */
const inputsOf = (most: number, mayChange: fc.Arbitrary<number>) =>
  fc
    .array(
      fc.record({
        share: fc.double({ min: 0.01, max: 100, noNaN: true }),
        down: fc.double({ min: 1, max: 2, noNaN: true }),
        up: fc.double({ min: 1, max: 2, noNaN: true }),
        requests: fc.integer({ min: 0, max: 10_000 }),
        discovered: fc.integer({ min: 0, max: 5_000 }),
        accounts: fc.integer({ min: 0, max: 1_000 }),
        may_change: mayChange,
      }),
      { minLength: 1, maxLength: most },
    )
    .map((drawn) =>
      drawn.map(({ share, down, up, ...rest }, n) =>
        input(`pool-${n}`, { share, share_least: share / down, share_greatest: share * up, ...rest }),
      ),
    );

describe('the policy of research', () => {
  it('gives the pool that discovers most a larger share, and the others a smaller one', () => {
    const found = decided([input('a', { discovered: 400 }), input('b'), input('c')]);
    expect(found.get('a')).toMatchObject({ action: 'expand', tuning: { share: 2 } });
    expect(found.get('b')).toMatchObject({ action: 'shrink', tuning: { share: 0.5 } });
    expect(found.get('c')).toMatchObject({ action: 'shrink', tuning: { share: 0.5 } });
  });

  it('keeps a floor for a pool that discovers nothing', () => {
    const free = { ...LIMITS, share_factor_per_hour: 1e6 };
    const found = decided([input('a'), input('b', { discovered: 0 })], free);
    expect(found.get('b')?.tuning.share).toBeCloseTo(LIMITS.floor, 5);
  });

  it('holds platforms with one pool, and shares that hardly change', () => {
    expect(decided([input('a')]).get('a')).toMatchObject({ action: 'hold', tuning: {} });
  });

  it('holds all pools of a platform while nothing was read for them', () => {
    const none = { requests: 0, discovered: 0 };
    const found = decided(['a', 'b', 'c'].map((pool) => input(pool, none)));
    expect([...found.values()].map(({ action }) => action)).toEqual(['hold', 'hold', 'hold']);
  });

  it('compares pools of one platform only', () => {
    const found = decided([input('a'), input('b', { discovered: 0 }, 'tiktok')]);
    expect([...found.values()].map(({ action }) => action)).toEqual(['hold', 'hold']);
  });

  it('holds all pools if it may change none', () => {
    const found = decided([input('a', { may_change: 0 }), input('b', { may_change: 0, discovered: 0 })]);
    expect([...found.values()].map(({ action }) => action)).toEqual(['hold', 'hold']);
  });

  it('leaves a pool that it may not change, and the sum of the others', () => {
    const found = decided([
      input('a', { may_change: 0, discovered: 900 }),
      input('b'),
      input('c', { discovered: 0 }),
    ]);
    expect(found.get('a')).toMatchObject({ action: 'hold', tuning: {} });
    const shares = ['b', 'c'].map((pool) => found.get(pool)?.tuning.share ?? 1);
    expect(shares[0]).toBeGreaterThan(1);
    expect((shares[0] ?? 0) + (shares[1] ?? 0)).toBeCloseTo(2, 4);
  });

  it('raises only the cap of a full pool that is worth its share', () => {
    const full = { accounts: 900 };
    const found = decided([input('a', { ...full, discovered: 300 }), input('b', { ...full, discovered: 1 })]);
    expect(found.get('a')?.tuning.size_cap).toBe(1_500);
    expect(found.get('b')?.tuning.size_cap).toBeUndefined();
  });

  it('never exceeds the hourly limits, however many runs there were', () => {
    fc.assert(
      fc.property(inputsOf(8, fc.constant(1)), SEED, (inputs, seed) => {
        const found = decided(inputs, LIMITS, seed);
        for (const { pool, figures } of inputs) {
          const { share = figures.share, size_cap = figures.size_cap } = found.get(pool)?.tuning ?? {};
          expect(share).toBeLessThanOrEqual(Math.max(figures.share, 2 * figures.share_least) * (1 + 1e-5));
          expect(share).toBeGreaterThanOrEqual(
            Math.min(figures.share, figures.share_greatest / 2) * (1 - 1e-5),
          );
          expect(size_cap).toBeLessThanOrEqual(1_500);
        }
      }),
      { seed: 27, numRuns: 300 },
    );
  });

  it('keeps the sum of a platform’s shares, whichever pools are held', () => {
    fc.assert(
      fc.property(inputsOf(40, fc.constantFrom(0, 1)), SEED, (inputs, seed) => {
        const found = decided(inputs, LIMITS, seed);
        const before = inputs.reduce((sum, { figures }) => sum + figures.share, 0);
        const after = inputs.reduce(
          (sum, { pool, figures }) => sum + (found.get(pool)?.tuning.share ?? figures.share),
          0,
        );
        expect(Math.abs(after / before - 1)).toBeLessThan(2e-5);
      }),
      { seed: 27, numRuns: 500 },
    );
  });

  it('keeps the sum although one pool’s change is spread over many held ones', () => {
    const draws = (best: number, rounds: number) =>
      Array.from({ length: 64 }, (_, round) => (round % rounds === best ? 2 : 1));
    const pools = Array.from({ length: 40 }, (_, n) => ({ ...input(`pool-${n}`), draws: draws(n, 40) }));
    const one = pools.map((each, n) => (n === 0 ? { ...each, draws: each.draws.map(() => 3) } : each));
    const found = decide('run', one, LIMITS);
    expect(found[0]?.tuning.share).toBe(2);
    expect(found.reduce((sum, { tuning }) => sum + (tuning.share ?? 1), 0)).toBeCloseTo(40, 3);
    const touched = found.filter(({ action }) => action !== 'hold');
    expect(touched.length).toBeLessThan(20);
  });

  it('leaves three pools alone that win about as often', () => {
    const wins = [24, 20, 20];
    const of = (pool: number) => {
      const from = wins.slice(0, pool).reduce((a, b) => a + b, 0);
      return Array.from({ length: 64 }, (_, round) =>
        round >= from && round < from + (wins[pool] as number) ? 2 : 1,
      );
    };
    const pools = ['a', 'b', 'c'].map((pool, n) => ({ ...input(pool), draws: of(n) }));
    const shares = decide('run', pools, LIMITS).map(({ tuning }) => tuning.share ?? 1);
    expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(3, 5);
  });

  it('gives a decision the same ID in any process, and another one in another run', () => {
    const pools = drawPools(1, [input('a')], LIMITS);
    const [one] = decide('run', pools, LIMITS);
    expect(decide('run', pools, LIMITS)[0]?.decision).toBe(one?.decision);
    expect(decide('other', pools, LIMITS)[0]?.decision).not.toBe(one?.decision);
  });
});
