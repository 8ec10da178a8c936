import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../../src/kernel/random.ts';
import { estimated, NO_EVIDENCE, withMove } from '../../../../src/write/pools/refresh.ts';

const MEDIAN = 0.002;
/** Mean of the absolute value of a standard normal draw. */
const MEAN_ABS = Math.sqrt(2 / Math.PI);

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

interface Walk {
  readonly change: number;
  readonly size: number;
  readonly readings: number;
  readonly gap: (random: Random) => number;
  readonly show: (followers: number) => number;
}

const exactly = Math.floor;
const threeDigits = (followers: number): number => {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(followers)) - 2);
  return Math.floor(followers / unit) * unit;
};

/** The estimate after readings of a random walk whose mean absolute change is `change` a day. */
const estimateOf = (random: Random, { change, size, readings, gap, show }: Walk): number => {
  let [ln, evidence, known] = [Math.log(size), NO_EVIDENCE, MEDIAN];
  let before = show(size);
  for (let n = 0; n < readings; n++) {
    const days = gap(random);
    ln += (change / MEAN_ABS) * Math.sqrt(days) * normal(random);
    const after = show(Math.exp(ln));
    const result = estimated(evidence, { change: known, median: MEDIAN }, { before, after, days });
    [evidence, known, before] = [result.evidence, result.change, after];
  }
  return known;
};

/** Mean and deviation of ln estimate - ln change over many walks. */
const errorOf = (walk: Walk, seed: number) => {
  const random = seededRandom(seed);
  const errors = Array.from({ length: 400 }, () => Math.log(estimateOf(random, walk) / walk.change));
  const mean = errors.reduce((a, b) => a + b) / errors.length;
  return { mean, deviation: Math.sqrt(errors.reduce((sum, e) => sum + (e - mean) ** 2, 0) / errors.length) };
};

const WALK: Walk = { change: MEDIAN, size: 100_000, readings: 12, gap: () => 7, show: exactly };
const MIXED = (random: Random) => 0.5 + 20 * random.next() ** 2;

describe('the estimate of a change coefficient', () => {
  it.each([
    ['a median account', WALK],
    ['a lively account', { ...WALK, change: 30 * MEDIAN }],
    ['a calm account', { ...WALK, change: MEDIAN / 10, size: 5_123_457 }],
    ['an account read after varying gaps', { ...WALK, gap: MIXED }],
    ['a small account whose number seldom moves', { ...WALK, change: 5 * MEDIAN, size: 60, readings: 30 }],
    ['an account shown in three digits', { ...WALK, change: 5 * MEDIAN, size: 2_345_678, show: threeDigits }],
  ])('is within a factor of 1.7 on average, and scatters by less than two, for %s', (_, walk) => {
    const { mean, deviation } = errorOf(walk, 1);
    expect(Math.abs(mean)).toBeLessThan(Math.log(1.7));
    expect(deviation).toBeLessThan(Math.log(2));
  });

  it('stays near the median while a small account could not have shown a change', () => {
    const small = { ...WALK, change: MEDIAN / 100, size: 30, readings: 3 };
    const large = { ...small, size: 3_141_593 };
    const random = seededRandom(2);
    expect(estimateOf(random, small)).toBeGreaterThan(MEDIAN / 2);
    expect(estimateOf(random, large)).toBeLessThan(MEDIAN / 5);
  });

  it('is bounded after a misread number, and forgets it', () => {
    const misread = { before: 101_234, after: 7, days: 7 };
    const known = { change: MEDIAN, median: MEDIAN };
    let result = estimated({ moved: 60_000, exposure: 30_000 }, known, misread);
    expect(result.change).toBeLessThan(6 * MEDIAN);
    for (let n = 0; n < 30; n++) {
      const reading = { before: 101_234, after: 101_234 + (n % 2) * 503, days: 7 };
      result = estimated(result.evidence, { change: result.change, median: MEDIAN }, reading);
    }
    expect(result.change).toBeLessThan(1.5 * MEDIAN);
  });

  it('is not raised by a number that crosses a round one', () => {
    const known = { change: MEDIAN, median: MEDIAN };
    const crossing = { before: 5_000_000, after: 4_999_987, days: 7 };
    expect(estimated(NO_EVIDENCE, known, crossing).evidence.moved).toBe(0);
  });

  it('is bounded however often a flickering account is read between two readings', () => {
    let evidence = { moved: 10_000, exposure: 10_000 };
    for (let n = 0; n < 10_000; n++)
      evidence = withMove(evidence, MEDIAN, { before: 3 + (n % 2), after: 4 - (n % 2), days: 0.01 });
    const known = { change: MEDIAN, median: MEDIAN };
    const { change } = estimated(evidence, known, { before: 3, after: 4, days: 7 });
    expect(change).toBeLessThan(8 * MEDIAN);
    const once = withMove({ moved: 10_000, exposure: 10_000 }, MEDIAN, {
      before: 901,
      after: 902,
      days: 0.01,
    });
    expect(once.moved).toBeGreaterThan(10_000);
  });

  it('takes no change from a surface that shows fewer digits', () => {
    const evidence = { moved: 0, exposure: 10_000 };
    const known = { change: MEDIAN, median: MEDIAN };
    const rounded = estimated(evidence, known, { before: 1_234_567, after: 1_230_000, days: 7 });
    expect(rounded.evidence.moved).toBe(0);
    const further = estimated(evidence, known, { before: 1_230_000, after: 1_234_567, days: 7 });
    expect(further.evidence.moved).toBe(0);
  });
});
