import { describe, expect, it } from 'vitest';
import { EQUAL_BAR, judge, ORACLE_BAR, totalsOf } from '../../bench/research/judge.ts';
import { pictureOf } from '../../bench/research/picture.ts';
import { falseAlarms, recallOf } from '../../bench/research/recall.ts';
import { compare, EQUAL, ORACLE, OURS } from '../../bench/research/simulate.ts';
import { createPools, POOLS } from '../../bench/research/world.ts';
import { drawParameters } from '../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS, type Parameters } from '../../infra/simulator/world/parameters.ts';

const SMALL = { hours: 240, requestsPerHour: 150 };

describe('the policy of research', () => {
  const expectBars = (world: Parameters) => {
    const { ofEqual, ofOracle } = judge(compare(world, [1, 2, 3], SMALL));
    expect(ofEqual.mean).toBeGreaterThanOrEqual(EQUAL_BAR);
    expect(ofOracle.mean).toBeGreaterThanOrEqual(ORACLE_BAR);
  };

  it('finds 1.5 times what equal shares find and 0.75 of the oracle', { tags: 'long' }, () =>
    expectBars(DEFAULT_PARAMETERS),
  );

  it('holds in a drawn world as well', { tags: 'long' }, () => expectBars(drawParameters(1)));
});

describe('the rules of findings', () => {
  const seeds = [21, 22, 23, 24, 25, 26];

  const STRONG = {
    pool_yield: 6,
    pool_exhausted: 0.01,
    pool_stale: 0.2,
    demand_surge: 15,
    engine_fault: 20,
    rename_wave: 30,
    growth_cluster: 20,
  };
  it.each(Object.entries(STRONG) as [keyof typeof STRONG, number][])(
    'find %s in nine of ten scenarios where rates change by a factor of %d',
    { tags: 'long' },
    (kind, strength) => {
      const [recall] = recallOf(DEFAULT_PARAMETERS, seeds, [kind], strength);
      expect(recall?.found).toBeGreaterThanOrEqual(0.9 * seeds.length);
    },
  );

  it.each([false, true])('find nothing false in quiet runs, clustered: %s', (isClustered) => {
    const found = falseAlarms(DEFAULT_PARAMETERS, seeds, isClustered).flat();
    expect(found.map(({ summary }) => summary)).toEqual([]);
  });
});

describe('the comparison of policies', () => {
  const result = compare(DEFAULT_PARAMETERS, [5, 6], { hours: 60, requestsPerHour: 100 });

  it('repeats itself, and differs between seeds', () => {
    expect(compare(DEFAULT_PARAMETERS, [5, 6], { hours: 60, requestsPerHour: 100 })).toEqual(result);
    expect(new Set(totalsOf(result, EQUAL)).size).toBe(2);
  });

  it('has no policy that beats the oracle', () => {
    for (const policy of Object.keys(result))
      for (const [n, total] of totalsOf(result, policy).entries())
        expect(total, policy).toBeLessThanOrEqual(totalsOf(result, ORACLE)[n] as number);
  });

  it('draws the regret of every policy but the oracle', () => {
    const picture = pictureOf(result, 'abc', 'two seeds <of many>');
    expect(picture.match(/<polyline/g)).toHaveLength(Object.keys(result).length - 1);
    expect(picture).toContain(OURS);
    expect(picture).toContain('two seeds &lt;of many>');
  });
});

describe('pools of the world', () => {
  it('dry up as they are read', () => {
    const pools = createPools(DEFAULT_PARAMETERS, 3, 100);
    const best = (yields: readonly number[]) => yields.indexOf(Math.max(...yields));
    const pool = best(pools.yields());
    const before = pools.yields()[pool] as number;
    pools.read(pool, 100_000);
    expect(pools.yields()[pool] as number).toBeLessThan(0.8 * before);
  });

  it('drift by themselves; some are dead, and some gain newcomers', () => {
    const pools = createPools(drawParameters(2), 3, 400);
    const before = pools.yields();
    expect(before).toHaveLength(POOLS);
    expect(Math.max(...before) / Math.min(...before.filter((each) => each > 0))).toBeGreaterThan(30);
    for (let hour = 0; hour < 200; hour++) pools.next();
    const ratios = pools.yields().map((each, n) => each / (before[n] as number));
    expect(ratios.some((ratio) => ratio > 1.5)).toBe(true);
    expect(ratios.some((ratio) => ratio < 0.7)).toBe(true);
  });
});
