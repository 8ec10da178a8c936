import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/kernel/random.ts';
import {
  type Digest,
  type DigestPost,
  decodeDigest,
  encodeDigest,
} from '../../../../src/projections/views/posts/digest.ts';

const LAST_MS = Date.UTC(2199, 11, 31);
const count = fc.option(fc.maxSafeNat());
const time = fc.oneof(
  fc.integer({ min: 0, max: LAST_MS / 1_000 }).map((s) => s * 1_000),
  fc.integer({ min: 0, max: LAST_MS }),
);
const id = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 25n }).map(String),
  fc.constantFrom(
    '0',
    '00',
    '007',
    '1000000000',
    '999999999',
    '123456789012345678901234',
    '-1',
    '1e3',
    'é🎉',
  ),
  fc.string({ minLength: 1, maxLength: 256, unit: 'grapheme' }),
);
const text = fc.option(fc.tuple(fc.nat({ max: 0xff_ff_ff_ff }), fc.nat({ max: 20_000 })));

const post: fc.Arbitrary<DigestPost> = fc
  .record({
    id,
    atMs: fc.option(time),
    kind: fc.constantFrom('original', 'reply', 'repost', 'quote'),
    media: fc.option(fc.constantFrom('none', 'photo', 'video', 'link', 'other')),
    observedMs: time,
    followers: fc.oneof(fc.constantFrom(null, 0, 1_200), fc.maxSafeNat()),
    isOrdered: fc.boolean(),
    likes: count,
    replies: count,
    reposts: count,
    quotes: count,
    views: count,
    text,
    hashtags: fc.option(fc.nat({ max: 60 })),
    links: fc.option(fc.nat({ max: 1_000 })),
    mentions: fc.option(fc.nat({ max: 60 })),
  })
  .map(({ text: shown, ...rest }) => ({
    ...rest,
    textHash: shown === null ? null : shown[0],
    length: shown === null ? null : shown[1],
  })) as fc.Arbitrary<DigestPost>;

const iso = time.map((ms) => new Date(ms).toISOString());
const digest: fc.Arbitrary<Digest> = fc.record({
  posts: fc.array(post, { maxLength: 40 }),
  span: fc.option(fc.record({ from: fc.option(iso), to: iso })),
});

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
      fc.property(digest, (original) => {
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

  it('is rejected where it ends early, or is of a format that is not known', () => {
    const whole = encodeDigest(realistic(3));
    for (let length = 0; length < whole.length; length++) {
      expect(() => decodeDigest(whole.subarray(0, length))).toThrow(RangeError);
    }
    expect(() => decodeDigest(Buffer.from([99, ...whole.subarray(1)]))).toThrow(RangeError);
  });
});
