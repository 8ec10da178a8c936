import type { Http, HttpRequest } from '../../http/port.ts';
import type { ListedPost, VisibilitySurfaces } from '../adapter.ts';
import { Fields } from '../shared/field-reader.ts';
import { at, idAt, isObject, type Json, textAt } from '../shared/json-access.ts';
import { readListing } from '../shared/listing.ts';
import { layoutChanged } from '../shared/reading-outcomes.ts';
import { errorOf, graphqlRequest, type XOperations } from './graphql.ts';
import { instructionsOf, itemsIn } from './tweet.ts';
import { userOf } from './user.ts';

/** X's surfaces for strangers. They need a session whose account should not follow the accounts in question. */
export const createVisibility = (operations: XOperations): VisibilitySurfaces => ({
  search: (handle, http) =>
    read(
      http,
      graphqlRequest(operations, 'SearchTimeline', {
        rawQuery: handle === null ? 'filter:replies' : `from:${handle}`,
        count: SEARCHED,
        querySource: 'typed_query',
        product: 'Latest',
      }),
      parseSearch,
    ),
  suggestions: (name, http) => read(http, typeahead(name), parseSuggestions),
  thread: (post, cursor, http) =>
    read(
      http,
      graphqlRequest(operations, 'TweetDetail', {
        focalTweetId: post,
        ...(cursor === null ? {} : { cursor }),
        with_rux_injections: false,
        includePromotedContent: false,
        withCommunity: true,
        rankingMode: 'Relevance',
      }),
      parseThread(post, cursor === null),
    ),
});

const SEARCHED = 20;
const SUGGESTED = 20;

/** Fetches and parses a listing of X. One with errors may be a part of itself. */
const read = <Listed>(http: Http, request: HttpRequest, parse: (reply: Json) => Listed | null) =>
  readListing(http, request, {
    refusal: (reply, page) =>
      page.status === 404 ? layoutChanged('HTTP 404: the query id is out of date') : errorOf(reply, page),
    parse,
  });

/** A tweet of a list; null without its ID or its author's. */
const listedPost = (item: Json): ListedPost | null => {
  const result = at(item, 'tweet_results', 'result');
  // Tweets with limited visibility have another wrapper.
  const tweet = at(result, 'tweet') ?? result;
  const id = idAt(tweet, 'rest_id');
  const user = at(tweet, 'core', 'user_results', 'result');
  const author = idAt(user, 'rest_id');
  if (id === null || author === null) return null;
  const { handle = null, followers = null, verified = null } = userOf(user, new Fields())?.profile ?? {};
  return {
    id,
    author,
    handle,
    followers,
    verified,
    answers: idAt(at(tweet, 'legacy'), 'in_reply_to_status_id_str'),
  };
};

/** The tweets of a list; null if one of them can't be read, since it may be the one that is looked for. */
const listedPosts = (items: readonly Json[]): readonly ListedPost[] | null => {
  const posts: ListedPost[] = [];
  for (const item of items) {
    if (at(item, 'tweet_results') === undefined) continue;
    // Tombstones of deleted tweets, and of those whose author is gone, have no author.
    if (
      /^Tweet(Tombstone|Unavailable)$/.test(textAt(at(item, 'tweet_results', 'result'), '__typename') ?? '')
    )
      continue;
    const post = listedPost(item);
    if (post === null) return null;
    posts.push(post);
  }
  return posts;
};

const parseSearch = (reply: Json): { readonly posts: readonly ListedPost[] } | null => {
  const instructions = instructionsOf({
    timeline: at(reply, 'data', 'search_by_raw_query', 'search_timeline', 'timeline') as never,
  });
  const posts = instructions === null ? null : listedPosts(itemsIn(instructions));
  return posts === null ? null : { posts };
};

const parseSuggestions = (reply: Json): { readonly accounts: readonly string[] } | null => {
  const users = at(reply, 'users');
  if (!Array.isArray(users) || Number(at(reply, 'num_results')) < users.length) return null;
  const accounts = users.map((user) => idAt(user, 'id_str'));
  return accounts.some((id) => id === null) ? null : { accounts: accounts.flatMap((id) => id ?? []) };
};

/** Where a thread resumes, by the kind of its cursors. */
const threadCursor = (items: readonly Json[], kinds: readonly string[]): string | null => {
  const found = items.find((item) => kinds.includes(textAt(item, 'cursorType') ?? ''));
  return found === undefined ? null : textAt(found, 'value');
};

const parseThread = (post: string, isFirst: boolean) => (reply: Json) => {
  const conversation = at(reply, 'data', 'threaded_conversation_with_injections_v2');
  const instructions = isObject(conversation) ? at(conversation, 'instructions') : undefined;
  if (!Array.isArray(instructions)) return null;
  const items = itemsIn(instructions);
  const posts = listedPosts(items);
  if (posts === null || (isFirst && !posts.some(({ id }) => id === post))) return null;
  return {
    replies: posts.filter(({ answers }) => answers === post),
    cursor: threadCursor(items, ['Bottom', 'ShowMore']),
    hidden: threadCursor(items, ['ShowMoreThreads', 'ShowMoreThreadsPrompt']),
  };
};

const typeahead = (name: string): HttpRequest => {
  const url = new URL('https://api.x.com/1.1/search/typeahead.json');
  url.searchParams.set('q', name);
  url.searchParams.set('src', 'search_box');
  url.searchParams.set('result_type', 'users');
  url.searchParams.set('count', String(SUGGESTED));
  return { platform: 'x', url: url.href, session: { operation: 'typeahead' } };
};
