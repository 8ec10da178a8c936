import type { Platform } from '../../../src/kernel/platform.ts';
import { type Account, DAY, type SimPost } from './account.ts';
import { mix, pick, unit } from './hash.ts';
import { PHRASES } from './phrases.ts';

/** Posts per day: from one in three months to a dozen a day, mostly few. */
const rateOf = (key: number): number => 10 ** (-2 + unit(key, 120) ** 1.4 * 2.9);

/** Time of post `n` in milliseconds: one per slot of 1/rate days, at a random offset. */
const timeOf = (key: number, createdAt: number, n: number): number =>
  Math.floor((createdAt + ((n + unit(mix(key, 121), n)) / rateOf(key)) * DAY) / 1000) * 1000;

export const postsAt = (key: number, createdAt: number, at: number): number => {
  const n = Math.max(0, Math.floor(((at - createdAt) / DAY) * rateOf(key)));
  return timeOf(key, createdAt, n) <= at ? n + 1 : n;
};

/** Replies, reposts and quotes, if the platform has them. */
const kindOf = (platform: Platform, key: number): SimPost['kind'] => {
  if (platform !== 'x' && platform !== 'bluesky') return 'original';
  const draw = unit(key, 122);
  if (draw < 0.12) return 'reply';
  return draw < 0.22 ? 'repost' : draw < 0.28 ? 'quote' : 'original';
};

const mediaOf = (platform: Platform, key: number): SimPost['media'] => {
  if (platform === 'tiktok' || platform === 'youtube') return 'video';
  const draw = unit(key, 123);
  if (platform === 'instagram') return draw < 0.4 ? 'video' : 'photo';
  return draw < 0.5 ? 'none' : draw < 0.85 ? 'photo' : 'video';
};

export interface PostText {
  mentions(account: Account, postKey: number): readonly number[];
  /** How a text names an account at a time. */
  name(platform: Platform, index: number, at: number): string;
}

/** Post `n` of an account at a time: its counts grow for some days. */
export const postOf = (account: Account, n: number, at: number, text: PostText): SimPost => {
  const key = mix(mix(account.key, 124), n);
  const postedAt = timeOf(account.key, account.createdAt, n);
  const age = Math.max(0, at - postedAt) / DAY;
  const reach = account.followers * (0.02 + unit(key, 125) ** 3 * 1.2) * (1 - Math.exp(-age / 1.5));
  const likes = Math.floor(reach * (0.02 + 0.1 * unit(key, 126)));
  const mentions = text.mentions(account, key);
  const phrases = PHRASES[account.language] ?? PHRASES.en;
  const named = mentions.map((index) => text.name(account.platform, index, postedAt));
  const words = [pick(phrases?.posts ?? [''], key, 127), ...named.map((name) => `w/ ${name}`)];
  return {
    n,
    at: postedAt,
    key,
    kind: kindOf(account.platform, key),
    media: mediaOf(account.platform, key),
    text: words.join(' '),
    mentions,
    lang: account.language,
    hashtags: [],
    links: [],
    replyTo: null,
    target: null,
    pinned: false,
    likesHidden: false,
    likes,
    replies: Math.floor(likes * 0.08 * unit(key, 128)),
    reposts: Math.floor(likes * 0.2 * unit(key, 129)),
    quotes: Math.floor(likes * 0.03 * unit(key, 130)),
    views: Math.floor(reach),
  };
};
