import type { Account, SimPost } from '../../world/account.ts';
import { mix } from '../../world/hash.ts';
import type { World } from '../../world/world.ts';

const EPOCH = 1_288_834_974_657;
const MACHINE = 2 ** 22;
/** Below the seconds of a snowflake: milliseconds, then 22 bits of machine and sequence. */
const BELOW_SECONDS = 1000 * MACHINE;
const KEY = 0x74776565;

/** What the author's number is shifted by: another one in each second. */
const shiftAt = (at: number): number => mix(KEY, Math.floor(at / 1000) >>> 0) % BELOW_SECONDS;

/** A snowflake: milliseconds since X's epoch, and 22 bits. Below its second it stands for the author. */
export const tweetId = ({ author }: Pick<Account, 'author'>, { at }: Pick<SimPost, 'at'>): string => {
  const code = (author + shiftAt(at)) % BELOW_SECONDS;
  return String((BigInt(at - EPOCH + Math.floor(code / MACHINE)) << 22n) | BigInt(code % MACHINE));
};

/** The number of the account's first post that is not older than a time. */
const firstSince = (world: World, { index, posts }: Account, at: number, time: number): number => {
  let [low, high] = [0, posts];
  while (low < high) {
    const n = (low + high) >>> 1;
    if ((world.post('x', index, n, at)?.at ?? Number.POSITIVE_INFINITY) < time) low = n + 1;
    else high = n;
  }
  return low;
};

/** The tweet with this ID, and its author as it is now; null if there is none. */
export const findTweet = (
  world: World,
  id: string,
  at: number,
): { readonly account: Account; readonly post: SimPost } | null => {
  if (!/^\d{1,19}$/.test(id)) return null;
  const value = BigInt(id);
  const shown = Number(value >> 22n) + EPOCH;
  const time = Math.floor(shown / 1000) * 1000;
  const code = (shown - time) * MACHINE + Number(value & BigInt(MACHINE - 1));
  const index = world.findAuthor((code - shiftAt(time) + BELOW_SECONDS) % BELOW_SECONDS);
  if (index === null) return null;
  const account = world.account('x', index, at);
  const post = world.post('x', index, firstSince(world, account, at, time), at);
  return post?.at === time ? { account, post } : null;
};
