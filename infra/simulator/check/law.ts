/** What must hold of a world, and the cases in which it does not. */
export interface Law {
  readonly name: string;
  /** Cases that were looked at. */
  readonly cases: number;
  readonly broken: readonly string[];
}

export const holds = ({ broken }: Law): boolean => broken.length === 0;

const SHOWN_CHARS = 160;

/** A law that has no exception. */
export const everyOf = <T>(name: string, cases: readonly T[], isSo: (one: T) => boolean): Law => ({
  name,
  cases: cases.length,
  broken: cases.filter((one) => !isSo(one)).map((one) => JSON.stringify(one).slice(0, SHOWN_CHARS)),
});

/** No value occurs twice. */
export const distinct = (name: string, values: readonly string[]): Law => {
  const seen = new Set<string>();
  return everyOf(name, values, (value) => !seen.has(value) && seen.add(value).has(value));
};

/** Standard errors of a count, beyond which none of some dozens is by chance. */
const ERRORS = 4.5;

/**
 * A share that a parameter states: within a fifth of it, or as far from it as chance leads.
 * @param draws how many draws made the cases; the accounts of one person share some.
 */
export const shareOf = <T>(
  name: string,
  cases: readonly T[],
  isSo: (one: T) => boolean,
  parameter: number,
  draws = cases.length,
): Law => {
  const n = cases.length;
  const count = cases.filter(isSo).length;
  const error = Math.sqrt(Math.max(parameter * (1 - parameter), 1 / draws) / Math.max(1, draws));
  const isNear = Math.abs(count - parameter * n) <= Math.max(parameter / 5, ERRORS * error) * n;
  return { name, cases: n, broken: isNear ? [] : [`${count} of ${n}, declared ${parameter}`] };
};
