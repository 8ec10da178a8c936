import type { Account, SimPost } from '../../world/account.ts';
import { mix } from '../../world/hash.ts';
import { secUidOf } from './sec-uid.ts';

export const avatarOf = (account: Account): string =>
  `https://p16-sign-va.tiktokcdn.com/tos-maliva-avt-0068/${account.avatar}~tplv-tiktokx-cropcenter:1080:1080.jpeg?x-expires=1790812800`;

/** Two significant digits, as the page shows large counts. */
const rounded = (n: number): number => {
  if (n < 10_000) return n;
  const unit = 10 ** (Math.floor(Math.log10(n)) - 1);
  return Math.floor(n / unit) * unit;
};

/** The creation time is a number, a text or absent, as on real pages. */
const createTime = (account: Account) => {
  const seconds = Math.floor(account.createdAt / 1000);
  if (account.key % 13 === 0) return {};
  return { createTime: account.key % 4 === 0 ? String(seconds) : seconds };
};

export const userOf = (account: Account) => ({
  id: account.id,
  shortId: '',
  uniqueId: account.handle,
  nickname: account.displayName,
  avatarLarger: avatarOf(account),
  avatarMedium: avatarOf(account),
  avatarThumb: avatarOf(account),
  signature: account.bio,
  ...createTime(account),
  verified: account.verified,
  secUid: secUidOf(account.id),
  ftc: false,
  relation: 0,
  openFavorite: false,
  ...(account.links[0] ? { bioLink: { link: account.links[0], risk: 0 } } : {}),
  commentSetting: 0,
  privateAccount: account.status === 'private',
  secret: account.status === 'private',
  isADVirtual: false,
  region: 'DE',
  ttSeller: false,
});

/** A private account's videos and hearts are not counted for strangers. */
export const statsOf = (account: Account) => {
  const [hearts, videos] = account.status === 'private' ? [0, 0] : [account.hearts, account.posts];
  return {
    stats: {
      followerCount: rounded(account.followers),
      followingCount: account.following,
      heart: rounded(hearts) | 0,
      heartCount: rounded(hearts) | 0,
      videoCount: videos,
      diggCount: 0,
      friendCount: 0,
    },
    statsV2: {
      followerCount: String(account.followers),
      followingCount: String(account.following),
      heart: String(hearts),
      heartCount: String(hearts),
      videoCount: String(videos),
      diggCount: '0',
      friendCount: '0',
    },
  };
};

const videoId = (post: SimPost): string =>
  String((BigInt(Math.floor(post.at / 1000)) << 32n) | BigInt(mix(post.key, 0x766964)));

export const item = (account: Account, post: SimPost) => ({
  id: videoId(post),
  desc: post.text,
  challenges: post.hashtags.map((title) => ({ title })),
  textLanguage: post.lang,
  ...(post.pinned ? { isPinnedItem: true } : {}),
  createTime: Math.floor(post.at / 1000),
  author: { id: account.id, uniqueId: account.handle, nickname: account.displayName },
  stats: {
    diggCount: post.likes,
    shareCount: post.reposts,
    commentCount: post.replies,
    playCount: post.views,
    collectCount: '0',
  },
  video: { duration: 5 + (post.key % 170), height: 1024, width: 576 },
  privateItem: false,
});
