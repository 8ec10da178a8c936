import type { Platform } from '../../src/kernel/platform.ts';
import type { AnalyzedPost } from '../../src/read/analysis/post.ts';
import { timingFactor } from '../simulator/world/effects.ts';
import { mix, unit } from '../simulator/world/hash.ts';
import { hourOfWeek } from '../simulator/world/posting-times.ts';
import type { Traits } from '../simulator/world/traits.ts';
import type { World } from '../simulator/world/world.ts';

const DAY = 86_400_000;
export const AT = Date.UTC(2026, 9, 1);
/** A catalog reads its accounts so often, and lists so many posts each time. */
const INTERVAL = 4 * DAY;
const LISTED = 100;
/** Posts that are kept of an account. */
export const KEPT = 500;

/** What made a post what it is, before streaks, outliers and whole numbers. */
export interface Cause {
  /** All reactions over all time of a median post at that time with these features. */
  readonly base: number;
  readonly factors: {
    readonly media: number;
    readonly hashtags: number;
    readonly links: number;
    readonly length: number;
  };
  readonly timing: number;
}

export interface Observed {
  readonly index: number;
  readonly traits: Traits;
  readonly followers: number;
  /** Share of followers that are suspicious. */
  readonly bots: number;
  /** The last reading. */
  readonly anchorMs: number;
  readonly posts: readonly AnalyzedPost[];
  readonly causes: ReadonlyMap<string, Cause>;
}

/** Posts of an account as readings have shown them, each with the figures of the last reading that listed it. */
export const observedOf = (
  world: World,
  platform: Platform,
  index: number,
  days: number,
): Observed | null => {
  const account = world.account(platform, index, AT);
  if (account.status !== 'active' || account.posts === 0) return null;
  const traits = world.hidden.traits(platform, index);
  const anchorMs = AT - Math.floor(unit(traits.key, 9_001) * INTERVAL);
  const posts: AnalyzedPost[] = [];
  const causes = new Map<string, Cause>();
  const readings: { at: number; count: number }[] = [];
  const readingAt = (back: number) =>
    (readings[back] ??= {
      at: anchorMs - back * INTERVAL,
      count: world.account(platform, index, anchorMs - back * INTERVAL).posts,
    });
  const followersAt = new Map<number, number>();
  const count = readingAt(0).count;
  for (let n = count - 1; n >= Math.max(0, count - KEPT); n--) {
    // The last reading that listed it, and the first that could have.
    let back = 0;
    while (readingAt(back).count - n > LISTED) back += 1;
    const reading = readingAt(back);
    const post = reading.count > n ? world.post(platform, index, n, reading.at) : null;
    if (post === null) continue;
    if (post.at < anchorMs - days * DAY) break;
    const first = anchorMs - Math.floor((anchorMs - post.at) / INTERVAL) * INTERVAL;
    if (!followersAt.has(first))
      followersAt.set(first, Math.floor(world.hidden.followers(platform, index, first)));
    const id = String(n);
    posts.push({
      id,
      atMs: post.at,
      observedMs: reading.at,
      kind: post.kind,
      media: post.media,
      isOrdered: true,
      likes: post.likesHidden ? null : post.likes,
      replies: post.replies,
      reposts: post.reposts,
      quotes: post.quotes,
      views: post.views,
      followers: followersAt.get(first) as number,
      length: post.text.length,
      hashtags: post.hashtags.length,
      links: post.links.length,
      mentions: post.mentions.length,
    });
    const { engagement, streak, outlier, timing, features } = world.hidden.causes(platform, index, n);
    causes.set(id, { base: engagement / (streak * outlier), timing, factors: features });
  }
  return {
    index,
    traits,
    followers: Math.floor(world.hidden.followers(platform, index, anchorMs)),
    bots: world.hidden.audience(platform, index).suspicious,
    anchorMs,
    posts,
    causes,
  };
};

/** ln of the factor of each hour of the account's week. */
export const timingOf = ({ effects }: Traits): readonly number[] =>
  Array.from({ length: 168 }, (_, cell) => Math.log(timingFactor(effects, cell)));

export const cellOf = (atMs: number, zone: number): number => hourOfWeek(atMs, zone);

/** A draw of an account that is the same in each run. */
export const drawOf = (traits: Traits, salt: number): number => unit(mix(traits.key, 9_002), salt);
