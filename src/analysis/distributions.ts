import { gammaln } from 'simple-statistics';

/** Continued fraction of the incomplete beta function by Lentz's method (Press et al., Numerical Recipes, 6.4). */
const fraction = (x: number, a: number, b: number): number => {
  const tiny = 1e-300;
  const bounded = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / bounded(1 - ((a + b) * x) / (a + 1));
  let h = d;
  for (let m = 1; m <= 200; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / bounded(1 + even * d);
    c = bounded(1 + even / c);
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / bounded(1 + odd * d);
    c = bounded(1 + odd / c);
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return h;
};

/** Regularized incomplete beta function I_x(a, b) (DLMF 8.17). */
export const incompleteBeta = (x: number, a: number, b: number): number => {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2)
    ? (front * fraction(x, a, b)) / a
    : 1 - (front * fraction(1 - x, b, a)) / b;
};

/** Two-sided p-value of Student's t (Abramowitz and Stegun 26.7.1). */
export const studentP = (t: number, df: number): number => incompleteBeta(df / (df + t * t), df / 2, 0.5);

/** Upper tail of the F distribution (Abramowitz and Stegun 26.6.2). */
export const fisherP = (f: number, df1: number, df2: number): number =>
  f <= 0 ? 1 : incompleteBeta(df2 / (df2 + df1 * f), df2 / 2, df1 / 2);

/** Two-sided 95 % quantile of Student's t, for at least 4 degrees of freedom (Abramowitz and Stegun 26.7.5). */
export const student95 = (df: number): number => {
  const z = 1.959963984540054;
  const [z3, z5, z7, z9] = [z ** 3, z ** 5, z ** 7, z ** 9];
  return (
    z +
    (z3 + z) / (4 * df) +
    (5 * z5 + 16 * z3 + 3 * z) / (96 * df ** 2) +
    (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * df ** 3) +
    (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92_160 * df ** 4)
  );
};
