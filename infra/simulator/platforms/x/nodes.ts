import type { Account, SimPost } from '../../world/account.ts';
import type { World } from '../../world/world.ts';
import { referenced } from '../references.ts';
import { avatarOf, legacyTweet, legacyUser, tweetTime, websiteOf } from './payloads.ts';
import { tweetId } from './tweet-ids.ts';

export const globalId = (id: string): string => Buffer.from(`User:${id}`).toString('base64');
const isBusiness = (account: Account): boolean => account.verified && account.key % 5 === 0;

/** Two in three accounts have the newer layout, as during a migration. */
export const userNode = (account: Account) => {
  const common = {
    __typename: 'User',
    id: globalId(account.id),
    rest_id: account.id,
    affiliates_highlighted_label: {},
    has_graduated_access: true,
    // Business badges are only in `verified_type`.
    is_blue_verified: account.verified && !isBusiness(account),
    profile_image_shape: 'Circle',
    is_profile_translatable: false,
    has_hidden_subscriptions_on_profile: false,
    creator_subscriptions_count: 0,
    legacy_extended_profile: {},
  };
  const type = isBusiness(account) ? { verified_type: 'Business' } : {};
  if (account.key % 3 === 0) return { ...common, legacy: { ...legacyUser(account), ...type } };
  const website = websiteOf(account);
  return {
    ...common,
    avatar: { image_url: avatarOf(account, '_normal') },
    core: { created_at: tweetTime(account.createdAt), name: account.displayName, screen_name: account.shown },
    dm_permissions: { can_dm: false },
    location: { location: account.location },
    privacy: { protected: account.status === 'private' },
    profile_bio: {
      description: account.bio,
      entities: { description: {}, ...(website ? { url: { urls: [website] } } : {}) },
    },
    relationship_counts: { followers: account.followers, following: account.following },
    tweet_counts: { media_tweets: Math.floor(account.posts / 3), tweets: account.posts },
    verification: { verified: false, is_blue_verified: account.verified && !isBusiness(account), ...type },
    ...(website ? { website: { url: website.url } } : {}),
  };
};

/** A tweet of a timeline. Reposts and quotes contain the tweet that they cite. */
export const tweetNode = (world: World, account: Account, post: SimPost, at: number, author: unknown) => {
  const cited = referenced(world, 'x', post.replyTo ?? post.target, at);
  const whole =
    cited === null
      ? null
      : {
          __typename: 'Tweet',
          rest_id: tweetId(cited.account, cited.post),
          core: { user_results: { result: userNode(cited.account) } },
          legacy: legacyTweet(cited.account, cited.post),
        };
  return {
    __typename: 'Tweet',
    rest_id: tweetId(account, post),
    core: { user_results: { result: author } },
    legacy: {
      ...legacyTweet(account, post, cited),
      ...(post.kind === 'repost'
        ? { retweeted_status_result: { result: whole ?? { __typename: 'Tweet' } } }
        : {}),
    },
    ...(post.kind === 'quote' && whole !== null ? { quoted_status_result: { result: whole } } : {}),
    source: '<a href="https://mobile.twitter.com" rel="nofollow">Twitter Web App</a>',
    views:
      post.key % 11 === 0 ? { state: 'Enabled' } : { count: String(post.views), state: 'EnabledWithCount' },
  };
};

export const itemEntry = (entryId: string, sortIndex: string, itemContent: object) => ({
  entryId,
  sortIndex,
  content: { __typename: 'TimelineTimelineItem', entryType: 'TimelineTimelineItem', itemContent },
});
