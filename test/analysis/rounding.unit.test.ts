import { describe, expect, it } from 'vitest';
import { digitsOf, followerDigits } from '../../src/analysis/rounding.ts';

describe('counts that a platform rounds', () => {
  it('are recognized by zeros that chance would not produce', () => {
    expect(digitsOf([12_300, 45_600, 1_230, 880, 9_870])).toBe(3);
    expect(digitsOf([12_300, 45_601, 1_230])).toBeNull();
    expect(digitsOf([120, 300, 50])).toBeNull();
    expect(digitsOf([12_000, null, 2_300])).toBe(2);
  });

  it('state the rounding once for followers that stay equal; YouTube shows three digits', () => {
    expect(followerDigits([5_000, 5_000, 5_000, 5_000])).toBeNull();
    expect(followerDigits([12_300, 12_300, 12_400, 12_500])).toBe(3);
    expect(followerDigits([12_300, 12_300], 'youtube')).toBe(3);
    expect(followerDigits([12_300, 12_300], 'x')).toBeNull();
    expect(followerDigits([12_345, 12_300], 'youtube')).toBeNull();
    expect(followerDigits([300, 500], 'youtube')).toBeNull();
  });
});
