import { isoOf } from '../../../src/kernel/clock.ts';
import type { Platform } from '../simulated-platforms.ts';
import type { FollowList } from '../world/follow-list.ts';
import { observedOf } from '../world/outsiders.ts';
import type { World } from '../world/world.ts';

const rounded = (value: number): number => Number(value.toPrecision(8));

/** Posts of an account, `from` 0 being the newest, with what made their engagement. */
export const postsTruth = (
  world: World,
  platform: Platform,
  index: number,
  at: number,
  from: number,
  limit: number,
) => {
  const account = world.account(platform, index, at);
  return world.posts(account, at, limit, account.posts - from).map((post) => {
    const causes = world.hidden.causes(platform, index, post.n);
    return {
      platform,
      index,
      n: post.n,
      at: isoOf(post.at),
      kind: post.kind,
      media: post.media,
      text: post.text,
      lang: post.lang,
      hashtags: post.hashtags,
      links: post.links,
      mentions: post.mentions,
      reply_to: post.replyTo,
      target: post.target,
      pinned: post.pinned,
      likes_hidden: post.likesHidden,
      likes: post.likes,
      replies: post.replies,
      reposts: post.reposts,
      quotes: post.quotes,
      views: post.views,
      causes: {
        engagement: rounded(causes.engagement),
        followers_then: rounded(causes.followersThen),
        streak: rounded(causes.streak),
        outlier: rounded(causes.outlier),
        timing: rounded(causes.timing),
        features: causes.features,
        ban: rounded(causes.ban),
      },
    };
  });
};

/** Members of a list, `from` 0 being the newest, with what they are. */
export const followsTruth = (
  world: World,
  platform: Platform,
  list: FollowList,
  from: number,
  limit: number,
) =>
  list.page(from, limit).map((member, n) => ({
    position: from + n,
    id: member.id,
    handle: member.handle,
    index: member.index,
    resident: member.resident,
    created_at: isoOf(member.createdAt),
    followers: member.followers,
    following: member.following,
    posts: member.posts,
    has_avatar: member.hasAvatar,
    has_bio: member.bio !== '',
    kind: member.kind,
    campaign: member.campaign,
    /** ln of the density of suspicious followers by that of others; residents are not drawn from it. */
    log_ratio: member.resident
      ? null
      : rounded(world.hidden.observables.logRatio(observedOf({ ...member, platform }))),
  }));
