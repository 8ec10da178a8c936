import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { exactInterval } from '../../../infra/calibrate/coverage.ts';
import { type Asked, examplesOf } from '../../../infra/calibrate/impersonation/examples.ts';
import { estimate, patternsOf } from '../../../infra/calibrate/impersonation/fit.ts';
import { precisionAndRecall, recallAt, scoredOf } from '../../../infra/calibrate/impersonation/measure.ts';
import { impersonationSummary } from '../../../infra/calibrate/impersonation/summary.ts';
import { populationOf } from '../../../infra/calibrate/people/population.ts';
import { drawParameters } from '../../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS, hashOf } from '../../../infra/simulator/world/parameters.ts';
import {
  impersonationLogOdds,
  MODEL_WEIGHTS,
  PART_NAMES,
  type Parts,
  THRESHOLDS,
} from '../../../src/write/people/impersonation.ts';

const PAGE = new URL('../../../docs/methods/people.md', import.meta.url);
/** Other populations than those of the page. */
const SEEDS = [6_001, 6_002, 6_003];
const CONFIDENCE = 0.999;

interface Row {
  readonly hash: string;
  readonly precision: number;
  readonly recall: number;
  readonly best: number;
}

/** Rows of the page's table: world, option, impersonators, precision, recall, …, recall of any account. */
const rowsOf = (page: string): readonly Row[] =>
  [
    ...page.matchAll(
      /^\| ([0-9a-f]{16})[^|]*\|[^|]*\|[^|]*\| ([\d.]+) %[^|]*\| ([\d.]+) %[^|]*\|[^|]*\|[^|]*\| ([\d.]+) %/gm,
    ),
  ].map(([, hash = '', precision, recall, best]) => ({
    hash,
    precision: Number(precision) / 100,
    recall: Number(recall) / 100,
    best: Number(best) / 100,
  }));

describe.each([
  ['the default world', DEFAULT_PARAMETERS],
  ['a drawn world that is on the page', drawParameters(101)],
])('impersonators of %s', { tags: 'long' }, (_, parameters) => {
  let page: readonly Row[];
  let asked: readonly Asked[];
  let impersonators: number;

  beforeAll(async () => {
    page = rowsOf(await readFile(PAGE, 'utf8'));
    asked = await Promise.all(SEEDS.map((seed) => examplesOf(populationOf(parameters, seed, 1_000))));
    impersonators = asked.reduce((sum, one) => sum + one.impersonators, 0);
  });

  const committed = (): Row => page.find(({ hash }) => hash === hashOf(parameters)) as Row;

  it('are suspects of the accounts that they copy', () => {
    expect(impersonators).toBeGreaterThan(150);
    const notFound = asked.reduce((sum, one) => sum + one.notFound, 0);
    expect(notFound / impersonators).toBeLessThan(0.02);
  });

  it('are named with the precision and the recall of the page', () => {
    const { precision, recall, named, right } = precisionAndRecall(
      asked,
      impersonationLogOdds,
      THRESHOLDS.possible,
      true,
    );
    expect([precision, recall].every((share) => share > 0.9)).toBe(true);
    for (const [stated, n] of [
      [committed().precision, named],
      [committed().recall, impersonators],
    ] as const) {
      const [low, high] = exactInterval(right, n, CONFIDENCE);
      expect(stated).toBeGreaterThanOrEqual(low - 0.0005);
      expect(stated).toBeLessThanOrEqual(high + 0.0005);
    }
  });

  it('are distinguished for any account as often as the page says', () => {
    const best = recallAt(scoredOf(asked, impersonationLogOdds, false), 0.95, impersonators);
    // The threshold is that of this population: it adds what the precision leaves open.
    const [low, high] = exactInterval(Math.round(best * impersonators), impersonators, CONFIDENCE);
    expect(committed().best).toBeGreaterThanOrEqual(low - 0.05);
    expect(committed().best).toBeLessThanOrEqual(high + 0.05);
  });

  it('are judged by the bars of the design', () => {
    expect(impersonationSummary(asked, impersonationLogOdds).missed).toEqual([]);
    const blind = asked.map((one) => ({ ...one, impersonators: 2 * one.impersonators }));
    expect(impersonationSummary(blind, impersonationLogOdds).missed).toContain(
      'recall of impersonators below 0.95',
    );
  });
});

