import type { Platform } from '../../../src/kernel/platform.ts';
import { MAX_SIZE } from './handles.ts';
import { mix, type Permutation, permutation, scramble } from './hash.ts';

const SNOWFLAKE_EPOCH = 1_288_834_974_657n;
const SNOWFLAKE_ACCOUNTS_FROM = Date.UTC(2015, 0, 1);
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** 24 bits as letters, five of 32 or four of 64. */
const letters = (value: number, alphabet: string): string => {
  let out = '';
  for (let rest = value, n = alphabet.length === 64 ? 4 : 5; n > 0; n--) {
    out += alphabet[rest % alphabet.length];
    rest = Math.floor(rest / alphabet.length);
  }
  return out;
};

const numberOf = (text: string, alphabet: string): number =>
  [...text].reduceRight((sum, c) => sum * alphabet.length + alphabet.indexOf(c), 0);

export interface NativeIds {
  encode(platform: Platform, index: number, key: number, createdAt: number): string;
  /** A candidate that the caller verifies by encoding it again; null if the form is wrong. */
  decode(platform: Platform, id: string): number | null;
}

/** Native IDs in each platform's format that encode the account's number, so that an account is found by its ID. */
export const createNativeIds = (seed: number): NativeIds => {
  const shuffles = new Map<Platform, Permutation>();
  const shuffle = (platform: Platform): Permutation => {
    const known = shuffles.get(platform);
    if (known) return known;
    const made = permutation(MAX_SIZE, mix(seed, 200 + platform.charCodeAt(0) + platform.length * 7));
    shuffles.set(platform, made);
    return made;
  };
  return {
    encode: (platform, index, key, createdAt) => {
      const hidden = shuffle(platform).apply(index);
      switch (platform) {
        case 'x':
          if (createdAt < SNOWFLAKE_ACCOUNTS_FROM) return String(100_000 + hidden * 97 + (key % 97));
          return String(
            ((BigInt(createdAt + (hidden >>> 22)) - SNOWFLAKE_EPOCH) << 22n) | BigInt(hidden & 0x3fffff),
          );
        case 'instagram':
          return String(1_000_000 + hidden * 3571 + (key % 3571));
        case 'tiktok':
          return String(
            (BigInt(Math.floor(createdAt / 1000)) << 32n) | (BigInt(key & 0xff) << 24n) | BigInt(hidden),
          );
        case 'youtube':
          // The last of 22 characters of a 128-bit ID has only two bits.
          return `UC${letters(hidden, BASE64)}${scramble(BASE64, 17, key, 40)}${'AQgw'[key & 3]}`;
        case 'telegram':
          return String(1_000_000_000 + hidden * 61 + (key % 61));
        case 'bluesky':
          return `did:plc:${letters(hidden, BASE32)}${scramble(BASE32, 19, key, 41)}`;
        case 'linkedin':
          return String(10_000_000 + hidden * 53 + (key % 53));
      }
    },
    decode: (platform, id) => {
      const open = (hidden: number) =>
        hidden >= 0 && hidden < MAX_SIZE ? shuffle(platform).invert(hidden) : null;
      if (platform === 'youtube') {
        return /^UC[\w-]{22}$/.test(id) ? open(numberOf(id.slice(2, 6), BASE64)) : null;
      }
      if (platform === 'bluesky') {
        return /^did:plc:[a-z2-7]{24}$/.test(id) ? open(numberOf(id.slice(8, 13), BASE32)) : null;
      }
      if (!/^\d{1,19}$/.test(id)) return null;
      const value = BigInt(id);
      if (platform === 'tiktok') return open(Number(value & 0xffffffn));
      if (platform === 'x' && value >= 1n << 40n) {
        const ms = (value >> 22n) + SNOWFLAKE_EPOCH;
        return open(Number(value & 0x3fffffn) + Number(ms % 1000n) * 2 ** 22);
      }
      const [base, step] = (
        {
          x: [100_000, 97],
          instagram: [1_000_000, 3571],
          telegram: [1_000_000_000, 61],
          linkedin: [10_000_000, 53],
        } as const
      )[platform];
      return open(Math.floor((Number(value) - base) / step));
    },
  };
};
