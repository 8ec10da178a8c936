import type { GrowthPoint } from '../../src/analysis/growth.ts';
import { isoOf } from '../../src/kernel/clock.ts';
import type { AccountPosts } from '../../src/projections/views/posts/account-posts.ts';
import { accountPostsAfter } from '../../src/projections/views/posts/projection.ts';
import {
  type AccountEvent,
  type AccountState,
  accountStream,
  decideSighting,
  evolve,
  noAccount,
} from '../../src/write/accounts/account.ts';
import type { Figure, Post } from '../../src/write/accounts/post.ts';
import { emptyProfile } from '../../src/write/accounts/profile.ts';
import type { RecordedEvent } from '../../src/write/log/port.ts';
import type { Platform } from '../simulator/simulated-platforms.ts';
import type { Account, SimPost } from '../simulator/world/account.ts';
import type { World } from '../simulator/world/world.ts';

const DAY = 86_400_000;
/** Posts that a reading lists. */
const LISTED = 100;
/** More listed posts than a digest holds: older ones are in none. */
const ENOUGH = 700;
/**
 * Figures of older posts are not recorded again, as `known-posts.ts` decides: a reading shows them to it once only, which
 * saves computing them.
 */
const SETTLED = 60 * DAY;

/** What the readings of an account leave. */
export interface ReadAccount {
  readonly posts: AccountPosts;
  /** Followers at each reading, by time. */
  readonly points: readonly GrowthPoint[];
}

/** What a post shows at each reading alike. */
const constantOf = (post: SimPost): Omit<Post, Figure> => ({
  id: String(post.n),
  url: null,
  at: isoOf(post.at),
  kind: post.kind,
  media: post.media,
  text: post.text,
  lang: post.lang,
  hashtags: [...post.hashtags],
  links: post.links.length,
  mentions: post.mentions.map(String),
  reply_to: null,
  target: null,
});

/** Posts as a surface shows them. Their texts never change: after the first time they are left out, which says the same. */
const surfaceOf = () => {
  const constants = new Map<number, Omit<Post, Figure>>();
  return (post: SimPost): Post => {
    const known = constants.get(post.n);
    const constant = known ?? constantOf(post);
    if (known === undefined) constants.set(post.n, { ...constant, text: null });
    return {
      ...constant,
      likes: post.likesHidden ? null : post.likes,
      replies: post.replies,
      reposts: post.reposts,
      quotes: post.quotes,
      views: post.views,
    };
  };
};

/** The states of an account at its readings that show it, the oldest first: as far back as a digest may reach. */
const statesAt = (
  world: World,
  { platform, index }: Pick<Account, 'platform' | 'index'>,
  { anchorMs, fromMs, interval }: ReadingTimes,
): readonly { readonly at: number; readonly account: Account }[] => {
  const states: { at: number; account: Account }[] = [];
  let listed = 0;
  for (let at = anchorMs; at > fromMs && listed < ENOUGH; at -= interval) {
    const account = world.account(platform, index, at);
    if (account.status !== 'active') continue;
    const newer = states.at(-1)?.account.posts;
    listed += newer === undefined ? 0 : Math.min(LISTED, newer - account.posts);
    states.push({ at, account });
  }
  return states.reverse();
};

/** Posts that a reading lists, the pinned one first, but for those that it decides nothing of. */
const listedBy = (world: World, account: Account, at: number, before: number): readonly SimPost[] => {
  const { platform, index, posts: count } = account;
  const listed: SimPost[] = [];
  const pinned = world.pinned(account, at);
  if (pinned !== null && pinned.n < count - LISTED) listed.push(pinned);
  for (let n = count - 1; n >= Math.max(0, count - LISTED); n--) {
    const post = world.post(platform, index, n, at);
    if (post === null) continue;
    if (n < before && at - post.at > SETTLED) break;
    listed.push(post);
  }
  return listed;
};

export interface ReadingTimes {
  /** The last reading, and a time before the first. */
  readonly anchorMs: number;
  readonly fromMs: number;
  readonly interval: number;
}

/**
 * An account as a crawler with a session knows it: each reading lists 100 posts by time, is decided by `decideSighting`,
 * and folded into the account's digest as the view `posts` does.
 */
export const readAccount = (
  world: World,
  platform: Platform,
  index: number,
  times: ReadingTimes,
): ReadAccount => {
  const stream = accountStream(platform, String(index));
  const events: RecordedEvent[] = [];
  const points: GrowthPoint[] = [];
  let state: AccountState = noAccount;
  const shown = surfaceOf();
  let before = 0;
  const record = (event: AccountEvent, recordedAt: string) => {
    state = evolve(state, event);
    const revision = BigInt(events.length);
    const { type, data } = event;
    events.push({
      id: `${stream}:${revision}`,
      stream,
      revision,
      position: revision,
      type,
      data,
      metadata: {},
      recorded_at: recordedAt,
    });
  };
  for (const { at, account } of statesAt(world, { platform, index }, times)) {
    const observedAt = isoOf(at);
    const { id, followers, following, posts: count } = account;
    const oldest = count <= LISTED ? null : world.post(platform, index, count - LISTED, at);
    const sighted = decideSighting(
      state,
      {
        observedAt,
        source: 'crawler',
        surface: 'timeline',
        found: {
          status: 'active',
          profile: { ...emptyProfile(String(index)), id, followers, following, posts: count },
          posts: listedBy(world, account, at, before).map(shown),
          postOrder: 'time',
          postsSince: oldest === null ? null : isoOf(oldest.at),
          measured: [],
        },
      },
      platform,
    );
    for (const event of sighted) record(event, observedAt);
    before = count;
    points.push({ atMs: at, followers });
  }
  return { posts: accountPostsAfter(stream, events), points };
};
