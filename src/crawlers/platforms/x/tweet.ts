import { parseHandle } from '../../../write/accounts/grammar/x.ts';
import type { Post, PostReference } from '../../../write/accounts/post.ts';
import type { Fields } from '../shared/field-reader.ts';
import { decodeEntities } from '../shared/html-entities.ts';
import { at, idAt, isObject, type Json, listAt, textAt } from '../shared/json-access.ts';
import { type PostTags, tagsOf } from '../shared/post-tags.ts';

const mediaOf = (tweet: Json): Post['media'] => {
  const media = [...listAt(tweet, 'extended_entities', 'media'), ...listAt(tweet, 'entities', 'media')];
  const types = media.map((item) => textAt(item, 'type'));
  if (types.some((type) => type === 'video' || type === 'animated_gif') || at(tweet, 'video')) return 'video';
  if (types.includes('photo') || listAt(tweet, 'photos').length > 0) return 'photo';
  if (types.length > 0) return 'other';
  if (listAt(tweet, 'entities', 'urls').length > 0) return 'link';
  return isObject(at(tweet, 'entities')) ? 'none' : null;
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

/** A language X could tell: `und` and codes such as `qme` (media only) are none. */
const langOf = (tweet: Json): string | null => {
  const lang = textAt(tweet, 'lang');
  return lang === null || lang === 'und' || /^q[a-z]{2}$/.test(lang) ? null : lang;
};

const tagsIn = (tweet: Json): PostTags => {
  const entities = at(tweet, 'entities');
  if (!isObject(entities)) return { hashtags: null, links: null, mentions: null };
  return tagsOf(
    listAt(entities, 'hashtags').map((tag) => textAt(tag, 'text')),
    listAt(entities, 'urls').map((url) => textAt(url, 'expanded_url') ?? textAt(url, 'url')),
    listAt(entities, 'user_mentions').map((user) => parseHandle(textAt(user, 'screen_name') ?? '')),
  );
};

const reference = (post: string | null, account: string | null): PostReference | null =>
  post === null && account === null ? null : { post, account };

const authorOf = (tweet: Json): string | null => {
  const user = at(tweet, 'core', 'user_results', 'result');
  const name = textAt(user, 'core', 'screen_name') ?? textAt(user, 'legacy', 'screen_name');
  return parseHandle(name ?? textAt(tweet, 'user', 'screen_name') ?? '');
};

const answeredBy = (tweet: Json): PostReference | null =>
  reference(
    idAt(tweet, 'in_reply_to_status_id_str'),
    parseHandle(textAt(tweet, 'in_reply_to_screen_name') ?? '') ?? idAt(tweet, 'in_reply_to_user_id_str'),
  );

/** @param cited the tweet of a repost or quote, where the surface shows it. */
const citedBy = (tweet: Json, cited: Json): PostReference | null => {
  // Tweets with limited visibility have another wrapper.
  const node = at(cited, 'tweet') ?? cited ?? at(tweet, 'retweeted_status') ?? at(tweet, 'quoted_status');
  return reference(
    idAt(node, 'rest_id') ??
      idAt(node, 'id_str') ??
      idAt(tweet, 'retweeted_status_id_str') ??
      idAt(tweet, 'quoted_status_id_str'),
    authorOf(node),
  );
};

/**
 * A post from the stable tweet fields; null without an ID. Reposts have no counts of their own: those shown
 * are the original's.
 */
export const postOf = (
  tweet: Json,
  handle: string,
  fields: Fields,
  more: { id?: string | null; views?: Json; text?: string | null; cited?: Json } = {},
): Post | null => {
  const id = more.id ?? idAt(tweet, 'id_str');
  if (id === null) return null;
  const kind = kindOf(tweet);
  const own = kind !== 'repost';
  const text = more.text ?? textAt(tweet, 'full_text') ?? textAt(tweet, 'text');
  const permalink = textAt(tweet, 'permalink');
  const count = (name: string, raw: Json) => (own ? fields.count(`post ${name}`, raw) : null);
  return {
    id,
    url: permalink?.startsWith('/') ? `https://x.com${permalink}` : `https://x.com/${handle}/status/${id}`,
    at: fields.instant('post at', at(tweet, 'created_at')),
    kind,
    media: mediaOf(tweet),
    text: text === null ? null : decodeEntities(text),
    lang: langOf(tweet),
    ...tagsIn(tweet),
    reply_to: kind === 'reply' ? answeredBy(tweet) : null,
    target: kind === 'repost' || kind === 'quote' ? citedBy(tweet, more.cited) : null,
    likes: count('likes', at(tweet, 'favorite_count')),
    replies: count('replies', at(tweet, 'reply_count') ?? at(tweet, 'conversation_count')),
    reposts: count('reposts', at(tweet, 'retweet_count')),
    quotes: count('quotes', at(tweet, 'quote_count')),
    views: count('views', more.views),
  };
};
