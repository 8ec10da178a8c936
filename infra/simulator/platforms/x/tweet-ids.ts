import type { Account, SimPost } from '../../world/account.ts';
import type { World } from '../../world/world.ts';

const EPOCH = 1_288_834_974_657;
/** An odd factor and its inverse, modulo 2^22: numbers of accounts look arbitrary in IDs. */
const FACTOR = 0x1e3779;
const MASK = 0x3fffff;

const inverse = (): number => {
  let found = 1;
  for (let bits = 1; bits < 22; bits++)
    if ((Math.imul(FACTOR, found) & ((2 << bits) - 1)) !== 1) found |= 1 << bits;
  return found;
};

const INVERSE = inverse();

/** A snowflake: milliseconds since X's epoch, and 22 bits that stand for the author. */
export const tweetId = ({ index }: Pick<Account, 'index'>, { at }: Pick<SimPost, 'at'>): string =>
  String((BigInt(at - EPOCH) << 22n) | BigInt(Math.imul(index & MASK, FACTOR) & MASK));

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
  const time = Number(value >> 22n) + EPOCH;
  const low = Math.imul(Number(value & BigInt(MASK)), INVERSE) & MASK;
  for (let index = low; index < world.count('x'); index += MASK + 1) {
    const account = world.account('x', index, at);
    const post = world.post('x', index, firstSince(world, account, at, time), at);
    if (post?.at === time) return { account, post };
  }
  return null;
};
