import type { Platform } from '../simulated-platforms.ts';
import type { SimPost } from './account.ts';
import type { Posts } from './posts.ts';
import type { Traits } from './traits.ts';
import type { World } from './world-types.ts';

export interface TimelinesSource {
  readonly posts: Posts;
  traits(platform: Platform, index: number): Traits;
  /** Accounts that took a name over have no posts. */
  isTaker(platform: Platform, index: number): boolean;
}

/** Posts of accounts as their timelines show them. */
export const createTimelines = ({
  posts,
  traits,
  isTaker,
}: TimelinesSource): Pick<World, 'posts' | 'post' | 'pinned'> => {
  const postAt = (own: Traits, n: number, at: number): SimPost => {
    const post = posts.post(own, n, at);
    return posts.pinned(own, at) === n ? { ...post, pinned: true } : post;
  };
  return {
    posts: (of, at, limit, before = of.posts) => {
      if (isTaker(of.platform, of.index)) return [];
      const from = Math.min(before, of.posts);
      const own = traits(of.platform, of.index);
      return Array.from({ length: Math.max(0, Math.min(limit, from)) }, (_, n) =>
        postAt(own, from - 1 - n, at),
      );
    },
    post: (platform, index, n, at) => {
      if (isTaker(platform, index)) return null;
      const own = traits(platform, index);
      return n >= 0 && n < posts.count(own, at) ? postAt(own, n, at) : null;
    },
    pinned: (of, at) => {
      if (isTaker(of.platform, of.index)) return null;
      const own = traits(of.platform, of.index);
      const n = posts.pinned(own, at);
      return n === null ? null : postAt(own, n, at);
    },
  };
};
