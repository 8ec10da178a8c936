/** False-discovery rate of all tests of effects. */
export const FALSE_DISCOVERIES = 0.05;

/**
 * q values: the least false-discovery rate at which a test is significant (Benjamini and Hochberg, "Controlling the
 * false discovery rate", JRSS B 1995), in the order of the p values.
 */
export const benjaminiHochberg = (p: readonly number[]): readonly number[] => {
  const order = p.map((_, i) => i).sort((a, b) => (p[b] as number) - (p[a] as number));
  const q = new Array<number>(p.length);
  let least = 1;
  order.forEach((i, n) => {
    least = Math.min(least, (p[i] as number) * (p.length / (p.length - n)));
    q[i] = least;
  });
  return q;
};
