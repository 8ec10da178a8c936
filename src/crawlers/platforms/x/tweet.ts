import { decodeHTML } from 'entities';
import { parseHandle } from '../../../platforms/x.ts';
import type { Post, PostReference } from '../../../write/accounts/post.ts';
import type { Address } from '../adapter.ts';
import type { Fields } from '../shared/field-reader.ts';
import { at, idAt, isObject, type Json, listAt, textAt } from '../shared/json-access.ts';
import { type PostTags, tagsOf } from '../shared/post-tags.ts';
import { userOf, type XUser } from './user.ts';

/**
 * A post from a tweet of GraphQL or of older calls; null without an ID. Reposts have no counts of their own: those shown
 * are the original's.
 */
export const postOf = (tweet: Json, handle: string, fields: Fields): Post | null => {
  const legacy = legacyOf(tweet);
  const id = idAt(tweet, 'rest_id') ?? idAt(legacy, 'id_str');
  if (id === null) return null;
  const kind = kindOf(legacy);
  const own = kind !== 'repost';
  const written = own ? writtenIn(tweet) : repeatedIn(tweet);
  const permalink = textAt(legacy, 'permalink');
  const count = (name: string, raw: Json) => (own ? fields.count(`post ${name}`, raw) : null);
  // Other states have a count as well, which is meaningless.
  const isViewed = textAt(tweet, 'views', 'state') === 'EnabledWithCount';
  return {
    id,
    url: permalink?.startsWith('/') ? `https://x.com${permalink}` : `https://x.com/${handle}/status/${id}`,
    at: fields.instant('post at', at(legacy, 'created_at')),
    kind,
    media: mediaOf(tweet, written.entities),
    text: written.text === null ? null : decodeHTML(written.text),
    lang: langOf(legacy),
    ...tagsIn(written),
    reply_to: kind === 'reply' ? answeredBy(legacy) : null,
    target: kind === 'repost' || kind === 'quote' ? citedBy(tweet) : null,
    likes: count('likes', at(legacy, 'favorite_count')),
    replies: count('replies', at(legacy, 'reply_count') ?? at(legacy, 'conversation_count')),
    reposts: count('reposts', at(legacy, 'retweet_count')),
    quotes: count('quotes', at(legacy, 'quote_count')),
    views: count('views', isViewed ? at(tweet, 'views', 'count') : null),
  };
};

/** A timeline's instructions, in any response layout; null if there are none. */
export const instructionsOf = (result: Json): readonly Json[] | null => {
  for (const name of ['timeline', 'timeline_v2', 'timeline_response']) {
    const found = at(result, name, 'timeline', 'instructions') ?? at(result, name, 'instructions');
    if (Array.isArray(found)) return found;
  }
  return null;
};

/** Items of all entries. Advertisements, which belong to other accounts, are left out. */
export const itemsIn = (instructions: readonly Json[]): readonly Json[] =>
  instructions
    .flatMap(entriesOf)
    .flatMap(itemsOf)
    .filter((item) => at(item, 'promotedMetadata') === undefined);

/** The cursor of the next page; null if there is none. */
export const bottomCursorOf = (instructions: readonly Json[]): string | null => {
  const contents = instructions.flatMap(entriesOf).map((entry) => at(entry, 'content'));
  const bottom = contents.find((content) =>
    [textAt(content, 'cursorType'), textAt(content, 'itemContent', 'cursorType')].includes('Bottom'),
  );
  return textAt(bottom, 'value') ?? textAt(bottom, 'itemContent', 'value');
};

/** IDs of the posts that their author pinned. */
export const pinnedAmong = (posts: readonly Post[], pinned: readonly string[]): ReadonlySet<string> =>
  new Set(posts.map(({ id }) => id).filter((id) => pinned.includes(id)));

