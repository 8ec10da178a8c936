import type { Platform } from './simulated-platforms.ts';
import type { Account, PostRef, SimPost } from './world/account.ts';
import type { World } from './world/world.ts';

/** What an owner wrote into the profile by hand. */
export interface ProfileOverride {
  readonly bio?: string;
  readonly displayName?: string;
  /** Text of the newest post. */
  readonly post?: string;
  /** What kind of post that is; `original` by default. */
  readonly postKind?: SimPost['kind'];
  /** Number of the account whose newest post it answers or cites. */
  readonly cites?: number;
}

export interface Overrides {
  /** The world with what was written. */
  readonly world: World;
  set(platform: Platform, index: number, override: ProfileOverride): void;
  clear(): void;
  list(): readonly (ProfileOverride & { readonly platform: Platform; readonly index: number })[];
}

const HASHTAG = /#([\p{L}\p{N}_]+)/gu;
const LINK = /https?:\/\/[^\s]+/g;

const rewritten = (post: SimPost, text: string, kind: SimPost['kind'], cited: PostRef | null): SimPost => ({
  ...post,
  text,
  kind,
  replyTo: kind === 'reply' ? cited : null,
  target: kind === 'repost' || kind === 'quote' ? cited : null,
  hashtags: [...text.matchAll(HASHTAG)].map((hit) => hit[1] as string),
  links: text.match(LINK) ?? [],
  mentions: [],
});

/** Lets the bio, the name and the newest post of single accounts be written, as their owners can. */
export const createOverrides = (plain: World): Overrides => {
  const written = new Map<string, ProfileOverride & { readonly n: number }>();
  const of = (platform: Platform, index: number) =>
    written.size === 0 ? undefined : written.get(`${platform} ${index}`);
  const shown = (account: Account): Account => {
    const override = of(account.platform, account.index);
    return override
      ? {
          ...account,
          bio: override.bio ?? account.bio,
          displayName: override.displayName ?? account.displayName,
        }
      : account;
  };
  const posted = (platform: Platform, index: number, post: SimPost): SimPost => {
    const override = of(platform, index);
    if (override?.post === undefined || override.n !== post.n) return post;
    const { postKind = 'original', cites } = override;
    const cited = cites === undefined ? null : { index: cites, n: plain.account(platform, cites).posts - 1 };
    return rewritten(post, override.post, postKind, cited);
  };
  return {
    world: {
      ...plain,
      account: (platform, index, at) => shown(plain.account(platform, index, at)),
      current: (platform, handle, at) => {
        const found = plain.current(platform, handle, at);
        return found && shown(found);
      },
      posts: (account, at, limit, before) => {
        const list = plain.posts(account, at, limit, before);
        return written.size === 0 ? list : list.map((post) => posted(account.platform, account.index, post));
      },
      post: (platform, index, n, at) => {
        const post = plain.post(platform, index, n, at);
        return post && posted(platform, index, post);
      },
    },
    set: (platform, index, override) => {
      const { posts } = plain.account(platform, index);
      const before = of(platform, index);
      const n = override.post === undefined ? (before?.n ?? posts - 1) : posts - 1;
      written.set(`${platform} ${index}`, { ...before, ...override, n });
    },
    clear: () => written.clear(),
    list: () =>
      [...written].map(([key, { n: _, ...override }]) => {
        const [platform, index] = key.split(' ');
        return { platform: platform as Platform, index: Number(index), ...override };
      }),
  };
};
