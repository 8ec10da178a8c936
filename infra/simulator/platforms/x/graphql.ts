import type { Account, SimPost } from '../../world/account.ts';
import type { FollowList, FollowMember } from '../../world/follow-list.ts';
import type { World } from '../../world/world.ts';
import { withPinned } from '../references.ts';
import { json } from '../response.ts';
import { header, type Reply, type SiteRequest } from '../site.ts';
import { globalId, itemEntry, tweetNode, userNode } from './nodes.ts';
import { tweetTime } from './payloads.ts';
import { registrationReply } from './registration.ts';
import { searchReply, threadReply, typeaheadReply } from './search.ts';
import { findTweet, tweetId } from './tweet-ids.ts';

const userReply = (account: Account | null) => {
  if (account?.status === 'suspended') {
    const reason = account.key % 2 === 0 ? { reason: 'Suspended' } : { unavailable_reason: 'Suspended' };
    return {
      data: { user: { result: { __typename: 'UserUnavailable', message: 'User is suspended', ...reason } } },
    };
  }
  if (!account || account.status === 'deactivated' || account.status === 'absent') return { data: {} };
  return { data: { user: { result: userNode(account) } } };
};

/** Posts of a page, if the request names no other number. */
const PAGE = 20;
const MAX_PAGE = 40;

const cursorEntry = (type: 'Top' | 'Bottom', value: string) => ({
  entryId: `cursor-${type.toLowerCase()}-${value.slice(5)}`,
  content: {
    __typename: 'TimelineTimelineCursor',
    entryType: 'TimelineTimelineCursor',
    cursorType: type,
    value,
  },
});

/** The first page shows pinned posts first, apart from the others. */
const timelineReply = (
  world: World,
  account: Account,
  at: number,
  count: number,
  cursor: string | undefined,
) => {
  const before = cursor ? Number(cursor.slice(5)) : account.posts;
  const page = account.status === 'active' ? world.posts(account, at, count, before) : [];
  const isFirst = cursor === undefined;
  const { pinned, posts } = isFirst ? withPinned(world, account, page, at) : { pinned: [], posts: page };
  const author = userNode(account);
  const entryOf = (post: SimPost) =>
    itemEntry(`tweet-${tweetId(account, post)}`, tweetId(account, post), {
      __typename: 'TimelineTweet',
      itemType: 'TimelineTweet',
      tweetDisplayType: 'Tweet',
      tweet_results: { result: tweetNode(world, account, post, at, author) },
    });
  const instructions = [
    { type: 'TimelineClearCache' },
    ...pinned.map((post) => ({ type: 'TimelinePinEntry', entry: entryOf(post) })),
    {
      type: 'TimelineAddEntries',
      entries: [
        ...posts.map(entryOf),
        cursorEntry('Top', `DAAHC${before}`),
        cursorEntry('Bottom', `DAAHC${before - page.length}`),
      ],
    },
  ];
  return { data: { user: { result: { __typename: 'User', timeline: { timeline: { instructions } } } } } };
};

const TWEET_GONE = { data: { tweetResult: {} } };

const tweetUnavailable = (reason: string) => ({
  data: { tweetResult: { result: { __typename: 'TweetUnavailable', reason } } },
});

/** One tweet by its ID. Those of accounts that are gone are gone with them. */
const tweetReply = (world: World, id: string, at: number) => {
  const found = findTweet(world, id, at);
  if (found === null) return TWEET_GONE;
  const { account, post } = found;
  if (account.status === 'suspended') return tweetUnavailable('Suspended');
  if (account.status === 'private') return tweetUnavailable('Protected');
  if (account.status !== 'active') return TWEET_GONE;
  return { data: { tweetResult: { result: tweetNode(world, account, post, at, userNode(account)) } } };
};

/** Members of a page, if the request names no other number. */
const LIST_PAGE = 20;
const MAX_LIST_PAGE = 100;

/** A member of a list, as in older layouts. Suspended members are listed without their data. */
const memberNode = (member: FollowMember) => ({
  __typename: 'User',
  id: globalId(member.id),
  rest_id: member.id,
  is_blue_verified: false,
  core: {
    created_at: tweetTime(member.createdAt),
    name: member.displayName,
    screen_name: member.handle,
  },
  ...(member.hasAvatar
    ? { avatar: { image_url: `https://pbs.twimg.com/profile_images/${member.id}/normal.jpg` } }
    : {}),
  legacy: {
    default_profile_image: !member.hasAvatar,
    description: member.bio,
    followers_count: member.followers,
    friends_count: member.following,
    statuses_count: member.posts,
  },
});