describe('the page of impersonation', () => {
  it('has the default world and one that is held back, and meets the bar in both', async () => {
    const rows = rowsOf(await readFile(PAGE, 'utf8'));
    expect(rows.map(({ hash }) => hash)).toEqual([hashOf(DEFAULT_PARAMETERS), hashOf(drawParameters(101))]);
    for (const { precision, recall } of rows)
      expect(Math.min(precision, recall)).toBeGreaterThanOrEqual(0.95);
  });

  it('has the prior, the weight of each part, and the thresholds of the method', async () => {
    const page = await readFile(PAGE, 'utf8');
    const numberIn = (text: string) => Number(text.replace('−', '-').replace('+', ''));
    const stated = page
      .matchAll(/^\| (`\w+`(?:, `\w+`)*) \|.*\| ([^|]+) \|$/gm)
      .flatMap(([, names = '', weights = '']) => {
        const all = weights.split(', ').map(numberIn);
        return names.split(', ').map((name, n) => [name.slice(1, -1), all[n]] as const);
      });
    expect([...stated]).toEqual(PART_NAMES.map((name, n) => [name, MODEL_WEIGHTS[n + 1]]));
    expect(numberIn(/a prior of (\S+) plus/.exec(page)?.[1] ?? '')).toBe(MODEL_WEIGHTS[0]);
    const verdict = /`likely` from log odds of (\S+) on, and `possible` from (\S+) on/.exec(page) ?? [];
    expect(verdict.slice(1).map(numberIn)).toEqual([THRESHOLDS.likely, THRESHOLDS.possible]);
  });
});

describe('the estimate of weights', () => {
  const partsWith = (shown: Partial<Record<(typeof PART_NAMES)[number], number>>): Parts =>
    ({ ...Object.fromEntries(PART_NAMES.map((name) => [name, 0])), ...shown }) as Parts;
  const repeated = (n: number, parts: Parts, is: boolean) => Array.from({ length: n }, () => ({ parts, is }));

  it('recovers the log odds of a part in the examples', () => {
    const none = partsWith({});
    const bio = partsWith({ bio_equal: 1 });
    const { weights, logOdds } = estimate(
      patternsOf([
        ...repeated(900, none, false),
        ...repeated(100, none, true),
        ...repeated(200, bio, false),
        ...repeated(800, bio, true),
      ]),
      1e-3,
    );
    expect(weights[0]).toBeCloseTo(Math.log(1 / 9), 2);
    expect(logOdds(bio)).toBeCloseTo(Math.log(4), 2);
  });

  it('is drawn to the priors’ means, and away from them by examples', () => {
    const [none, bio, both] = [{}, { bio_equal: 1 }, { bio_equal: 1, links_missing: 2 }].map(partsWith) as [
      Parts,
      Parts,
      Parts,
    ];
    const patterns = patternsOf([
      ...repeated(90, none, false),
      ...repeated(10, none, true),
      ...repeated(20, bio, false),
      ...repeated(30, bio, true),
      ...repeated(25, both, false),
      ...repeated(5, both, true),
    ]);
    const expected = [-3, ...PART_NAMES.map((_, n) => (n % 5) - 2)];
    for (const hasProducts of [false, true])
      for (const ridge of [0.01, 3, 1_000]) {
        const { weights, logOdds } = estimate(patterns, ridge, { expected, hasProducts });
        // Where the posterior is largest its slope is 0, of each weight: what examples add, less what the prior takes.
        const slopeOf = (name: (typeof PART_NAMES)[number] | null) =>
          [none, bio, both].reduce((sum, parts, n) => {
            const { right, wrong } = patterns[n] as (typeof patterns)[number];
            const p = 1 / (1 + Math.exp(-logOdds(parts)));
            return sum + (right - (right + wrong) * p) * (name === null ? 1 : (parts[name] ?? 0));
          }, 0);
        expect(slopeOf(null)).toBeCloseTo(0, 3);
        PART_NAMES.forEach((name, n) => {
          const [weight, mean] = [weights[n + 1] as number, expected[n + 1] as number];
          expect(slopeOf(name)).toBeCloseTo(ridge * (weight - mean), 3);
          // No example shows it.
          if (name !== 'bio_equal' && name !== 'links_missing') expect(weight).toBeCloseTo(mean, 9);
        });
      }
    expect(estimate([], 3, { expected }).weights).toEqual(expected);
  });

  it('recovers a joint effect only with a product of two parts', () => {
    const shown = [{}, { bio_equal: 1 }, { name_equal: 1 }, { bio_equal: 1, name_equal: 1 }].map(partsWith);
    // Each alone speaks against, and both together for it.
    const examples = shown.flatMap((parts, n) => [
      ...repeated(n === 0 || n === 3 ? 100 : 500, parts, false),
      ...repeated(n === 0 || n === 3 ? 500 : 100, parts, true),
    ]);
    const both = shown[3] as Parts;
    expect(estimate(patternsOf(examples), 1e-3).logOdds(both)).toBeLessThan(0.5);
    const { logOdds } = estimate(patternsOf(examples), 1e-3, { hasProducts: true });
    expect(logOdds(both)).toBeCloseTo(Math.log(5), 1);
  });
});
