import { medianSorted } from 'simple-statistics';
import type { Parameters } from '../simulator/world/parameters.ts';
import { createWorld } from '../simulator/world/world.ts';
import { exactInterval } from './coverage.ts';
import { measureMarket, type Priced } from './market.ts';
import { AT } from './observed.ts';
import { measureProjections, type Projected } from './projections.ts';
import { measureReactions, REACTION_FIGURES, type ReactionResult } from './reactions.ts';

/** Accounts of a world whose market has some hundred sales a platform. */
const SIZE = 120_000;
const SALES = { known: 500, judged: 400, placements: 600 } as const;
const HORIZONS = [7, 30, 90] as const;
const GROWTH = { days: HORIZONS, known: 400, judged: 200, times: 8 } as const;

/** Accounts with enough reactions: with this many, an interval that holds only nine of ten fails its bar. */
const REACTIONS = 1_500;

/** Steps that `measureTools` reports. */
export const TOOL_STEPS = 2 + GROWTH.times;

export interface ToolsMeasured {
  readonly priced: readonly Priced[];
  readonly projected: readonly Projected[];
  /** By accounts' own readings, as where the catalog is new. */
  readonly alone: readonly Projected[];
  readonly reactions: readonly ReactionResult[];
  /** How many had insufficient data, by what is measured. */
  readonly lacking: Readonly<Record<'valuation' | 'post_price' | 'growth' | 'reactions', number>>;
}

export interface ToolSummary {
  /** `valuation`, `post_price`, a projection with its days and the probability of its band, or a figure of reactions. */
  readonly figure: string;
  /** Where single followers or reactions count, bands are rounded outwards: they are judged from below. */
  readonly few: boolean;
  readonly n: number;
  /** Of followers the mean, of all else the median of |ln (stated / true)|. */
  readonly error: number;
  /** The same of the noise of the world's prices, or of a random walk with drift; null for reactions. */
  readonly reference: number | null;
  readonly coverage: number;
  readonly coverage_low: number;
  readonly coverage_high: number;
  readonly insufficient: number;
  readonly missed: string | null;
}

const CONFIDENCE = 0.999;
/** Fewer are printed and not judged. */
const LEAST_JUDGED = 200;
/** Median of the size of a normal deviation. */
const MEDIAN_NORMAL = 0.6745;

/** Prices that the market of a world had later, and the followers that its accounts had, beside what tools stated before. */
export const measureTools = (
  { seed, parameters }: { readonly seed: number; readonly parameters: Parameters },
  onStep: () => void = () => undefined,
): ToolsMeasured => {
  const world = createWorld({ seed, size: SIZE, parameters, clock: { now: () => AT } });
  const market = measureMarket(world, SALES);
  onStep();
  const { results: reactions, lacking } = measureReactions(world, REACTIONS);
  onStep();
  const growth = measureProjections(world, { ...GROWTH, onTime: onStep });
  const alone = measureProjections(world, { ...GROWTH, alone: true });
  return {
    priced: market.priced,
    projected: growth.projected,
    alone: alone.projected,
    reactions,
    lacking: { ...market.lacking, growth: growth.lacking, reactions: lacking },
  };
};

interface Bars {
  readonly least: number;
  readonly most: number;
  /** Error by the reference at most. */
  readonly ratio: number;
}

const BARS = {
  valuation: { least: 0.77, most: 0.83, ratio: 1.3 },
  post_price: { least: 0.75, most: 0.85, ratio: 1.3 },
  0.5: { least: 0.45, most: 0.55, ratio: 1 },
  0.95: { least: 0.93, most: 0.97, ratio: 1 },
} as const satisfies Readonly<Record<string | number, Bars>>;

const missedBy = (
  { n, few, error, reference }: Pick<ToolSummary, 'n' | 'few' | 'error' | 'reference'>,
  [low, high]: readonly [number, number],
  { least, most, ratio }: Bars,
): string | null => {
  if (n < LEAST_JUDGED) return null;
  if (high < least) return `coverage below ${Math.round(100 * least)} %`;
  if (!few && low > most) return `coverage above ${Math.round(100 * most)} %`;
  return reference !== null && error > ratio * reference ? `error above ${ratio} times the reference` : null;
};

const rowOf = (
  head: Pick<ToolSummary, 'figure' | 'few' | 'error' | 'reference' | 'insufficient'>,
  covered: readonly boolean[],
  bars: Bars,
): ToolSummary => {
  const n = covered.length;
  const hits = covered.filter((is) => is).length;
  const bounds = exactInterval(hits, n, CONFIDENCE);
  const [coverage_low, coverage_high] = bounds;
  return {
    ...head,
    n,
    coverage: hits / n,
    coverage_low,
    coverage_high,
    missed: missedBy({ ...head, n }, bounds, bars),
  };
};

