import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'slk_';
const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;

const base62 = (value: number, length: number): string => {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62))
    text = (ALPHABET[rest % 62] ?? '') + text;
  return text;
};

const check = (body: string): string => base62(crc32(body), CHECK_LENGTH);

/** Creates a key: `slk_`, 32 random base62 characters (190 bits), then 6 characters of CRC32. */
export const createKey = (): string => {
  let body = PREFIX;
  while (body.length < PREFIX.length + RANDOM_LENGTH) {
    // Rejection sampling: bytes above the largest multiple of 62 would bias towards the first characters.
    for (const byte of randomBytes(64)) {
      if (byte < 248 && body.length < PREFIX.length + RANDOM_LENGTH) body += ALPHABET[byte % 62];
    }
  }
  return body + check(body);
};

/** Whether a text is a well-formed key with a valid checksum. It finds typos without a look-up. */
export const isKey = (text: string): boolean =>
  text.length === PREFIX.length + RANDOM_LENGTH + CHECK_LENGTH &&
  text.startsWith(PREFIX) &&
  /^slk_[0-9A-Za-z]+$/.test(text) &&
  check(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);

/** SHA-256 of a key in hexadecimal. Only this is stored: 190 random bits need no slow hash. */
export const hashKey = (key: string): string => hash('sha256', key);
