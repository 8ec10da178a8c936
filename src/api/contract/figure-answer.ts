import type { Answer } from './endpoint.ts';

/** Significant digits of figures: counts are whole, and no interval is narrower than a thousandth. */
const DIGITS = 6;

/** Numbers that are not whole with `DIGITS` significant digits, however deep. */
export const rounded = <Value>(value: Value): Value => {
  if (typeof value === 'number')
    return (Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS))) as Value;
  if (Array.isArray(value)) return value.map(rounded) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rounded(each)])) as Value;
};

/** An answer of the catalog with figures as callers read them. */
export const figureAnswer = <Data>({ data, ...rest }: Omit<Answer<Data>, 'source'>): Answer<Data> => ({
  data: rounded(data),
  source: 'catalog',
  ...rest,
});
