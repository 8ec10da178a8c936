import { describe, expect, it } from 'vitest';
import { compare, FIXED, ORACLE, OURS } from '../../bench/refresh/compare.ts';
import { errorsOf, gainOf, judge, SHARE_BAR } from '../../bench/refresh/judge.ts';
import { pictureOf } from '../../bench/refresh/picture.ts';
import { ours } from '../../bench/refresh/policies/ours.ts';
import { crawl } from '../../bench/refresh/simulate.ts';
import { readPopulation, STEPS_A_WEEK } from '../../bench/refresh/trajectories.ts';
import { drawParameters } from '../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS } from '../../infra/simulator/world/parameters.ts';

/** As `bench:refresh` measures it, with few accounts and half the time. */
const SMALL = { accounts: 140, gapDays: 7, learnWeeks: 16, weeks: 26 };
const SEEDS = [1, 2];

describe('the refresh rule', () => {
  it.each([
    { name: 'the default world', world: DEFAULT_PARAMETERS },
    { name: 'a drawn world', world: drawParameters(1) },
  ])('has 80 % of the oracle’s gain over fixed intervals in $name', { tags: 'long' }, ({ world }) => {
    const { share, oracleGain } = judge(compare(world, SEEDS, SMALL, { only: [FIXED, OURS, ORACLE] }));
    expect(oracleGain).toBeGreaterThan(0.1);
    expect(share).toBeGreaterThanOrEqual(SHARE_BAR);
  });

  it('takes no more requests than the others, and leaves no account unread', () => {
    const { outcomes } = compare(DEFAULT_PARAMETERS, [3], { ...SMALL, accounts: 56 });
    const [ours] = outcomes[OURS] ?? [];
    const most = (56 / SMALL.gapDays) * 7 * SMALL.weeks;
    for (const [policy, [outcome]] of Object.entries(outcomes))
      expect(outcome?.requests, policy).toBeLessThanOrEqual(most + 56);
    expect(ours?.requests).toBeGreaterThan(0.95 * most);
    expect(ours?.neverRead).toBe(0);
  });
});

describe('the forecast of a pool', () => {
  it('predicts the rate and ages of the following crawl within 20 %', () => {
    const population = readPopulation({ parameters: DEFAULT_PARAMETERS, seed: 4, accounts: 140, weeks: 42 });
    let schedule: ReturnType<typeof ours> | undefined;
    const policy = (accounts: number) => {
      schedule = ours(accounts);
      return schedule;
    };
    const from = 16 * STEPS_A_WEEK;
    const { agesDays, requests } = crawl(policy, { population, seed: 4, gapDays: 7, from });
    const forecast = schedule?.forecast();
    const near = (figure: number | null | undefined, measured: number) =>
      expect(Math.abs((figure ?? 0) / measured - 1)).toBeLessThan(0.2);
    near(forecast?.readingsPerDay, requests / (26 * 7));
    near((forecast?.ageP50S ?? 0) / 86_400, agesDays.p50);
    near((forecast?.ageP95S ?? 0) / 86_400, agesDays.p95);
  });
});

describe('the comparison of refresh policies', () => {
  it('repeats itself, and differs between seeds', () => {
    const tiny = { ...SMALL, accounts: 28 };
    const [one, again, other] = [[5], [5], [6]].map((seeds) => compare(DEFAULT_PARAMETERS, seeds, tiny));
    if (one === undefined || again === undefined || other === undefined) throw new Error('not compared');
    expect(again).toEqual(one);
    expect(errorsOf(other, FIXED)).not.toEqual(errorsOf(one, FIXED));
    expect(gainOf(one, FIXED)).toBe(0);
    const picture = pictureOf([one, other], 'a < caption');
    for (const policy of Object.keys(one.outcomes)) expect(picture).toContain(`>${policy}<`);
    expect(picture).toContain('a &lt; caption');
  });
});
