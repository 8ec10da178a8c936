/**
 * Tails of distributions by incomplete Beta and Gamma functions (Press et al., *Numerical Recipes*, 3rd edition, 6.1, 6.2 and 6.4): continued
 * fractions by Lentz's method. Counts need not be whole, since dispersed ones are scaled.
 */

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln Γ(x) for x > 0 (Lanczos 1964). */
const lnGamma = (x: number): number => {
  const z = x - 1;
  const t = z + 7.5;
  const sum = LANCZOS.reduce(
    (total, coefficient, n) => (n === 0 ? coefficient : total + coefficient / (z + n)),
    0,
  );
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
};

const [STEPS, TINY, EXACT] = [2_000, 1e-300, 1e-14];
const notZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value);

/** A continued fraction b0 + a1/(b1 + a2/(b2 + …)). */
const fraction = (first: number, a: (n: number) => number, b: (n: number) => number): number => {
  let f = notZero(first);
  let [c, d] = [f, 0];
  for (let n = 1; n <= STEPS; n++) {
    d = 1 / notZero(b(n) + a(n) * d);
    c = notZero(b(n) + a(n) / c);
    const change = c * d;
    f *= change;
    if (Math.abs(change - 1) < EXACT) break;
  }
  return f;
};

/** I_x(a, b), the regularized incomplete Beta function. */
export const incompleteBeta = (x: number, a: number, b: number): number => {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front =
    Math.exp(lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a;
  const numerator = (n: number): number => {
    const m = n >> 1;
    return n % 2 === 0
      ? (m * (b - m) * x) / ((a + n - 1) * (a + n))
      : (-(a + m) * (a + b + m) * x) / ((a + n - 1) * (a + n));
  };
  return (
    front /
    fraction(
      1,
      (n) => numerator(n),
      () => 1,
    )
  );
};

/** P(X ≥ k) of a binomial X of n trials. */
export const binomialTail = (k: number, n: number, p: number): number =>
  k <= 0 ? 1 : incompleteBeta(p, k, Math.max(TINY, n - k + 1));

/** P(X ≤ k) of a Poisson X: the regularized upper incomplete Gamma function Q(k + 1, mean). */
export const poissonAtMost = (k: number, mean: number): number => {
  if (mean <= 0) return 1;
  const a = k + 1;
  const front = Math.exp(a * Math.log(mean) - mean - lnGamma(a));
  if (mean < a + 1) {
    let [term, sum] = [1 / a, 1 / a];
    for (let n = 1; n <= STEPS && term > sum * EXACT; n++) {
      term *= mean / (a + n);
      sum += term;
    }
    return Math.max(0, 1 - front * sum);
  }
  return (
    front /
    fraction(
      mean + 1 - a,
      (n) => -n * (n - a),
      (n) => mean + 2 * n + 1 - a,
    )
  );
};

/** P(T > t) of Student's t. */
export const studentTail = (t: number, degrees: number): number => {
  const half = 0.5 * incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
  return t >= 0 ? half : 1 - half;
};
