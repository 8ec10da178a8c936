import { urlsIn } from '../../../kernel/text.ts';
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

/**
 * Handles that a text names with an @, normalized, in order, with repetitions.
 * @param parseHandle the platform's grammar.
 */
export const handlesIn = (text: string, parseHandle: (input: string) => string | null): string[] => {
  if (!text.includes('@')) return [];
  // Ignore @ within URLs: `https://medium.com/@name` is not a handle here.
  const bare = text.replace(URL_WITH_SCHEME, ' ');
  return [...bare.matchAll(MENTION)].flatMap(([, name = '']) => {
    // A name at a host is of a network that has hosts. If the grammar has no dots, a dot ends the handle.
    const shorter = name.includes('@') ? '' : name.split(/[^\p{L}\p{N}\p{M}_]/u)[0];
    const handle = parseHandle(name) ?? parseHandle(shorter ?? '');
    return handle === null ? [] : [handle];
  });
};

// At least one letter: `#1` is a rank. Not within a word or a URL's fragment.
const HASHTAG = /(?<![\p{L}\p{N}_&/])[#＃]([\p{N}_]*\p{L}[\p{L}\p{N}\p{M}_]*)/gu;

const URL_WITH_SCHEME = /\bhttps?:\/\/\S+/gi;

/** More links than any post has; an event holds no more. */
const MAX_LINKS = 1_000;

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

/** Hashtags as they are compared: normal form C, lower case, without their sign. */
const hashtagsOf = (tags: readonly (string | null)[]): string[] =>
  distinct(tags.flatMap((tag) => (tag === null || tag === '' ? [] : [tag.normalize('NFC').toLowerCase()])));

// An @ not preceded by a letter, digit or dot, which would be a mail address. Dots and hyphens only inside. A host may
// follow.
const MENTION =
  /(?<![\p{L}\p{N}_.@/+-])@([\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_.·-]{0,252}[\p{L}\p{N}\p{M}_])?(?:@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*\.[a-z0-9-]{2,63})?)/giu;
