import type { Platform } from '../../../src/kernel/platform.ts';
import { MAX_OUTSIDERS, MAX_SIZE } from './handles.ts';
import { mix, type Permutation, permutation, scramble } from './hash.ts';

const SNOWFLAKE_EPOCH = 1_288_834_974_657n;
const SNOWFLAKE_ACCOUNTS_FROM = Date.UTC(2015, 0, 1);
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

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

/** Numeric IDs: residents from the first base in steps, outsiders one by one from the second. */
const NUMERIC = {
  x: [100_000, 97, 2_000_000_000],
  instagram: [1_000_000, 3571, 100_000_000_000],
  telegram: [1_000_000_000, 61, 5_000_000_000],
  linkedin: [10_000_000, 53, 2_000_000_000],
} as const;

/** Whose ID it may be; the caller encodes the ID again to be sure. */
export interface IdCandidate {
  readonly number: number;
  readonly outsider: boolean;
}

export interface NativeIds {
  encode(platform: Platform, number: number, key: number, createdAt: number): string;
  /** ID of an outsider. */
  encodeOutsider(platform: Platform, number: number, key: number, createdAt: number): string;
  decode(platform: Platform, id: string): readonly IdCandidate[];
}

/** Native IDs in each platform's format that encode the account's number, so that an account is found by its ID. */
export const createNativeIds = (seed: number): NativeIds => {
  const shuffles = new Map<string, Permutation>();
  const shuffle = (platform: Platform, outsiders: boolean): Permutation => {
    const name = `${platform}${outsiders}`;
    const known = shuffles.get(name);
    if (known) return known;
    const key = mix(seed, (outsiders ? 900 : 200) + platform.charCodeAt(0) + platform.length * 7);
    const made = permutation(outsiders ? MAX_OUTSIDERS : MAX_SIZE, key);
    shuffles.set(name, made);
    return made;
  };
  const snowflake = (createdAt: number, above: number, below: number): string =>
    String(((BigInt(createdAt + above) - SNOWFLAKE_EPOCH) << 22n) | BigInt(below));

  return {
    encode: (platform, index, key, createdAt) => {
      const hidden = shuffle(platform, false).apply(index);
      switch (platform) {
        case 'x':
          return createdAt < SNOWFLAKE_ACCOUNTS_FROM
            ? String(NUMERIC.x[0] + hidden * 97 + (key % 97))
            : snowflake(createdAt, hidden >>> 22, hidden & 0x3fffff);
        case 'tiktok':
          return String(
            (BigInt(Math.floor(createdAt / 1000)) << 32n) | (BigInt(key & 0xff) << 24n) | BigInt(hidden),
          );
        case 'youtube':
          // The last of 22 characters of a 128-bit ID has only two bits.
          return `UC${letters(hidden, 4, BASE64)}${scramble(BASE64, 17, key, 40)}${'AQgw'[key & 3]}`;
        case 'bluesky':
          return `did:plc:${letters(hidden, 5, BASE32)}${scramble(BASE32, 19, key, 41)}`;
        default: {
          const [base, step] = NUMERIC[platform];
          return String(base + hidden * step + (key % step));
        }
      }
    },
    encodeOutsider: (platform, number, key, createdAt) => {
      const hidden = shuffle(platform, true).apply(number);
      switch (platform) {
        case 'x':
          // Residents have the milliseconds 0 to 3, outsiders 4 to 259.
          return createdAt < SNOWFLAKE_ACCOUNTS_FROM
            ? String(NUMERIC.x[2] + hidden)
            : snowflake(createdAt, 4 + (hidden >>> 22), hidden & 0x3fffff);
        case 'tiktok':
          return String((BigInt(Math.floor(createdAt / 1000)) << 32n) | BigInt(hidden + 3 * 2 ** 30));
        case 'youtube':
          return `UC${letters(hidden, 5, BASE64)}${scramble(BASE64, 16, key, 40)}${'AQgw'[key & 3]}`;
        case 'bluesky':
          return `did:plc:${letters(MAX_SIZE + (hidden & 0xffffff), 5, BASE32)}${letters(hidden >>> 24, 2, BASE32)}${scramble(BASE32, 17, key, 41)}`;
        default:
          return String(NUMERIC[platform][2] + hidden);
      }
    },
    decode: (platform, id) => {
      const found: IdCandidate[] = [];
      const resident = (hidden: number) => {
        if (hidden >= 0 && hidden < MAX_SIZE)
          found.push({ number: shuffle(platform, false).invert(hidden), outsider: false });
      };
      const outsider = (hidden: number) => {
        if (hidden >= 0 && hidden < MAX_OUTSIDERS)
          found.push({ number: shuffle(platform, true).invert(hidden), outsider: true });
      };
      if (platform === 'youtube') {
        if (!/^UC[\w-]{22}$/.test(id)) return [];
        resident(numberOf(id.slice(2, 6), BASE64));
        outsider(numberOf(id.slice(2, 7), BASE64));
        return found;
      }
      if (platform === 'bluesky') {
        if (!/^did:plc:[a-z2-7]{24}$/.test(id)) return [];
        const code = numberOf(id.slice(8, 13), BASE32);
        resident(code);
        outsider(code - MAX_SIZE + numberOf(id.slice(13, 15), BASE32) * MAX_SIZE);
        return found;
      }
      if (!/^\d{1,19}$/.test(id)) return [];
      const value = BigInt(id);
      if (platform === 'tiktok') {
        resident(Number(value & 0xffffffn));
        outsider(Number(value & 0xffffffffn) - 3 * 2 ** 30);
        return found;
      }
      if (platform === 'x' && value >= 1n << 40n) {
        const ms = Number(((value >> 22n) + SNOWFLAKE_EPOCH) % 1000n);
        const below = Number(value & 0x3fffffn);
        if (ms < 4) resident(below + ms * 2 ** 22);
        else outsider(below + (ms - 4) * 2 ** 22);
        return found;
      }
      const [base, step, crowd] = NUMERIC[platform];
      resident(Math.floor((Number(value) - base) / step));
      outsider(Number(value) - crowd);
      return found;
    },
  };
};
