import fc from 'fast-check';
import type { Digest, DigestPost } from '../../src/projections/views/posts/digest.ts';

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
/** Digests of any content: each figure known or unknown, IDs of any text. */
export const anyDigest: fc.Arbitrary<Digest> = fc.record({
  posts: fc.array(post, { maxLength: 40 }),
  span: fc.option(fc.record({ from: fc.option(iso), to: iso })),
});
