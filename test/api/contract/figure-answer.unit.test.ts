import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rounded } from '../../../src/api/contract/figure-answer.ts';

it('figures have six significant digits, rounded as decimal text, and whole numbers stay as they are', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const shown = rounded(value);
      if (Number.isInteger(value)) expect(shown).toBe(value);
      else if (Math.abs(value) >= 1e6) expect(shown).toBe(Math.round(value));
      else expect(Math.abs(shown - value)).toBeLessThanOrEqual(Math.abs(value) * 5.000_001e-6);
      // No digits beyond those that are shown.
      if (Math.abs(value) < 1e6 && value !== 0 && !Number.isInteger(value))
        expect(Number(shown.toPrecision(6))).toBe(shown);
    }),
    { numRuns: 2_000 },
  );
  expect(rounded({ a: [0.123456789, null, 'x', 12], b: { c: 1 / 3 } })).toEqual({
    a: [0.123457, null, 'x', 12],
    b: { c: 0.333333 },
  });
  expect(rounded(5e-324)).toBe(5e-324);
});
