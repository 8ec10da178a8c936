import type { Post } from '../../../write/accounts/post.ts';
import type { Address } from '../adapter.ts';
import type { Fields } from '../shared/field-reader.ts';
import { at, idAt, type Json, listAt, textAt } from '../shared/json-access.ts';
import { postOf } from './tweet.ts';
import { userOf, type XUser } from './user.ts';

/** A timeline's instructions, in any response layout; null if there are none. */
export const instructionsOf = (result: Json): readonly Json[] | null => {
  for (const name of ['timeline', 'timeline_v2', 'timeline_response']) {
    const found = at(result, name, 'timeline', 'instructions') ?? at(result, name, 'instructions');
    if (Array.isArray(found)) return found;
  }
  return null;
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

/** Items of all entries. Advertisements, which belong to other accounts, are left out. */
export const itemsIn = (instructions: readonly Json[]): readonly Json[] =>
  instructions
    .flatMap(entriesOf)
    .flatMap(itemsOf)
    .filter((item) => at(item, 'promotedMetadata') === undefined);

const tweetsIn = (instructions: readonly Json[]): Json[] =>
  itemsIn(instructions)
    .map((item) => at(item, 'tweet_results', 'result'))
    // Tweets with limited visibility have another wrapper.
    .map((result) => at(result, 'tweet') ?? result)
    .filter((tweet) => at(tweet, 'legacy') !== undefined);

/** The cursor of the next page; null if there is none. */
export const bottomCursorOf = (instructions: readonly Json[]): string | null => {
  const contents = instructions.flatMap(entriesOf).map((entry) => at(entry, 'content'));
  const bottom = contents.find((content) =>
    [textAt(content, 'cursorType'), textAt(content, 'itemContent', 'cursorType')].includes('Bottom'),
  );
  return textAt(bottom, 'value') ?? textAt(bottom, 'itemContent', 'value');
};

/** IDs of tweets that are listed first, whenever they were written. */
const pinnedIn = (instructions: readonly Json[]): readonly string[] =>
  tweetsIn(instructions.filter((one) => textAt(one, 'type') === 'TimelinePinEntry')).flatMap(
    (tweet) => idAt(tweet, 'rest_id') ?? [],
  );

/** IDs of the posts that their author pinned. */
export const pinnedAmong = (posts: readonly Post[], pinned: readonly string[]): ReadonlySet<string> =>
  new Set(posts.map(({ id }) => id).filter((id) => pinned.includes(id)));

export interface OwnPosts {
  readonly user: XUser | null;
  readonly posts: readonly Post[];
  readonly pinned: ReadonlySet<string>;
  /** Cursor of the next page; null after the last one, which has no posts. */
  readonly cursor: string | null;
  /** Number of other accounts' posts. */
  readonly strangers: number;
}

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
