import type { Account } from '../world/account.ts';
import { mix, scramble } from '../world/hash.ts';

const DIGITS = '0123456789';

/** Digits of an upload: drawn for the account and its picture, equal to nothing else that the account shows. */
export const uploadDigits = (account: Account, length: number): string => {
  let key = mix(account.key, 0x75706c);
  for (let n = 0; n < account.avatar.length; n += 4) key = mix(key, account.avatar.charCodeAt(n));
  return `${1 + (key % 9)}${scramble(DIGITS, length - 1, key, 11)}`;
};

const TOKEN = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Name of a file of a post. */
export const fileOf = (postKey: number, length: number): string => scramble(TOKEN, length, postKey, 151);
