import type { Account, SimPost } from '../../world/account.ts';
import { mix } from '../../world/hash.ts';
import { fileOf, uploadDigits } from '../pictures.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A media ID: milliseconds since Instagram's epoch, then 23 bits of shard and sequence. */
export const mediaId = (post: SimPost): bigint =>
  ((BigInt(post.at) - 1_314_220_021_721n) << 23n) | BigInt(mix(post.key, 0x6d6564) & 0x7fffff);

/** The ID in base64, as in URLs. */
export const shortcode = (post: SimPost): string => {
  let out = '';
  for (let rest = mediaId(post); rest > 0n; rest >>= 6n) out = ALPHABET[Number(rest & 63n)] + out;
  return out;
};

export const avatarOf = (account: Account): string =>
  `https://scontent-fra3-1.cdninstagram.com/v/t51.2885-19/${uploadDigits(account, 15)}_${account.avatar}_n.jpg?stp=dst-jpg_s150x150&_nc_ht=scontent-fra3-1.cdninstagram.com&oe=66F0A1B2`;

export const bioLinks = (account: Account) =>
  account.links.map((url, n) => ({
    title: '',
    url,
    lynx_url: `https://l.instagram.com/?u=${encodeURIComponent(url)}&e=AT${n}`,
    link_type: 'external',
  }));

/** A hidden count is sent as -1. */
const likesOf = (post: SimPost) => ({ count: post.likesHidden ? -1 : post.likes });

const edge = (account: Account, post: SimPost) => ({
  node: {
    __typename: post.media === 'video' ? 'GraphVideo' : 'GraphImage',
    id: String(mediaId(post)),
    shortcode: shortcode(post),
    dimensions: { height: 1080, width: 1080 },
    display_url: `https://scontent-fra3-1.cdninstagram.com/v/t51.2885-15/${fileOf(post.key, 12)}_n.jpg`,
    is_video: post.media === 'video',
    edge_media_to_tagged_user: { edges: [] },
    edge_media_to_caption: { edges: [{ node: { text: post.text } }] },
    edge_media_to_comment: { count: post.replies },
    comments_disabled: false,
    taken_at_timestamp: Math.floor(post.at / 1000),
    // Half of the clients see one field name, half the other.
    ...(post.likesHidden ? { like_and_view_counts_disabled: true } : {}),
    ...(post.key % 2 === 0 ? { edge_liked_by: likesOf(post) } : { edge_media_preview_like: likesOf(post) }),
    ...(post.pinned ? { pinned_for_users: [{ id: account.id, username: account.handle }] } : {}),
    ...(post.media === 'video' ? { video_view_count: post.views } : {}),
    owner: { id: account.id, username: account.handle },
    location: null,
  },
});

export const profileInfo = (account: Account, posts: readonly SimPost[]) => ({
  data: {
    user: {
      biography: account.bio,
      bio_links: bioLinks(account),
      blocked_by_viewer: false,
      country_block: false,
      external_url: account.links[0] ?? null,
      edge_followed_by: { count: account.followers },
      fbid: `178414${account.id.padStart(11, '0')}`,
      followed_by_viewer: false,
      edge_follow: { count: account.following },
      full_name: account.displayName,
      has_clips: true,
      highlight_reel_count: account.key % 20,
      hide_like_and_view_counts: false,
      id: account.id,
      is_business_account: account.key % 4 === 0,
      is_professional_account: account.key % 2 === 0,
      is_joined_recently: false,
      category_name: account.key % 4 === 0 ? 'Artist' : null,
      is_private: account.status === 'private',
      is_verified: account.verified,
      profile_pic_url: avatarOf(account),
      profile_pic_url_hd: avatarOf(account),
      username: account.handle,
      pronouns: [],
      edge_felix_video_timeline: {
        count: 0,
        page_info: { has_next_page: false, end_cursor: null },
        edges: [],
      },
      edge_owner_to_timeline_media: {
        count: account.posts,
        page_info: { has_next_page: account.posts > 12, end_cursor: account.posts > 12 ? 'QVFB' : null },
        edges: account.status === 'private' ? [] : posts.map((post) => edge(account, post)),
      },
    },
  },
  status: 'ok',
});
