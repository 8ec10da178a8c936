import { beforeAll, describe, expect, it } from 'vitest';
import { exactInterval } from '../../../infra/calibrate/coverage.ts';
import { type MarketMeasured, measureMarket } from '../../../infra/calibrate/market.ts';
import { AT } from '../../../infra/calibrate/observed.ts';
import { measureProjections, type ProjectionsMeasured } from '../../../infra/calibrate/projections.ts';
import {
  measureReactions,
  REACTION_FIGURES,
  type ReactionsMeasured,
} from '../../../infra/calibrate/reactions.ts';
import { toolMisses, toolSummaries } from '../../../infra/calibrate/tools.ts';
import { drawParameters } from '../../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS } from '../../../infra/simulator/world/parameters.ts';
import { createWorld } from '../../../infra/simulator/world/world.ts';

/** The default document, and one that was used for nothing else. */
describe.each([
  ['the default world', DEFAULT_PARAMETERS],
  ['a drawn world', drawParameters(131)],
])('what tools state in %s', { tags: 'long' }, (_, parameters) => {
  let market: MarketMeasured;
  let growth: ProjectionsMeasured;
  let alone: ProjectionsMeasured;
  let reactions: ReactionsMeasured;

  beforeAll(() => {
    const world = createWorld({ seed: 3_003, size: 40_000, parameters, clock: { now: () => AT } });
    market = measureMarket(world, { known: 120, judged: 80, placements: 150 });
    reactions = measureReactions(world, 150);
    growth = measureProjections(world, { days: [30], known: 200, judged: 60, times: 4 });
    alone = measureProjections(world, { days: [30, 90], known: 1, judged: 60, times: 4, alone: true });
  });

  it('is within 1.3 times the noise of prices for sold accounts, four fifths within bounds', () => {
    const sales = market.priced.filter(({ figure }) => figure === 'valuation');
    expect(sales.length).toBeGreaterThan(400);
    const errors = sales.map(({ error }) => Math.abs(error)).sort((a, b) => a - b);
    expect(errors[errors.length >> 1]).toBeLessThan(1.3 * 0.6745 * parameters.market.noise);
    const hits = sales.filter(({ isCovered }) => isCovered).length;
    const [low, high] = exactInterval(hits, sales.length, 0.999);
    expect(low).toBeLessThan(0.83);
    expect(high).toBeGreaterThan(0.77);
  });

  it('covers four fifths of the prices of placements', () => {
    const posts = market.priced.filter(({ figure }) => figure === 'post_price');
    expect(posts.length).toBeGreaterThan(50);
    const [low, high] = exactInterval(posts.filter(({ isCovered }) => isCovered).length, posts.length, 0.999);
    expect(low).toBeLessThan(0.85);
    expect(high).toBeGreaterThan(0.75);
  });

  it('is nearer to future followers than a random walk with drift, within its bands as often as they say', () => {
    const { projected } = growth;
    expect(projected.length).toBeGreaterThan(1_000);
    const sum = (of: 'error' | 'baseline') => projected.reduce((total, one) => total + Math.abs(one[of]), 0);
    expect(sum('error')).toBeLessThan(sum('baseline'));
    const fine = projected.filter(({ few }) => !few);
    const shareOf = (of: 'in50' | 'in95') =>
      exactInterval(fine.filter((one) => one[of]).length, fine.length, 0.999);
    expect(shareOf('in50')[0]).toBeLessThan(0.55);
    expect(shareOf('in50')[1]).toBeGreaterThan(0.45);
    expect(shareOf('in95')[0]).toBeLessThan(0.97);
    expect(shareOf('in95')[1]).toBeGreaterThan(0.93);
  });

  it('has bands that hold by an account’s own readings, or none so far ahead', () => {
    const { projected } = alone;
    expect(new Set(projected.map(({ days }) => days))).toEqual(new Set([30]));
    expect(projected.length).toBeGreaterThan(800);
    expect(projected.filter(({ in95 }) => in95).length / projected.length).toBeGreaterThan(0.93);
  });

  it('covers true reactions at least as often as its intervals say', () => {
    for (const figure of REACTION_FIGURES) {
      const own = reactions.results.filter((one) => one.figure === figure);
      expect(own.length, figure).toBeGreaterThan(80);
      const [, high] = exactInterval(own.filter(({ isCovered }) => isCovered).length, own.length, 0.999);
      expect(high, figure).toBeGreaterThan(0.93);
    }
  });

  it('is judged by the bars of the design', () => {
    const lacking = { ...market.lacking, growth: growth.lacking, reactions: reactions.lacking };
    const measured = {
      ...market,
      ...growth,
      alone: alone.projected,
      reactions: reactions.results,
      lacking,
    };
    const summaries = toolSummaries(measured, parameters);
    expect(summaries.map(({ figure }) => figure)).toContain('valuation');
    const off = market.priced.map((one) => ({ ...one, isCovered: true, error: 9 }));
    expect(toolMisses(toolSummaries({ ...measured, priced: off }, parameters))).toContain(
      'valuation: coverage above 83 %',
    );
  });
});
