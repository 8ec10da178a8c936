import { mix, scramble } from '../../world/hash.ts';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Of a version and a length, as in all real ones. */
const PREFIX = 'MS4wLjABAAAA';
const KEY = 0x73656375;
const ROUNDS = 6;
/** Characters that stand for the 64 bits of the ID. */
const CODE = 11;

/** A permutation of 64 bits, as two halves. */
const permuted = (high: number, low: number, back: boolean): readonly [number, number] => {
  let [left, right] = [high, low];
  for (let n = 0; n < ROUNDS; n++) {
    const key = mix(KEY, back ? ROUNDS - 1 - n : n);
    if (back) [left, right] = [(right ^ mix(key, left)) >>> 0, left];
    else [left, right] = [right, (left ^ mix(key, right)) >>> 0];
  }
  return [left, right];
};

/** An account's second ID in the form that TikTok gives it: 32 bytes in base64. It holds what the first one holds. */
export const secUidOf = (id: string): string => {
  const value = BigInt(id);
  const [left, right] = permuted(Number(value >> 32n), Number(value & 0xffffffffn), false);
  let rest = (BigInt(left) << 32n) | BigInt(right);
  let code = '';
  for (let n = 0; n < CODE; n++, rest >>= 6n) code += BASE64[Number(rest & 63n)];
  const key = mix(left, right);
  // The last of 43 characters of 32 bytes has only four bits.
  return `${PREFIX}${code}${scramble(BASE64, 31, key, 7)}${BASE64[(key & 15) * 4]}`;
};

/** The ID that an account's second ID stands for; null if it is no such ID. */
export const idOfSecUid = (secUid: string): string | null => {
  if (!/^[\w-]{55}$/.test(secUid)) return null;
  const code = secUid.slice(PREFIX.length, PREFIX.length + CODE);
  const value = [...code].reduceRight((sum, c) => (sum << 6n) | BigInt(BASE64.indexOf(c)), 0n);
  if (value >= 1n << 64n) return null;
  const [high, low] = permuted(Number(value >> 32n), Number(value & 0xffffffffn), true);
  const id = String((BigInt(high) << 32n) | BigInt(low));
  return secUidOf(id) === secUid ? id : null;
};
