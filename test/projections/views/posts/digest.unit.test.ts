import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/kernel/random.ts';
import { type Digest, decodeDigest, encodeDigest } from '../../../../src/projections/views/posts/digest.ts';
import { anyDigest } from '../../../support/generated-digest.ts';

/** Posts as X gives them: of one reading, some minutes apart. */
const realistic = (length: number): Digest => {
  const random = seededRandom(length);
  const observedMs = Date.UTC(2026, 10, 21, 8, 16, 3, 417);
  return {
    span: null,
    posts: Array.from({ length }, (_, n) => ({
      id: String(1_990_000_000_000_000_000n - BigInt(n) * 7_654_321_987n),
      atMs: Date.UTC(2026, 10, 20) - n * 7_200_000 - random.int(3_600) * 1_000,
      kind: 'original',
      media: 'photo',
      observedMs,
      followers: 12_345,
      isOrdered: true,
      likes: random.int(5_000),
      replies: random.int(300),
      reposts: random.int(900),
      quotes: random.int(60),
      views: random.int(400_000),
      textHash: random.int(2 ** 32),
      length: random.int(280),
      hashtags: random.int(3),
      links: random.int(2),
      mentions: random.int(3),
    })),
  };
};

describe('a packed digest', () => {
  it('unpacks to the same posts in the same order, with null and 0 apart', () => {
    fc.assert(
      fc.property(anyDigest, (original) => {
        expect(decodeDigest(encodeDigest(original))).toEqual(original);
      }),
      { numRuns: 300 },
    );
  });

  it('takes no more than 36 bytes a post of X', () => {
    for (const length of [20, 500]) {
      expect(encodeDigest(realistic(length)).length / length).toBeLessThan(36);
    }
  });

  it('is rejected if truncated or of an unknown format', () => {
    const whole = encodeDigest(realistic(3));
    for (let length = 0; length < whole.length; length++) {
      expect(() => decodeDigest(whole.subarray(0, length))).toThrow(RangeError);
    }
    expect(() => decodeDigest(Buffer.from([99, ...whole.subarray(1)]))).toThrow(RangeError);
  });
});
