import { parseHandle } from '../../../platforms/instagram.ts';
import { emptyProfile } from '../../../write/accounts/profile.ts';
import type { Address } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { metaTags } from '../shared/html.ts';
import { labelledCount, nounOf } from '../shared/labelled-count.ts';
import { layoutChanged, type Parsed, present } from '../shared/reading-outcomes.ts';
import { nameOf } from '../shared/surface.ts';

// Figures are recognized by their words in common page languages.
const FOLLOWERS = nounOf(
  'follower|seguidor|abonn[ée]|подписчик|підписник|takipçi|obserwuj|volger|följare|フォロワー|粉丝|粉絲|팔로워|متابِ?ع',
);
const FOLLOWING = nounOf(
  'following|gefolgt|seguid[oa]s|seguindo|suivi|подписк|підписк|takip|obserwowan|volgend|フォロー中|关注|追蹤|팔로잉|يتابع',
);
const POSTS = nounOf(
  'posts?|beitr[äa]g|publicaci|publica[çc]|publication|публикац|дописи|gönderi|berichten|inlägg|投稿|帖子|貼文|게시물|منشور',
);

const TITLE = /^(.{0,200}?)\s*\(@([A-Za-z0-9._]{1,30})\)/u;

/** A figure with its word, on whichever side. */
const FIGURE = /^\s*(?:\p{N}.{0,40}|\P{N}{1,40}\p{N}.{0,20})$/u;

/** The figures: what is before the dash that ends them, or all of it. */
const figuresOf = (description: string): readonly string[] =>
  (description.slice(0, 400).split(/\s[-–—]\s/u)[0] ?? '').split(/,\s|،\s|、/u);

/** The account's ID, which the page's scripts repeat; null if they name none, or several. */
const idIn = (html: string): string | null => {
  const named = html.matchAll(/"profile_id"\s*:\s*"?(\d{1,20})\b|"profilePage_(\d{1,20})"/g);
  const ids = new Set([...named].map(([, id, page]) => id ?? page ?? ''));
  const [id] = ids;
  return id === undefined || ids.size > 1 ? null : id;
};

/**
 * The account as meta tags show it, for pages whose data is loaded later; null if they show none. Large counts are
 * rounded.
 */
export const parseMeta = (html: string, address: Address): Parsed | null => {
  if (!/og:(?:title|description)/i.test(html.slice(0, 300_000))) return null;
  const tags = metaTags(html);
  const [, name, handleText] = TITLE.exec(tags.get('og:title') ?? tags.get('twitter:title') ?? '') ?? [];
  const description = tags.get('og:description') ?? tags.get('description') ?? '';
  const handle = parseHandle(handleText ?? '');
  if (handle === null) return null;
  if (address.kind !== 'handle' || handle !== address.handle)
    return layoutChanged(`The page is about ${handle}, not about ${nameOf(address)}`);
  const figures = figuresOf(description);
  const fields = new Fields();
  const followers = figures.find((part) => part.search(FOLLOWERS) >= 0);
  const others = figures.filter((part) => part !== followers);
  const following = others.find((part) => part.search(FOLLOWING) >= 0);
  const posts = others.find((part) => part !== following && part.search(POSTS) >= 0);
  for (const part of others)
    if (part !== following && part !== posts && FIGURE.test(part)) fields.unknownLabel(part);
  const count = (part: string | undefined, noun: RegExp): number | null => {
    if (part === undefined) return null;
    const value = labelledCount(part, noun, description);
    if (value === null) fields.unknownLabel(part);
    return value;
  };
  const avatar = tags.get('og:image');
  return present(
    {
      ...emptyProfile(handle),
      id: idIn(html),
      display_name: name?.trim() || null,
      followers: count(followers, FOLLOWERS),
      following: count(following, FOLLOWING),
      posts: count(posts, POSTS),
      // Accounts without a picture have one of the site's own files.
      avatar_url:
        avatar === null || /^https:\/\/static\./.test(avatar) ? null : fields.url('avatar_url', avatar),
    },
    null,
    fields,
    ['display_name'],
  );
};