/** The requested account's posts of a timeline; others' posts in conversations are dropped. */
export const ownPosts = (instructions: readonly Json[], address: Address, fields: Fields): OwnPosts => {
  const posts = new Map<string, Post>();
  let owner: XUser | null = null;
  let strangers = 0;
  for (const tweet of tweetsIn(instructions)) {
    const user = userOf(at(tweet, 'core', 'user_results', 'result'), fields);
    const same =
      address.kind === 'handle' ? user?.profile.handle === address.handle : user?.profile.id === address.id;
    if (user === null || !same) {
      strangers++;
      continue;
    }
    owner ??= user;
    const post = postOf(tweet, user.profile.handle, fields);
    if (post !== null) posts.set(post.id, post);
  }
  const ended = posts.size === 0 && strangers === 0;
  return {
    user: owner,
    posts: [...posts.values()],
    pinned: pinnedAmong([...posts.values()], [...pinnedIn(instructions), ...(owner?.pinned ?? [])]),
    cursor: ended ? null : bottomCursorOf(instructions),
    strangers,
  };
};

/** A tweet of GraphQL has its older fields apart; elsewhere they are the tweet. */
const legacyOf = (tweet: Json): Json => at(tweet, 'legacy') ?? tweet;

/** Tweets with limited visibility have another wrapper. */
const unwrapped = (tweet: Json): Json => at(tweet, 'tweet') ?? tweet;

/** A text with its entities. The full text of a long post and its beginning have separate entities. */
interface Written {
  readonly text: string | null;
  /** Undefined if they are unknown. */
  readonly entities: Json;
}

/** How X ends the beginning of a long post. */
const CUT = /…(?:\s+https:\/\/t\.co\/\w+)?\s*$/;

const writtenIn = (tweet: Json): Written => {
  const legacy = legacyOf(tweet);
  const note = at(tweet, 'note_tweet', 'note_tweet_results', 'result');
  const whole = textAt(note, 'text');
  if (whole !== null && whole !== '') return { text: whole, entities: at(note, 'entity_set') };
  const text = textAt(legacy, 'full_text') ?? textAt(legacy, 'text');
  const isCut = isObject(at(tweet, 'note_tweet')) && CUT.test(text ?? '');
  return { text, entities: isCut ? undefined : at(legacy, 'entities') };
};

const mediaOf = (tweet: Json, entities: Json): Post['media'] => {
  const legacy = legacyOf(tweet);
  const media = [...listAt(legacy, 'extended_entities', 'media'), ...listAt(legacy, 'entities', 'media')];
  const types = media.map((item) => textAt(item, 'type'));
  if (types.some((type) => type === 'video' || type === 'animated_gif') || at(legacy, 'video'))
    return 'video';
  if (types.includes('photo') || listAt(legacy, 'photos').length > 0) return 'photo';
  if (types.length > 0) return 'other';
  if (listAt(entities, 'urls').length > 0) return 'link';
  // A card without a link is a poll.
  if (isObject(at(tweet, 'card'))) return 'other';
  return isObject(entities) ? 'none' : null;
};

const isRepost = (tweet: Json): boolean =>
  isObject(at(tweet, 'retweeted_status')) ||
  isObject(at(tweet, 'retweeted_status_result')) ||
  idAt(tweet, 'retweeted_status_id_str') !== null ||
  (textAt(tweet, 'full_text') ?? textAt(tweet, 'text') ?? '').startsWith('RT @');

const kindOf = (tweet: Json): Post['kind'] => {
  if (isRepost(tweet)) return 'repost';
  if (idAt(tweet, 'in_reply_to_status_id_str') !== null || textAt(tweet, 'in_reply_to_screen_name'))
    return 'reply';
  const quotes =
    at(tweet, 'is_quote_status') === true ||
    idAt(tweet, 'quoted_status_id_str') !== null ||
    isObject(at(tweet, 'quoted_status'));
  return quotes ? 'quote' : 'original';
};

/** The language that X detected; null for `und` and codes such as `qme` (media only). */
const langOf = (tweet: Json): string | null => {
  const lang = textAt(tweet, 'lang');
  return lang === null || lang === 'und' || /^q[a-z]{2}$/.test(lang) ? null : lang;
};