const sizes = (values: readonly number[]): readonly number[] => values.map(Math.abs).sort((a, b) => a - b);
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length;

const priceRow = (
  figure: Priced['figure'],
  { priced, lacking }: ToolsMeasured,
  noise: number,
): readonly ToolSummary[] => {
  const own = priced.filter((one) => one.figure === figure);
  if (own.length === 0) return [];
  const head = {
    figure,
    few: false,
    error: medianSorted([...sizes(own.map(({ error }) => error))]),
    reference: MEDIAN_NORMAL * noise,
    insufficient: lacking[figure] / (own.length + lacking[figure]),
  };
  return [
    rowOf(
      head,
      own.map(({ isCovered }) => isCovered),
      BARS[figure],
    ),
  ];
};

const growthRows = ({ projected, lacking }: ToolsMeasured): readonly ToolSummary[] =>
  HORIZONS.flatMap((days) => {
    const own = projected.filter((one) => one.days === days);
    return [false, true].flatMap((few) => {
      const some = own.filter((one) => one.few === few);
      if (some.length === 0) return [];
      const head = {
        few,
        error: meanOf(sizes(some.map(({ error }) => error))),
        reference: meanOf(sizes(some.map(({ baseline }) => baseline))),
        insufficient: lacking.growth / (projected.length + lacking.growth),
      };
      return [
        rowOf(
          { ...head, figure: `growth_${days}d_50` },
          some.map(({ in50 }) => in50),
          BARS[0.5],
        ),
        rowOf(
          { ...head, figure: `growth_${days}d_95` },
          some.map(({ in95 }) => in95),
          BARS[0.95],
        ),
      ];
    });
  });

/** Bands by accounts' own readings, which are judged from below: they are wide where the account is calm. */
const aloneRows = ({ alone }: ToolsMeasured): readonly ToolSummary[] =>
  HORIZONS.flatMap((days) => {
    const own = alone.filter((one) => one.days === days);
    if (own.length === 0) return [];
    return [
      rowOf(
        {
          figure: `growth_alone_${days}d_95`,
          few: true,
          error: meanOf(sizes(own.map(({ error }) => error))),
          reference: null,
          insufficient: 0,
        },
        own.map(({ in95 }) => in95),
        BARS[0.95],
      ),
    ];
  });

const reactionRows = ({ reactions, lacking }: ToolsMeasured): readonly ToolSummary[] =>
  REACTION_FIGURES.flatMap((figure) => {
    const own = reactions.filter((one) => one.figure === figure);
    if (own.length === 0) return [];
    const head = {
      figure,
      // Most posts have a comment or none.
      few: figure === 'comments_per_like' || figure === 'reposts_per_like',
      error: medianSorted([...sizes(own.map(({ error }) => error))]),
      reference: null,
      insufficient: lacking.reactions / (own.length + lacking.reactions),
    };
    return [
      rowOf(
        head,
        own.map(({ isCovered }) => isCovered),
        BARS[0.95],
      ),
    ];
  });

/** Error and coverage of what tools state, judged by the bars of the design. */
export const toolSummaries = (
  measured: ToolsMeasured,
  { market }: Pick<Parameters, 'market'>,
): readonly ToolSummary[] => [
  ...priceRow('valuation', measured, market.noise),
  ...priceRow('post_price', measured, market.cpmSigma),
  ...growthRows(measured),
  ...aloneRows(measured),
  ...reactionRows(measured),
];

export const toolMisses = (summaries: readonly ToolSummary[]): readonly string[] =>
  summaries.flatMap(({ figure, few, missed }) =>
    missed === null ? [] : [`${figure}${few ? ' (few values)' : ''}: ${missed}`],
  );

/** What several populations of a world showed, together. */
export const together = (parts: readonly ToolsMeasured[]): ToolsMeasured => {
  const sum = (of: keyof ToolsMeasured['lacking']) =>
    parts.reduce((total, { lacking }) => total + lacking[of], 0);
  return {
    priced: parts.flatMap(({ priced }) => priced),
    projected: parts.flatMap(({ projected }) => projected),
    alone: parts.flatMap(({ alone }) => alone),
    reactions: parts.flatMap(({ reactions }) => reactions),
    lacking: {
      valuation: sum('valuation'),
      post_price: sum('post_price'),
      growth: sum('growth'),
      reactions: sum('reactions'),
    },
  };
};
