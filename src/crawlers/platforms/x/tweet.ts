import { type Post, UNTAGGED } from '../../../write/accounts/post.ts';
import type { Fields } from '../shared/field-reader.ts';
import { decodeEntities } from '../shared/html-entities.ts';
import { at, idAt, isObject, type Json, listAt, textAt } from '../shared/json-access.ts';

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

/**
 * A post from the stable tweet fields; null without an ID. Reposts have no counts of their own: those shown
 * are the original's.
 */
export const postOf = (
  tweet: Json,
  handle: string,
  fields: Fields,
  more: { id?: string | null; views?: Json; text?: string | null } = {},
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
    ...UNTAGGED,
    likes: count('likes', at(tweet, 'favorite_count')),
    replies: count('replies', at(tweet, 'reply_count') ?? at(tweet, 'conversation_count')),
    reposts: count('reposts', at(tweet, 'retweet_count')),
    quotes: count('quotes', at(tweet, 'quote_count')),
    views: count('views', more.views),
  };
};