const tagsIn = ({ text, entities }: Written): PostTags => {
  if (!isObject(entities)) return { hashtags: null, links: null, mentions: null };
  return tagsOf(
    listAt(entities, 'hashtags').map((tag) => textAt(tag, 'text')),
    listAt(entities, 'urls').map((url) => textAt(url, 'expanded_url') ?? textAt(url, 'url')),
    // A repost begins with the name of its author.
    [
      /^RT @(\w{1,20}):/.exec(text ?? '')?.[1] ?? null,
      ...listAt(entities, 'user_mentions').map((user) => textAt(user, 'screen_name')),
    ].map((name) => parseHandle(name ?? '')),
  );
};

const reference = (post: string | null, account: string | null): PostReference | null =>
  post === null && account === null ? null : { post, account };

/** The name of a tweet's author as X writes it. */
const shownName = (tweet: Json): string | null => {
  const user = at(tweet, 'core', 'user_results', 'result');
  return (
    textAt(user, 'core', 'screen_name') ??
    textAt(user, 'legacy', 'screen_name') ??
    textAt(tweet, 'user', 'screen_name')
  );
};

const authorOf = (tweet: Json): string | null => parseHandle(shownName(tweet) ?? '');

const answeredBy = (tweet: Json): PostReference | null =>
  reference(
    idAt(tweet, 'in_reply_to_status_id_str'),
    parseHandle(textAt(tweet, 'in_reply_to_screen_name') ?? '') ?? idAt(tweet, 'in_reply_to_user_id_str'),
  );

/** The tweet that a repost or quote cites, where the surface shows it. */
const citedIn = (tweet: Json): Json => {
  const legacy = legacyOf(tweet);
  return unwrapped(
    at(legacy, 'retweeted_status_result', 'result') ??
      at(tweet, 'quoted_status_result', 'result') ??
      at(legacy, 'retweeted_status') ??
      at(legacy, 'quoted_status'),
  );
};

const citedBy = (tweet: Json): PostReference | null => {
  const [legacy, cited] = [legacyOf(tweet), citedIn(tweet)];
  return reference(
    idAt(cited, 'rest_id') ??
      idAt(cited, 'id_str') ??
      idAt(legacy, 'retweeted_status_id_str') ??
      idAt(legacy, 'quoted_status_id_str'),
    authorOf(cited),
  );
};

/** The original's text in a repost, without its author's name. Of a long text, a repost has only the beginning. */
const repeatedIn = (tweet: Json): Written => {
  const own = writtenIn(tweet);
  if (!CUT.test(own.text ?? '')) return own;
  const original = citedIn(tweet);
  const [author, { text, entities }] = [authorOf(original), writtenIn(original)];
  return author === null || text === null
    ? { ...own, entities: undefined }
    : { text: `RT @${shownName(original)}: ${text}`, entities };
};

/** Items of an entry: its own, or those of a conversation. */
const itemsOf = (entry: Json): readonly Json[] => {
  const content = at(entry, 'content');
  const inner = listAt(content, 'items').map((item) => at(item, 'item', 'itemContent'));
  return [at(content, 'itemContent'), ...inner];
};

const entriesOf = (instruction: Json): readonly Json[] => [
  ...listAt(instruction, 'entries'),
  at(instruction, 'entry'),
];

const tweetsIn = (instructions: readonly Json[]): Json[] =>
  itemsIn(instructions)
    .map((item) => at(item, 'tweet_results', 'result'))
    // Tweets with limited visibility have another wrapper.
    .map((result) => at(result, 'tweet') ?? result)
    .filter((tweet) => at(tweet, 'legacy') !== undefined);

/** IDs of tweets that are listed first, whenever they were written. */
const pinnedIn = (instructions: readonly Json[]): readonly string[] =>
  tweetsIn(instructions.filter((one) => textAt(one, 'type') === 'TimelinePinEntry')).flatMap(
    (tweet) => idAt(tweet, 'rest_id') ?? [],
  );

interface OwnPosts {
  readonly user: XUser | null;
  readonly posts: readonly Post[];
  readonly pinned: ReadonlySet<string>;
  /** Cursor of the next page; null after the last one, which has no posts. */
  readonly cursor: string | null;
  /** Number of other accounts' posts. */
  readonly strangers: number;
}
