import { shareError } from './statistics.ts';

/** A statistic of the world beside its band. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** What the statistic was measured on. */
  readonly n: number;
  /** Whether the band follows from the parameters; others are judged in the default world alone. */
  readonly relative: boolean;
}

export const holds = ({ value, low, high }: Measurement): boolean => value >= low && value <= high;

/**
 * Standard errors by which a statistic may be off. A check has some 150 bands: that one of them is missed by chance is
 * to happen in one world of a thousand, so each may be in 1 of 150,000 (Bonferroni).
 */
const ERRORS = 4.5;

/** A value near a parameter: within a tolerance or so many standard errors of it. */
export const near = (
  name: string,
  value: number,
  parameter: number,
  { tolerance, error, n }: { readonly tolerance: number; readonly error: number; readonly n: number },
): Measurement => {
  const slack = Math.max(tolerance, ERRORS * error);
  return { name, value, low: parameter - slack, high: parameter + slack, n, relative: true };
};

/** The same of a statistic whose error is a share of the parameter: the band is one of its logarithm. */
export const nearInLog = (
  name: string,
  value: number,
  parameter: number,
  { tolerance, error, n }: { readonly tolerance: number; readonly error: number; readonly n: number },
): Measurement => {
  const factor = Math.exp(ERRORS * error);
  const [low, high] = [parameter / factor, parameter * factor];
  return {
    name,
    value,
    low: Math.min(low, parameter - tolerance),
    high: Math.max(high, parameter + tolerance),
    n,
    relative: true,
  };
};

/** A share near a parameter: within a fifth of it or so many standard errors. */
export const nearShare = (name: string, count: number, n: number, parameter: number): Measurement =>
  near(name, count / n, parameter, { tolerance: parameter / 5, error: shareError(parameter, n), n });

/** A value within a band that the literature gives. */
export const inBand = (name: string, value: number, low: number, high: number, n: number): Measurement => ({
  name,
  value,
  low,
  high,
  n,
  relative: false,
});
