import { logisticWeights, sumOf, termsOf } from '../../../src/analysis/logistic.ts';
import { PART_NAMES, type Parts } from '../../../src/write/people/impersonation.ts';

/** Suspects that show the same: how many of them are impersonators, and how many are not. */
export interface Pattern {
  readonly values: readonly number[];
  readonly right: number;
  readonly wrong: number;
}

const valuesOf = (parts: Parts): readonly number[] => PART_NAMES.map((name) => parts[name] ?? 0);

/** Counts of what suspects show: there are fewer patterns than suspects by far. */
export const patternsOf = (
  examples: readonly { readonly parts: Parts; readonly is: boolean }[],
): readonly Pattern[] => {
  const found = new Map<string, { values: readonly number[]; right: number; wrong: number }>();
  for (const { parts, is } of examples) {
    const values = valuesOf(parts);
    const pattern = found.get(values.join()) ?? { values, right: 0, wrong: 0 };
    found.set(values.join(), pattern);
    if (is) pattern.right += 1;
    else pattern.wrong += 1;
  }
  return [...found.values()];
};

/** A sum of weights over what a suspect shows: the log odds that it is an impersonator. */
export interface Fitted {
  /** That of no part, then of each part, in their order. */
  readonly weights: readonly number[];
  logOdds(parts: Parts): number;
}

/** One, the parts of a pattern, and the products of two of them. */
const columnsOf = (values: readonly number[], hasProducts: boolean): readonly number[] => [
  1,
  ...values,
  ...(hasProducts ? values.flatMap((one, i) => values.slice(i + 1).map((other) => one * other)) : []),
];

/**
 * Logistic regression of what suspects are on what they show.
 * @param ridge 1 / variance of a weight's normal prior; the weight of no part has none.
 * @param expected means of the priors, of no part and of each part, with which the search begins: 0 if there are none.
 * @param hasProducts whether products of two parts have weights too, whose priors have the mean 0.
 */
export const estimate = (
  patterns: readonly Pattern[],
  ridge: number,
  {
    expected = [],
    hasProducts = false,
  }: { readonly expected?: readonly number[]; readonly hasProducts?: boolean } = {},
): Fitted => {
  const termsIn = (values: readonly number[]) => termsOf(columnsOf(values, hasProducts));
  const weights = logisticWeights(
    patterns.map(({ values, right, wrong }) => ({ terms: termsIn(values), hits: right, misses: wrong })),
    columnsOf(
      PART_NAMES.map(() => 0),
      hasProducts,
    ).map((_, i) => ({
      mean: expected[i] ?? 0,
      precision: i === 0 ? 0 : ridge,
    })),
  );
  return { weights, logOdds: (parts) => sumOf(termsIn(valuesOf(parts)), weights) };
};
