import type { Account, SimPost } from '../../world/account.ts';
import { mix, scramble } from '../../world/hash.ts';
import { fileOf, uploadDigits } from '../pictures.ts';
import type { Cited } from '../references.ts';
import { tweetId } from './tweet-ids.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (n: number): string => String(n).padStart(2, '0');

/** "Tue Feb 20 14:35:54 +0000 2007" */
export const tweetTime = (ms: number): string => {
  const d = new Date(ms);
  return `${DAYS[d.getUTCDay()]} ${MONTHS[d.getUTCMonth()]} ${two(d.getUTCDate())} ${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())} +0000 ${d.getUTCFullYear()}`;
};

export const avatarOf = (account: Account, size: string): string =>
  `https://pbs.twimg.com/profile_images/${uploadDigits(account, 19)}/${account.avatar}${size}.jpg`;

const shortLink = (account: Account): string =>
  `https://t.co/${scramble('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 10, account.key, 9)}`;

/** The website of a profile, as shortened by X. */
export const websiteOf = (account: Account) => {
  const [link] = account.links;
  return link === undefined
    ? null
    : {
        display_url: link.replace(/^https:\/\/(www\.)?/, '').replace(/\/$/, ''),
        expanded_url: link,
        url: shortLink(account),
        indices: [0, 23],
      };
};

/** The user node of the embed and of older GraphQL responses. */
export const legacyUser = (account: Account) => {
  const website = websiteOf(account);
  return {
    created_at: tweetTime(account.createdAt),
    default_profile: false,
    default_profile_image: false,
    description: account.bio,
    entities: { description: { urls: [] }, ...(website ? { url: { urls: [website] } } : {}) },
    fast_followers_count: 0,
    favourites_count: account.following * 3,
    followers_count: account.followers,
    friends_count: account.following,
    listed_count: Math.floor(account.followers / 500),
    location: account.location,
    media_count: Math.floor(account.posts / 3),
    name: account.displayName,
    normal_followers_count: account.followers,
    possibly_sensitive: false,
    profile_image_url_https: avatarOf(account, '_normal'),
    protected: account.status === 'private',
    screen_name: account.shown,
    statuses_count: account.posts,
    translator_type: 'none',
    ...(website ? { url: website.url } : {}),
    verified: false,
    withheld_in_countries: [],
  };
};

const indicesOf = (text: string, part: string): [number, number] => {
  const start = Math.max(0, text.indexOf(part));
  return [start, start + part.length];
};

/** A reply names its tweet and that one's author. */
const answerOf = ({ kind }: SimPost, cited: Cited | null) =>
  kind !== 'reply' || cited === null
    ? {}
    : {
        in_reply_to_screen_name: cited.account.shown,
        in_reply_to_status_id_str: tweetId(cited.account, cited.post),
        in_reply_to_user_id_str: cited.account.id,
      };

/** Fields of a tweet on all surfaces. */
export const legacyTweet = (account: Account, post: SimPost, cited: Cited | null = null) => {
  const id = tweetId(account, post);
  return {
    conversation_id_str: id,
    created_at: tweetTime(post.at),
    display_text_range: [0, post.text.length],
    entities: {
      hashtags: post.hashtags.map((text) => ({ indices: indicesOf(post.text, `#${text}`), text })),
      symbols: [],
      urls: post.links.map((url) => ({
        display_url: url.replace(/^https?:\/\/(www\.)?/, ''),
        expanded_url: url,
        indices: indicesOf(post.text, url),
        url,
      })),
      user_mentions: mentionsIn(post.text),
    },
    ...(post.media === 'none' ? {} : { extended_entities: { media: [mediaOf(account, post, id)] } }),
    favorite_count: post.likes,
    favorited: false,
    full_text: post.kind === 'repost' ? `RT ${post.text}` : post.text,
    id_str: id,
    ...answerOf(post, cited),
    is_quote_status: post.kind === 'quote',
    ...(post.kind === 'quote' && cited !== null
      ? { quoted_status_id_str: tweetId(cited.account, cited.post) }
      : {}),
    lang: post.lang,
    quote_count: post.quotes,
    reply_count: post.replies,
    retweet_count: post.reposts,
    retweeted: false,
    user_id_str: account.id,
  };
};

const mentionsIn = (text: string) =>
  [...text.matchAll(/@(\w{1,15})/g)].map((hit) => ({
    indices: [hit.index, hit.index + hit[0].length],
    screen_name: hit[1],
  }));

const mediaOf = (account: Account, post: SimPost, id: string) => ({
  display_url: `pic.x.com/${fileOf(post.key, 10)}`,
  expanded_url: `https://x.com/${account.shown}/status/${id}/${post.media}/1`,
  id_str: id,
  media_url_https: `https://pbs.twimg.com/media/${fileOf(mix(post.key, 1), 15)}.jpg`,
  type: post.media,
});