/** A page of followers or of followed accounts, newest first. */
const listReply = (list: FollowList, count: number, cursor: string | undefined) => {
  const from = cursor === undefined ? 0 : Number(cursor.split('|')[0]);
  const members = list.page(from, count);
  const next = from + members.length;
  const instructions = [
    { type: 'TimelineClearCache' },
    {
      type: 'TimelineAddEntries',
      entries: [
        ...members.map((member) =>
          itemEntry(`user-${member.id}`, member.id, {
            __typename: 'TimelineUser',
            itemType: 'TimelineUser',
            userDisplayType: 'User',
            user_results: { result: memberNode(member) },
          }),
        ),
        // The last page has a cursor as well, with a zero in front.
        cursorEntry('Bottom', `${members.length === 0 || next >= list.total ? 0 : next}|${list.total}`),
        cursorEntry('Top', `-1|${list.total}`),
      ],
    },
  ];
  return { data: { user: { result: { __typename: 'User', timeline: { timeline: { instructions } } } } } };
};

const PROTECTED = {
  data: { user: { result: { __typename: 'UserUnavailable', message: 'Protected', reason: 'Protected' } } },
};

const RATE = { 'x-rate-limit-limit': '50', 'x-rate-limit-remaining': '49' };

/** `/graphql/<query id>/<operation>` or `/i/api/graphql/…`, with a bearer and a guest or session token. */
export const graphql = (world: World, request: SiteRequest): Reply => {
  if (request.path === '/1.1/guest/activate.json' && request.method === 'POST') {
    return json({ guest_token: '1879000000000000000' });
  }
  if (request.path === '/i/users/username_available.json')
    return json(registrationReply(world, request.query.get('username') ?? '', request.at));
  const operation = /\/graphql\/[\w-]+\/(\w+)$/.exec(request.path)?.[1];
  const session = header(request, 'x-guest-token') || header(request, 'cookie');
  if (!header(request, 'authorization').startsWith('Bearer ') || !session) {
    return json({ errors: [{ code: 200, message: 'Forbidden.' }] }, 403);
  }
  if (request.path === '/1.1/search/typeahead.json')
    return json(typeaheadReply(world, request.query.get('q') ?? '', request.at), 200, RATE);
  const variables = parseVariables(request.query.get('variables'));
  if (!variables) return json({ errors: [{ message: 'Must provide variables.' }] }, 400);
  const headers = { ...RATE, 'x-rate-limit-reset': String(Math.floor(request.at / 1000) + 900) };
  const text = (name: string) => String(variables[name] ?? '');
  const byId = (): Account | null => {
    const index = world.findById('x', text('userId'));
    return index === null ? null : world.account('x', index, request.at);
  };
  switch (operation) {
    case 'UserByScreenName':
      return json(userReply(world.current('x', text('screen_name'), request.at)), 200, headers);
    case 'UserByRestId':
      return json(userReply(byId()), 200, headers);
    case 'UserTweets': {
      const account = byId();
      return account && (account.status === 'active' || account.status === 'private')
        ? json(
            timelineReply(
              world,
              account,
              request.at,
              Math.min(MAX_PAGE, Math.max(1, Number(variables.count) || PAGE)),
              variables.cursor ? text('cursor') : undefined,
            ),
            200,
            headers,
          )
        : json(userReply(account), 200, headers);
    }
    case 'TweetResultByRestId':
      return json(tweetReply(world, text('tweetId'), request.at), 200, headers);
    case 'SearchTimeline':
      return json(searchReply(world, text('rawQuery'), request.at), 200, headers);
    case 'TweetDetail':
      return json(
        threadReply(world, text('focalTweetId'), request.at, variables.cursor ? text('cursor') : undefined),
        200,
        headers,
      );
    case 'Followers':
    case 'Following': {
      const account = byId();
      if (account?.status === 'private') return json(PROTECTED, 200, headers);
      if (account?.status !== 'active') return json(userReply(account), 200, headers);
      const list = operation === 'Followers' ? world.followers : world.following;
      const count = Math.min(MAX_LIST_PAGE, Math.max(1, Number(variables.count) || LIST_PAGE));
      const cursor = variables.cursor ? text('cursor') : undefined;
      return json(listReply(list('x', account.index, request.at), count, cursor), 200, headers);
    }
    default:
      return json({ errors: [{ code: 34, message: 'Sorry, that page does not exist.' }] }, 404);
  }
};

const parseVariables = (text: string | null): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};
