import { medianSorted } from 'simple-statistics';
import { SIZE_BANDS } from '../../src/kernel/size-bands.ts';
import { exactInterval } from './coverage.ts';
import type { Decision, Result } from './records.ts';

/** Bars of the design: coverage of a stated 95 % interval, width by that of a bootstrap, false discoveries. */
const [LEAST, MOST] = [0.93, 0.97];
const CONFIDENCE = 0.999;
const WIDEST = 2;
const MOST_FALSE = 0.07;
/** Fewer accounts are printed and not judged. */
const LEAST_JUDGED = 200;

export interface Judged {
  /** What was missed, in words; null where nothing was. */
  readonly missed: string | null;
}

export interface FigureSummary extends Judged {
  readonly figure: string;
  /** Whether these are accounts for which the figure takes few values. */
  readonly few: boolean;
  readonly n: number;
  /** Median error: relative to the truth, or in points for percentages. */
  readonly error: number;
  readonly coverage: number;
  /** The exact 99.9 % interval of the coverage. */
  readonly coverage_low: number;
  readonly coverage_high: number;
  /** Median width by that of a block bootstrap, and the share of accounts above 2. */
  readonly width: number | null;
  readonly wide: number | null;
  /** Share of the accounts as they come that had insufficient data. */
  readonly insufficient: number;
}

export interface TestSummary extends Judged {
  readonly test: string;
  readonly without: number;
  /** Share of the accounts without an effect for which one is stated. */
  readonly false_discoveries: number;
  readonly with: number;
  readonly power: number;
}

export interface CellSummary {
  readonly figure: string;
  readonly cell: string;
  readonly n: number;
  readonly error: number;
  readonly coverage: number;
}

export interface Summary {
  readonly figures: readonly FigureSummary[];
  readonly tests: readonly TestSummary[];
  readonly cells: readonly CellSummary[];
}

const POINTS = /pct$|^percentile$/;

const medianOf = (values: readonly number[]): number => medianSorted(values.toSorted((a, b) => a - b));

export const covers = ({ low, high, truth }: Result): boolean => low <= truth && truth <= high;

export const errorOf = ({ figure, value, truth }: Result): number =>
  POINTS.test(figure)
    ? Math.abs((value as number) - truth)
    : Math.abs((value as number) - truth) / Math.max(1e-12, truth);

const missedBy = (
  few: boolean,
  n: number,
  low: number,
  high: number,
  width: number | null,
): string | null => {
  if (n < LEAST_JUDGED) return null;
  if (high < LEAST) return `coverage below ${Math.round(100 * LEAST)} %`;
  if (!few && low > MOST) return `coverage above ${Math.round(100 * MOST)} %`;
  return width !== null && width > WIDEST ? `width above ${WIDEST} times the bootstrap’s` : null;
};

const figureOf = (all: readonly Result[], few: boolean): FigureSummary | null => {
  const some = all.filter((one) => one.value !== null && one.few === few);
  const [first] = some;
  if (first === undefined) return null;
  const n = some.length;
  const hits = some.filter(covers).length;
  const [low, high] = exactInterval(hits, n, CONFIDENCE);
  const widths = some.map((one) => one.width).filter((width) => width !== null);
  const width = widths.length === 0 ? null : medianOf(widths);
  const common = all.filter((one) => one.common);
  return {
    figure: first.figure,
    few,
    n,
    error: medianOf(some.map(errorOf)),
    coverage: hits / n,
    coverage_low: low,
    coverage_high: high,
    width,
    wide: widths.length === 0 ? null : widths.filter((one) => one > WIDEST).length / widths.length,
    insufficient: common.filter((one) => one.value === null).length / Math.max(1, common.length),
    missed: missedBy(few, n, low, high, width),
  };
};

const testOf = (test: string, all: readonly Decision[]): TestSummary => {
  const shareOf = (some: readonly Decision[]) =>
    some.filter(({ found }) => found).length / Math.max(1, some.length);
  const without = all.filter(({ is }) => !is);
  const withOne = all.filter(({ is }) => is);
  const rate = shareOf(without);
  return {
    test,
    without: without.length,
    false_discoveries: rate,
    with: withOne.length,
    power: shareOf(withOne),
    missed:
      without.length >= LEAST_JUDGED && rate > MOST_FALSE
        ? `false discoveries above ${Math.round(100 * MOST_FALSE)} %`
        : null,
  };
};

const BOTS = [0, 0.1, 0.25] as const;

const bandName = (band: number): string => `from ${(SIZE_BANDS[band] ?? 0).toLocaleString('en')} followers`;

const botsName = (bots: number): string => {
  const k = BOTS.findLastIndex((least) => bots >= least);
  const next = BOTS[k + 1];
  return next === undefined
    ? `bots from ${100 * (BOTS[k] as number)} %`
    : `bots ${100 * (BOTS[k] as number)} to ${100 * next} %`;
};

const cellsOf = (figure: string, all: readonly Result[]): readonly CellSummary[] => {
  const groups = new Map<string, Result[]>();
  const known = all.filter((one) => one.value !== null);
  const bands = known.toSorted((a, b) => a.band - b.band);
  const bots = known.toSorted((a, b) => a.bots - b.bots);
  const add = (name: string, one: Result) => {
    const known = groups.get(name);
    if (known) known.push(one);
    else groups.set(name, [one]);
  };
  for (const one of bands) add(bandName(one.band), one);
  for (const one of bots) add(botsName(one.bots), one);
  return [...groups].map(([cell, some]) => ({
    figure,
    cell,
    n: some.length,
    error: medianOf(some.map(errorOf)),
    coverage: some.filter(covers).length / some.length,
  }));
};

const grouped = <T>(all: readonly T[], nameOf: (one: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const known = groups.get(nameOf(one));
    if (known) known.push(one);
    else groups.set(nameOf(one), [one]);
  }
  return groups;
};

/** Error, coverage and false discoveries of figures, judged by the bars of the design. */
export const summaryOf = (results: readonly Result[], decisions: readonly Decision[]): Summary => {
  const figures = grouped(results, ({ figure }) => figure);
  return {
    figures: [...figures.values()].flatMap((all) =>
      [figureOf(all, false), figureOf(all, true)].filter((one) => one !== null),
    ),
    tests: [...grouped(decisions, ({ test }) => test)].map(([test, all]) => testOf(test, all)),
    cells: [...figures].flatMap(([figure, all]) => cellsOf(figure, all)),
  };
};

export const missesOf = ({ figures, tests }: Summary): readonly string[] => [
  ...figures.flatMap(({ figure, few, missed }) =>
    missed === null ? [] : [`${figure}${few ? ' (few values)' : ''}: ${missed}`],
  ),
  ...tests.flatMap(({ test, missed }) => (missed === null ? [] : [`${test}: ${missed}`])),
];
