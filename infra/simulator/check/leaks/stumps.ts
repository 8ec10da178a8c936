import { mix } from '../../world/hash.ts';

/** Cases to learn from or to score: a row of numbers each. */
export interface Cases {
  readonly rows: readonly (readonly number[])[];
  readonly labels: readonly boolean[];
}

const BINS = 24;
const ROUNDS = 80;
const RATE = 0.2;
/** Cases on either side of a split. */
const LEAST = 20;
/** Keeps the steps of rare labels small. */
const RIDGE = 4;

/** Bounds between bins of equal counts. */
const boundsOf = (values: readonly number[]): readonly number[] => {
  const sorted = Float64Array.from(values).sort();
  const bounds = new Set<number>();
  for (let n = 1; n < BINS; n++) {
    const at = Math.floor((n * sorted.length) / BINS);
    const [below, above] = [sorted[at - 1] ?? 0, sorted[at] ?? 0];
    if (above > below) bounds.add((below + above) / 2);
  }
  // The tails of few distinct values are no quantiles.
  const distinct = [...new Set(sorted)];
  if (distinct.length <= BINS)
    for (let n = 1; n < distinct.length; n++)
      bounds.add(((distinct[n - 1] as number) + (distinct[n] as number)) / 2);
  return [...bounds].sort((a, b) => a - b);
};

const binOf = (bounds: readonly number[], value: number): number => {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value > (bounds[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
};

interface Stump {
  readonly feature: number;
  /** Bins up to this one are on the left. */
  readonly bin: number;
  readonly left: number;
  readonly right: number;
}

/** Scores of the last rows by boosted stumps (Friedman 2001, logistic loss, Newton steps) that learned from the first ones. */
const boosted = (learn: Cases, rows: Cases['rows']): readonly number[] => {
  const width = learn.rows[0]?.length ?? 0;
  const bounds = Array.from({ length: width }, (_, f) => boundsOf(learn.rows.map((row) => row[f] as number)));
  const binned = (of: Cases['rows']) =>
    bounds.map((own, f) => Uint8Array.from(of, (row) => binOf(own, row[f] as number)));
  const bins = binned(learn.rows);
  const n = learn.rows.length;
  const share = learn.labels.filter(Boolean).length / n;
  const start = Math.log(share / (1 - share));
  const scores = new Float64Array(n).fill(start);
  const stumps: Stump[] = [];
  const [gradients, weights] = [new Float64Array(BINS + 1), new Float64Array(BINS + 1)];
  const counts = new Float64Array(BINS + 1);
  for (let round = 0; round < ROUNDS; round++) {
    const chances = scores.map((score) => 1 / (1 + Math.exp(-score)));
    let best: (Stump & { readonly gain: number }) | null = null;
    for (let feature = 0; feature < width; feature++) {
      gradients.fill(0);
      weights.fill(0);
      counts.fill(0);
      const own = bins[feature] as Uint8Array;
      let [gradient, weight] = [0, 0];
      for (let i = 0; i < n; i++) {
        const chance = chances[i] as number;
        const bin = own[i] as number;
        const g = (learn.labels[i] ? 1 : 0) - chance;
        const w = chance * (1 - chance);
        gradients[bin] = (gradients[bin] as number) + g;
        weights[bin] = (weights[bin] as number) + w;
        counts[bin] = (counts[bin] as number) + 1;
        gradient += g;
        weight += w;
      }
      let [g, w, count] = [0, 0, 0];
      for (let bin = 0; bin < (bounds[feature] as readonly number[]).length; bin++) {
        g += gradients[bin] as number;
        w += weights[bin] as number;
        count += counts[bin] as number;
        if (count < LEAST || n - count < LEAST) continue;
        const [left, right] = [g / (w + RIDGE), (gradient - g) / (weight - w + RIDGE)];
        const gain = g * left + (gradient - g) * right;
        if (best === null || gain > best.gain) best = { feature, bin, left, right, gain };
      }
    }
    if (best === null) break;
    stumps.push(best);
    const { feature, bin, left, right } = best;
    const own = bins[feature] as Uint8Array;
    for (let i = 0; i < n; i++)
      scores[i] = (scores[i] as number) + RATE * ((own[i] as number) <= bin ? left : right);
  }
  const others = binned(rows);
  return rows.map((_, i) =>
    stumps.reduce(
      (sum, { feature, bin, left, right }) =>
        sum + RATE * (((others[feature] as Uint8Array)[i] as number) <= bin ? left : right),
      start,
    ),
  );
};

/**
 * Scores of all cases, each by a classifier that learned from the others (cross-validation).
 * @param groups cases with one number are learned from together or scored together.
 */
export const scoresOf = (
  cases: Cases,
  groups: readonly number[],
  seed: number,
  folds = 3,
): readonly number[] => {
  const scores = new Array<number>(cases.rows.length).fill(0);
  const foldOf = groups.map((group) => mix(seed, group) % folds);
  for (let fold = 0; fold < folds; fold++) {
    const [known, asked]: [number[], number[]] = [[], []];
    foldOf.forEach((own, n) => {
      (own === fold ? asked : known).push(n);
    });
    const learn = {
      rows: known.map((n) => cases.rows[n] as readonly number[]),
      labels: known.map((n) => cases.labels[n] as boolean),
    };
    const made = boosted(
      learn,
      asked.map((n) => cases.rows[n] as readonly number[]),
    );
    asked.forEach((n, at) => {
      scores[n] = made[at] as number;
    });
  }
  return scores;
};
