import { urlsIn } from '../../../kernel/text.ts';
import { handlesIn, URL_WITH_SCHEME } from '../../../platforms/mentions.ts';
import type { Post } from '../../../write/accounts/post.ts';

/** Hashtags, links and mentions of a post. */
export type PostTags = Pick<Post, 'hashtags' | 'links' | 'mentions'>;

/** How many different addresses these are: one that is also written out counts once. */
export const linkCount = (urls: readonly string[]): number => {
  const addresses = urls.map((url) => (URL.canParse(url) ? new URL(url).href : url));
  return Math.min(MAX_LINKS, new Set(addresses).size);
};

/** Tags of a platform that sends a text without its entities; all unknown without a text. */
export const tagsInText = (text: string | null, parseHandle: (input: string) => string | null): PostTags => {
  if (text === null) return { hashtags: null, links: null, mentions: null };
  const bare = text.replace(URL_WITH_SCHEME, ' ');
  return {
    hashtags: hashtagsOf([...bare.matchAll(HASHTAG)].map(([, tag = '']) => tag)),
    links: linkCount(urlsIn(text)),
    mentions: distinct(handlesIn(text, parseHandle)),
  };
};

/** Tags of a platform that sends them apart from the text. */
export const tagsOf = (
  hashtags: readonly (string | null)[],
  links: readonly (string | null)[],
  mentions: readonly (string | null)[],
): PostTags => ({
  hashtags: hashtagsOf(hashtags),
  links: linkCount(links.filter((link) => link !== null)),
  mentions: distinct(mentions.filter((name) => name !== null)),
});

// At least one letter: `#1` is a rank. Not within a word or a URL's fragment.
const HASHTAG = /(?<![\p{L}\p{N}_&/])[#＃]([\p{N}_]*\p{L}[\p{L}\p{N}\p{M}_]*)/gu;

/** More links than any post has; an event holds no more. */
const MAX_LINKS = 1_000;

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

/** Hashtags as they are compared: normal form C, lower case, without their sign. */
const hashtagsOf = (tags: readonly (string | null)[]): string[] =>
  distinct(tags.flatMap((tag) => (tag === null || tag === '' ? [] : [tag.normalize('NFC').toLowerCase()])));
