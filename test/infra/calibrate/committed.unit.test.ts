import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { exactInterval } from '../../../infra/calibrate/coverage.ts';
import { type Measured, measureWorld } from '../../../infra/calibrate/measure.ts';
import { AT } from '../../../infra/calibrate/observed.ts';
import { covers, errorOf } from '../../../infra/calibrate/summary.ts';
import { DEFAULT_PARAMETERS, hashOf } from '../../../infra/simulator/world/parameters.ts';
import { createWorld } from '../../../infra/simulator/world/world.ts';

const PAGE = new URL('../../../docs/methods/insights.md', import.meta.url);
/** Another population than those of the page. */
const SEED = 3_001;
/** Normal quantile of 99.9 %. */
const Z = 3.29;
/** Fewer accounts say nothing of a coverage. */
const LEAST = 100;

interface Row {
  readonly figure: string;
  readonly few: boolean;
  readonly error: number;
  readonly coverage: number;
}

/** Rows of the page's table of the default world: figure, accounts, median error, coverage, … */
const rowsOf = (page: string): readonly Row[] =>
  [...page.matchAll(/^\| `(\w+)`( \*)? \| [\d,]+ \| ([\d.]+) (?:%|points) \| ([\d.]+) %/gm)].map(
    ([, figure = '', star, error, coverage]) => ({
      figure,
      few: star !== undefined,
      error: Number(error),
      coverage: Number(coverage) / 100,
    }),
  );

describe('the committed table of insights', { tags: 'long' }, () => {
  let page: string;
  let measured: Measured;

  beforeAll(async () => {
    page = await readFile(PAGE, 'utf8');
    const world = createWorld({ seed: SEED, size: 200_000, clock: { now: () => AT } });
    measured = measureWorld(world, {
      platform: 'x',
      accounts: 600,
      engaged: 150,
      windowDays: 30,
      effectDays: 365,
    });
  });

  const answered = ({ figure, few }: Row) =>
    measured.results.filter((one) => one.figure === figure && one.few === few && one.value !== null);

  it('is of the default document', () => {
    expect(page).toContain(hashOf(DEFAULT_PARAMETERS));
  });

  it('has coverages that a smaller population of the same world confirms', () => {
    const judged = rowsOf(page).filter((row) => answered(row).length >= LEAST);
    expect(judged.length).toBeGreaterThanOrEqual(12);
    for (const row of judged) {
      const some = answered(row);
      const [low, high] = exactInterval(some.filter(covers).length, some.length, 0.999);
      expect(row.coverage, row.figure).toBeGreaterThanOrEqual(low - 0.0005);
      expect(row.coverage, row.figure).toBeLessThanOrEqual(high + 0.0005);
    }
  });

  it('has median errors that it confirms too', () => {
    // The 200 nearest accounts of a smaller population are others: not so near, and more spread.
    for (const row of rowsOf(page).filter(({ figure }) => figure !== 'percentile')) {
      const errors = answered(row)
        .map((one) => errorOf(one) * (/pct$|^percentile$/.test(one.figure) ? 1 : 100))
        .sort((a, b) => a - b);
      const n = errors.length;
      if (n < LEAST) continue;
      const reach = (Z / 2) * Math.sqrt(n);
      const [low, high] = [Math.floor(n / 2 - reach), Math.ceil(n / 2 + reach)].map(
        (rank) => errors[rank] as number,
      );
      expect(row.error, row.figure).toBeGreaterThanOrEqual((low as number) * 0.99);
      expect(row.error, row.figure).toBeLessThanOrEqual((high as number) * 1.01);
    }
  });

  it('has false discoveries that stay below 7 % of the accounts without an effect', () => {
    const tests = new Set(measured.decisions.map(({ test }) => test));
    for (const test of tests) {
      const without = measured.decisions.filter((one) => one.test === test && !one.is);
      const [low] = exactInterval(without.filter(({ found }) => found).length, without.length, 0.999);
      expect(low, test).toBeLessThanOrEqual(0.07);
    }
  });
});
