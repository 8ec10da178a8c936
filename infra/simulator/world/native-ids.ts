import { PLATFORMS, type Platform } from '../simulated-platforms.ts';
import { MAX_OUTSIDERS, MAX_SIZE } from './handle-types.ts';
import { keyFor, mix, type Permutation, permutation, scramble } from './hash.ts';

const SNOWFLAKE_EPOCH = 1_288_834_974_657n;
const SNOWFLAKE_ACCOUNTS_FROM = Date.UTC(2015, 0, 1);
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Below the seconds of a snowflake: milliseconds, then 22 bits of machine and sequence. */
const BELOW_SECONDS = 1000 * 2 ** 22;
/** Accounts of a platform: those of the population, then outsiders. */
const ACCOUNTS = MAX_SIZE + MAX_OUTSIDERS;

/** How many values the drawn part of an ID has. */
const RANGE: Readonly<Record<Platform, number>> = {
  x: BELOW_SECONDS,
  instagram: 70_000_000_000,
  tiktok: 2 ** 32,
  youtube: 64 ** 6,
  telegram: 7_000_000_000,
  bluesky: 32 ** 7,
  linkedin: 1_400_000_000,
};
/** The smallest number of an ID. */
const FROM = { x: 100_000, instagram: 1_000_000, telegram: 100_000_000, linkedin: 1_000_000 } as const;

const letters = (value: number, length: number, alphabet: string): string => {
  let out = '';
  for (let rest = value, n = length; n > 0; n--) {
    out += alphabet[rest % alphabet.length];
    rest = Math.floor(rest / alphabet.length);
  }
  return out;
};

const numberOf = (text: string, alphabet: string): number =>
  [...text].reduceRight((sum, c) => sum * alphabet.length + alphabet.indexOf(c), 0);

/** Number of an account among all of its platform, as IDs are drawn for it. */
export const residentNumber = (index: number): number => index;
export const outsiderNumber = (number: number): number => MAX_SIZE + number;

export interface NativeIds {
  encode(platform: Platform, number: number, createdAt: number): string;
  /** Number of the account that an ID may be of; the caller encodes it again to be sure. Null if there is none. */
  decode(platform: Platform, id: string): number | null;
  /** What the IDs of the posts of an account of X are drawn from, and back. */
  author(number: number): number;
  numberOfAuthor(author: number): number | null;
}

/**
 * Native IDs in each platform's format. What is not a time in them is a keyed permutation of the account's number, of
 * a key for each platform: an account is found by its ID, and IDs tell nothing of the number.
 */
export const createNativeIds = (seed: number): NativeIds => {
  const drawn = (purpose: string, range: number) => permutation(range, keyFor(seed, purpose));
  const shuffles = Object.fromEntries(
    PLATFORMS.map((platform) => [platform, drawn(`id of ${platform}`, RANGE[platform])]),
  ) as Record<Platform, Permutation>;
  const authors = drawn('author of a post', BELOW_SECONDS);
  const rests = keyFor(seed, 'rest of an id');
  const restOf = (hidden: number): number => mix(mix(rests, hidden >>> 0), Math.floor(hidden / 2 ** 32));

  const encoded = (platform: Platform, hidden: number, createdAt: number): string => {
    switch (platform) {
      case 'x':
        return createdAt < SNOWFLAKE_ACCOUNTS_FROM
          ? String(FROM.x + hidden)
          : String(
              ((BigInt(createdAt + Math.floor(hidden / 2 ** 22)) - SNOWFLAKE_EPOCH) << 22n) |
                BigInt(hidden % 2 ** 22),
            );
      case 'tiktok':
        return String((BigInt(Math.floor(createdAt / 1000)) << 32n) | BigInt(hidden));
      case 'youtube': {
        const rest = restOf(hidden);
        // The last of 22 characters of a 128-bit ID has only two bits.
        return `UC${letters(hidden, 6, BASE64)}${scramble(BASE64, 15, rest, 40)}${'AQgw'[rest & 3]}`;
      }
      case 'bluesky':
        return `did:plc:${letters(hidden, 7, BASE32)}${scramble(BASE32, 17, restOf(hidden), 41)}`;
      default:
        return String(FROM[platform] + hidden);
    }
  };

  /** The drawn part of an ID; NaN if it has none. */
  const hiddenIn = (platform: Platform, id: string): number => {
    if (platform === 'youtube')
      return /^UC[\w-]{22}$/.test(id) ? numberOf(id.slice(2, 8), BASE64) : Number.NaN;
    if (platform === 'bluesky')
      return /^did:plc:[a-z2-7]{24}$/.test(id) ? numberOf(id.slice(8, 15), BASE32) : Number.NaN;
    if (!/^\d{1,19}$/.test(id)) return Number.NaN;
    const value = BigInt(id);
    if (platform === 'tiktok') return Number(value & 0xffffffffn);
    if (platform === 'x' && value >= 1n << 40n) {
      // Accounts are created at whole seconds.
      const ms = Number(((value >> 22n) + SNOWFLAKE_EPOCH) % 1000n);
      return ms * 2 ** 22 + Number(value & 0x3fffffn);
    }
    return Number(value) - FROM[platform];
  };

  const accountOf = (shuffle: Permutation, range: number, hidden: number): number | null => {
    if (!(hidden >= 0 && hidden < range)) return null;
    const number = shuffle.invert(hidden);
    return number < ACCOUNTS ? number : null;
  };

  return {
    encode: (platform, number, createdAt) => encoded(platform, shuffles[platform].apply(number), createdAt),
    decode: (platform, id) => accountOf(shuffles[platform], RANGE[platform], hiddenIn(platform, id)),
    author: (number) => authors.apply(number),
    numberOfAuthor: (author) => accountOf(authors, BELOW_SECONDS, author),
  };
};
