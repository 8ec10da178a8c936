import type { Post } from '../../../write/accounts/reading.ts';
import type { Address } from '../adapter.ts';
import type { Fields } from '../shared/field-reader.ts';
import { at, idAt, type Json, listAt, textAt } from '../shared/json-access.ts';
import { postOf } from './tweet.ts';
import { userOf, type XUser } from './user.ts';

/** A timeline's instructions, wherever this year's reply keeps them; null where it has none. */
export const instructionsOf = (result: Json): readonly Json[] | null => {
  for (const name of ['timeline', 'timeline_v2', 'timeline_response']) {
    const found = at(result, name, 'timeline', 'instructions') ?? at(result, name, 'instructions');
    if (Array.isArray(found)) return found;
  }
  return null;
};

/** The items of an entry: itself, or those of a conversation. */
const itemsOf = (entry: Json): readonly Json[] => {
  const content = at(entry, 'content');
  const inner = listAt(content, 'items').map((item) => at(item, 'item', 'itemContent'));
  return [at(content, 'itemContent'), ...inner];
};

const tweetsIn = (instructions: readonly Json[]): Json[] =>
  instructions
    .flatMap((instruction) => [...listAt(instruction, 'entries'), at(instruction, 'entry')])
    .flatMap(itemsOf)
    // An advertisement is somebody else's, whatever timeline it stands in.
    .filter((item) => at(item, 'promotedMetadata') === undefined)
    .map((item) => at(item, 'tweet_results', 'result'))
    // A tweet that not everybody may see is wrapped once more.
    .map((result) => at(result, 'tweet') ?? result)
    .filter((tweet) => at(tweet, 'legacy') !== undefined);

export interface OwnPosts {
  readonly user: XUser | null;
  readonly posts: readonly Post[];
  /** How many posts were somebody else's. */
  readonly strangers: number;
}

/** The asked account's posts of a timeline. Conversations hold others' posts too: those are left out. */
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
    const legacy = at(tweet, 'legacy');
    const post = postOf(legacy, user.profile.handle, fields, {
      id: idAt(tweet, 'rest_id') ?? idAt(legacy, 'id_str'),
      // The count is there in other states too, and then means nothing.
      views: textAt(tweet, 'views', 'state') === 'EnabledWithCount' ? at(tweet, 'views', 'count') : null,
      text: textAt(tweet, 'note_tweet', 'note_tweet_results', 'result', 'text'),
    });
    if (post !== null) posts.set(post.id, post);
  }
  return { user: owner, posts: [...posts.values()], strangers };
};
