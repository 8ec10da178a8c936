/** Six significant digits: what is recorded is what was used, and does not depend on the last bits of a logarithm. */
export const rounded = (value: number): number => Number(value.toPrecision(6));
