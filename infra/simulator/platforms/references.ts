import type { Platform } from '../../../src/kernel/platform.ts';
import type { Account, PostRef, SimPost } from '../world/account.ts';
import type { World } from '../world/world.ts';

/** A post that another one answers or cites, with its author; null if there is none or it is not written yet. */
export const referenced = (
  world: World,
  platform: Platform,
  reference: PostRef | null,
  at: number,
): { readonly account: Account; readonly post: SimPost } | null => {
  if (reference === null) return null;
  const account = world.account(platform, reference.index, at);
  const [post] = world.posts(account, at, 1, reference.n + 1);
  return post === undefined || post.n !== reference.n ? null : { account, post };
};
