import type { Platform } from '../simulated-platforms.ts';
import type { Account, PostRef, SimPost } from '../world/account.ts';
import type { World } from '../world/world.ts';

/** A post that another one answers or cites, with its author. */
export interface Cited {
  readonly account: Account;
  readonly post: SimPost;
}

/** Null if there is none, or it is not written yet. */
export const referenced = (
  world: World,
  platform: Platform,
  reference: PostRef | null,
  at: number,
): Cited | null => {
  if (reference === null) return null;
  const post = world.post(platform, reference.index, reference.n, at);
  return post === null ? null : { account: world.account(platform, reference.index, at), post };
};

/** The first page of a timeline: the pinned post, whatever its age, before the others. */
export const withPinned = (
  world: World,
  account: Account,
  posts: readonly SimPost[],
  at: number,
): { readonly pinned: readonly SimPost[]; readonly posts: readonly SimPost[] } => {
  const pinned = account.status === 'active' ? world.pinned(account, at) : null;
  if (pinned === null) return { pinned: [], posts };
  return { pinned: [pinned], posts: posts.filter(({ n }) => n !== pinned.n) };
};
