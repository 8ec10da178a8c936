import { rounded } from '../policy/rounded.ts';

/** What was counted in an hour, of how much: finds of requests, errors of readings, recruitments of hours. */
export interface CountedHour {
  readonly hour: number;
  readonly count: number;
  readonly exposure: number;
  /** IDs of events that the count rests on. */
  readonly evidence: readonly string[];
}

export interface Counted {
  readonly count: number;
  readonly exposure: number;
}

export const sumOf = (parts: readonly Counted[]): Counted => ({
  count: parts.reduce((sum, { count }) => sum + count, 0),
  exposure: parts.reduce((sum, { exposure }) => sum + exposure, 0),
});

/** Hours after `now - length` up to `now`. */
export const recentHours = (
  hours: readonly CountedHour[],
  now: number,
  length: number,
): readonly CountedHour[] => hours.filter(({ hour }) => hour > now - length && hour <= now);

const DAY_H = 24;

/**
 * Blocks of hours before those, of the same length, which a recent block is compared with.
 * @param most hours that are looked at.
 * @param isDaily whether only the same hours of each day are compared: callers and platforms have times of day.
 */
export const formerBlocks = (
  hours: readonly CountedHour[],
  now: number,
  length: number,
  most: number,
  isDaily = false,
): readonly Counted[] => {
  const period = isDaily ? DAY_H : length;
  const former = hours.filter(({ hour }) => {
    const age = now - hour;
    return age >= period && age < period + most && age % period < length;
  });
  const blocks = Map.groupBy(former, ({ hour }) => Math.floor((now - hour) / period));
  return [...blocks.values()].map(sumOf).filter(({ exposure }) => exposure > 0);
};

/** Without history counts are taken to vary four times as much as independent ones: a reading names several accounts at once. */
const UNKNOWN_DISPERSION = 4;
const LEAST_BLOCKS = 3;

/**
 * How much more counts vary than independent ones: Pearson's statistic by degrees of freedom (McCullagh and Nelder, *Generalized linear
 * models*, 4.5).
 */
export const dispersionOf = (
  blocks: readonly Counted[],
): { readonly blocks: number; readonly dispersion: number } => {
  const { count, exposure } = sumOf(blocks);
  if (blocks.length < LEAST_BLOCKS || count === 0)
    return { blocks: blocks.length, dispersion: UNKNOWN_DISPERSION };
  const rate = count / exposure;
  const pearson = blocks.reduce((sum, each) => {
    const expected = rate * each.exposure;
    return sum + (each.count - expected) ** 2 / expected;
  }, 0);
  return { blocks: blocks.length, dispersion: rounded(Math.max(1, pearson / (blocks.length - 1))) };
};

const MAX_EVIDENCE = 50;

/** The newest events that hours rest on. */
export const evidenceOf = (hours: readonly CountedHour[]): readonly string[] =>
  [...new Set(hours.toSorted((a, b) => b.hour - a.hour).flatMap(({ evidence }) => evidence))].slice(
    0,
    MAX_EVIDENCE,
  );
