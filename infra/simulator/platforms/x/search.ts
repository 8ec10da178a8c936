import type { Account, SimPost } from '../../world/account.ts';
import type { BanKind } from '../../world/bans.ts';
import { mix } from '../../world/hash.ts';
import type { World } from '../../world/world.ts';
import { itemEntry, tweetNode, userNode } from './nodes.ts';
import { avatarOf } from './payloads.ts';
import { findTweet, tweetId } from './tweet-ids.ts';

/** Posts of a page of search results, and of replies of a thread's page. */
const PAGE = 20;
const THREAD_PAGE = 10;
/** Accounts that are looked at for replies of anybody. */
const SAMPLED = 400;
const MINUTE = 60_000;

const hasBan = (world: World, { index }: Account, kind: BanKind, at: number): boolean =>
  world.hidden.ban('x', index, at)?.kind === kind;

const tweetItem = (world: World, account: Account, post: SimPost, at: number) => ({
  __typename: 'TimelineTweet',
  itemType: 'TimelineTweet',
  tweetDisplayType: 'Tweet',
  tweet_results: { result: tweetNode(world, account, post, at, userNode(account)) },
});

interface Found {
  readonly account: Account;
  readonly post: SimPost;
}

const ofAccount = (world: World, handle: string, at: number): readonly Found[] => {
  const account = world.current('x', handle, at);
  if (account?.status !== 'active' || hasBan(world, account, 'search', at)) return [];
  const posts = world.posts(account, at, PAGE * 2).filter(({ kind }) => kind !== 'repost');
  return posts.slice(0, PAGE).map((post) => ({ account, post }));
};

/** Replies of anybody, other ones each minute. */
const anyReplies = (world: World, at: number): readonly Found[] => {
  const found: Found[] = [];
  const from = mix(0x5ea7c4, Math.floor(at / MINUTE) >>> 0);
  for (let n = 0; n < Math.min(SAMPLED, world.size) && found.length < PAGE; n++) {
    const account = world.account('x', (from + n) % world.size, at);
    if (account.status !== 'active' || hasBan(world, account, 'search', at)) continue;
    const reply = world
      .posts(account, at, PAGE)
      .find(({ kind, replyTo }) => kind === 'reply' && replyTo !== null && replyTo.index !== account.index);
    if (reply !== undefined) found.push({ account, post: reply });
  }
  return found;
};

/** Posts by `from:<handle>`, or replies of anybody by `filter:replies`; newest first. */
export const searchReply = (world: World, query: string, at: number) => {
  const handle = /^from:(\w{1,15})$/.exec(query)?.[1];
  const found =
    handle !== undefined
      ? ofAccount(world, handle, at)
      : query === 'filter:replies'
        ? anyReplies(world, at)
        : [];
  const entries = found.map(({ account, post }) =>
    itemEntry(`tweet-${tweetId(account, post)}`, tweetId(account, post), tweetItem(world, account, post, at)),
  );
  const cursor = (type: 'Top' | 'Bottom') => ({
    entryId: `cursor-${type.toLowerCase()}-0`,
    content: {
      __typename: 'TimelineTimelineCursor',
      entryType: 'TimelineTimelineCursor',
      cursorType: type,
      value: `DAACC${found.length}`,
    },
  });
  const instructions = [
    { type: 'TimelineAddEntries', entries: [...entries, cursor('Top'), cursor('Bottom')] },
  ];
  return { data: { search_by_raw_query: { search_timeline: { timeline: { instructions } } } } };
};

/** Users that the search box suggests for a name. */
export const typeaheadReply = (world: World, query: string, at: number) => {
  const account = world.current('x', query.replace(/^@/, ''), at);
  const isShown =
    account !== null &&
    (account.status === 'active' || account.status === 'private') &&
    !hasBan(world, account, 'suggestion', at);
  const users = isShown
    ? [
        {
          id: 0,
          id_str: account.id,
          verified: false,
          ext_is_blue_verified: account.verified,
          name: account.displayName,
          screen_name: account.shown,
          profile_image_url_https: avatarOf(account, '_normal'),
          location: account.location,
          is_protected: account.status === 'private',
          rounded_score: 0,
          social_proof: 0,
          connecting_user_count: 0,
          social_context: { following: false, followed_by: false },
          tokens: [],
          inline: false,
        },
      ]
    : [];
  return { num_results: users.length, users, topics: [], events: [], lists: [], ordered_sections: [], query };
};

const threadCursor = (type: 'Bottom' | 'ShowMoreThreads', value: string) => ({
  entryId: `cursor-${type.toLowerCase()}-${value}`,
  sortIndex: '0',
  content: {
    __typename: 'TimelineTimelineItem',
    entryType: 'TimelineTimelineItem',
    itemContent: {
      __typename: 'TimelineTimelineCursor',
      itemType: 'TimelineTimelineCursor',
      cursorType: type,
      value,
    },
  },
});

/** A post and the replies to it: those of restricted authors behind a cursor of their own, or not at all. */
export const threadReply = (world: World, id: string, at: number, cursor: string | undefined) => {
  const found = findTweet(world, id, at);
  if (found === null || found.account.status !== 'active')
    return {
      errors: [{ code: 144, message: '_Missing: No status found with that ID.' }],
      data: { threaded_conversation_with_injections_v2: null },
    };
  const { account, post } = found;
  const replies = world.hidden
    .repliesTo('x', account.index, post.n, at)
    .flatMap(({ index, n }) => {
      const author = world.account('x', index, at);
      const reply = world.post('x', index, n, at);
      return reply === null || author.status !== 'active' || hasBan(world, author, 'ghost', at)
        ? []
        : [{ account: author, post: reply }];
    })
    .sort((a, b) => b.post.likes - a.post.likes || b.post.at - a.post.at);
  const isHidden = ({ account: author }: Found) => hasBan(world, author, 'replies', at);
  const shown = replies.filter((reply) => !isHidden(reply));
  const hidden = replies.filter(isHidden);
  const [kind = 'main', text = '0'] = cursor?.split(':') ?? [];
  const from = Number(text);
  const page = (kind === 'hidden' ? hidden : shown).slice(from, from + THREAD_PAGE);
  const isLast = from + page.length >= (kind === 'hidden' ? hidden : shown).length;
  const entries = [
    ...(cursor === undefined ? [itemEntry(`tweet-${id}`, id, tweetItem(world, account, post, at))] : []),
    ...page.map((reply) => {
      const replyId = tweetId(reply.account, reply.post);
      return {
        entryId: `conversationthread-${replyId}`,
        sortIndex: replyId,
        content: {
          __typename: 'TimelineTimelineModule',
          entryType: 'TimelineTimelineModule',
          displayType: 'VerticalConversation',
          items: [
            {
              entryId: `conversationthread-${replyId}-tweet-${replyId}`,
              item: { itemContent: tweetItem(world, reply.account, reply.post, at) },
            },
          ],
        },
      };
    }),
    ...(isLast ? [] : [threadCursor('Bottom', `${kind}:${from + page.length}`)]),
    ...(isLast && kind === 'main' && hidden.length > 0 ? [threadCursor('ShowMoreThreads', 'hidden:0')] : []),
  ];
  return {
    data: {
      threaded_conversation_with_injections_v2: {
        instructions: [
          { type: 'TimelineClearCache' },
          { type: 'TimelineAddEntries', entries },
          { type: 'TimelineTerminateTimeline', direction: 'Top' },
        ],
      },
    },
  };
};
