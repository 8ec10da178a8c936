import { formatUsd } from '../../../kernel/money.ts';

/** Digits of an estimated price: more would claim more. */
const SIGNIFICANT = 3;
/** No estimate is below a cent. */
const LEAST_MICRO = 10_000;

/** An estimated price in micro-dollars as exact decimal text of dollars. */
export const usdText = (micro: number): string =>
  formatUsd(BigInt(Math.round(Number(Math.max(LEAST_MICRO, micro).toPrecision(SIGNIFICANT)))));
