/** Money is bigint micro-dollars (1,000,000 per dollar), so nothing is ever rounded. */
const MICRO = 1_000_000n;

/** Parses `25`, `$25.00` or `0.0035` into micro-dollars; null if the text is not an amount with at most six decimals. */
export const parseUsd = (text: string): bigint | null => {
  const match = /^\$?(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (match === null) return null;
  return BigInt(match[1] as string) * MICRO + BigInt((match[2] ?? '').padEnd(6, '0'));
};

/**
 * Formats micro-dollars as dollars, with at least two decimals and as many as are needed to be exact: `25.00`, `0.0035`, `-1.50`.
 */
export const formatUsd = (micro: bigint): string => {
  const positive = micro < 0n ? -micro : micro;
  const decimals = String(positive % MICRO)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${micro < 0n ? '-' : ''}${positive / MICRO}.${decimals}`;
};
