import type { Platform } from '../simulated-platforms.ts';
import { DAY, type PostRef, type SimPost } from './account.ts';
import type { Bans } from './bans.ts';
import { contentOf } from './content.ts';
import { type Feature, hasFeature, timingFactor } from './effects.ts';
import type { Engagement } from './engagement.ts';
import { ANCHOR, type Growth } from './growth.ts';
import { mix, unit } from './hash.ts';
import type { Parameters } from './parameters.ts';
import { hourOfWeek, type PostingTimes } from './posting-times.ts';
import type { Traits } from './traits.ts';

/** What made the engagement of a post. */
export interface PostCauses {
  /** All reactions over all time (Telegram: views), before it is rounded. */
  readonly engagement: number;
  readonly followersThen: number;
  /** Factors. */
  readonly streak: number;
  readonly outlier: number;
  readonly timing: number;
  readonly features: Readonly<Record<Feature, number>>;
  readonly ban: number;
}

export interface PostGraph {
  mentions(of: Traits, postKey: number): readonly number[];
  acquaintance(of: Traits, draw: number): Traits;
  acquaintedWith(of: Traits): readonly Traits[];
  /** Outsiders answer only themselves, so that all replies to an account can be found. */
  isOutsider(of: Traits): boolean;
  /** How a text names an account at a time. */
  name(platform: Platform, index: number, at: number): string;
  existed(platform: Platform, index: number, at: number): boolean;
}

export interface Posts {
  count(of: Traits, at: number): number;
  /** Post `n` as it is at a time. */
  post(of: Traits, n: number, at: number): SimPost;
  causes(of: Traits, n: number): PostCauses;
  /** Posts of others that answer post `n`, as of a time. */
  repliesTo(of: Traits, n: number, at: number): readonly PostRef[];
  /** Number of the pinned post; null if none is pinned. */
  pinned(of: Traits, at: number): number | null;
}

const YEAR = 365 * DAY;
/** Newest posts of an account that others answer and cite. */
const RECENT = 6;

const hasPosts = ({ kind }: Traits): boolean => kind === 'person' || kind === 'channel' || kind === 'company';

/** Replies, reposts and quotes, if the platform has them. */
const kindOf = (platform: Platform, key: number): SimPost['kind'] => {
  if (platform !== 'x' && platform !== 'bluesky') return 'original';
  const draw = unit(key, 122);
  if (draw < 0.12) return 'reply';
  return draw < 0.22 ? 'repost' : draw < 0.28 ? 'quote' : 'original';
};

const mediaOf = (platform: Platform, key: number, has: boolean): SimPost['media'] => {
  if (platform === 'tiktok' || platform === 'youtube') return 'video';
  if (platform === 'instagram') return has ? 'video' : 'photo';
  return has ? (unit(key, 123) < 0.7 ? 'photo' : 'video') : 'none';
};

export interface PostsSource {
  readonly parameters: Parameters;
  readonly times: PostingTimes;
  readonly growth: Growth;
  readonly engagement: Engagement;
  readonly bans: Bans;
  readonly graph: PostGraph;
}

export const createPosts = ({ parameters, times, growth, engagement, bans, graph }: PostsSource): Posts => {
  const count: Posts['count'] = (of, at) => (hasPosts(of) ? times.countAt(of, at) : 0);

  const seen = (of: Traits, n: number) => {
    const key = mix(mix(of.key, 124), n);
    const at = times.timeOf(of, n);
    const cell = hourOfWeek(at, of.zone);
    const years = (at - ANCHOR) / YEAR;
    const has = (feature: Feature) => hasFeature(of.effects, feature, key, cell, years);
    return {
      key,
      at,
      cell,
      media: has('media'),
      hashtags: has('hashtags'),
      links: has('links'),
      length: has('length'),
    };
  };
  type Seen = ReturnType<typeof seen>;

  const effectOf = ({ effects }: Traits, facts: Seen, feature: Feature): number =>
    facts[feature] ? effects.factor[feature] : 1;

  const engagementOf = (of: Traits, n: number, facts: Seen): number =>
    of.engagement.rate *
    growth.at(of.platform, of, facts.at) *
    Math.exp(engagement.streakAt(of.key, n)) *
    engagement.outlierOf(facts.key) *
    timingFactor(of.effects, facts.cell) *
    effectOf(of, facts, 'media') *
    effectOf(of, facts, 'hashtags') *
    effectOf(of, facts, 'links') *
    effectOf(of, facts, 'length') *
    (1 - (bans.at(of.key, facts.at)?.fall ?? 0));

  const isOwnReply = (of: Traits, key: number): boolean => graph.isOutsider(of) || unit(key, 222) < 0.4;

  /** A post of an acquaintance, or of oneself, that was there before. */
  const cited = (of: Traits, n: number, key: number, at: number, own: boolean): PostRef | null => {
    if (own) return n > 0 ? { index: of.index, n: n - 1 } : null;
    const other = graph.acquaintance(of, unit(key, 220));
    const there = count(other, at - 60_000);
    return there === 0
      ? null
      : { index: other.index, n: Math.max(0, there - 1 - Math.floor(unit(key, 221) * 6)) };
  };

  const pinned: Posts['pinned'] = (of, at) => {
    if (of.platform !== 'x' && of.platform !== 'tiktok' && of.platform !== 'instagram') return null;
    if (unit(of.key, 225) > 0.3) return null;
    const season = Math.floor(at / (180 * DAY) + unit(of.key, 226));
    const there = count(of, season * 180 * DAY - unit(of.key, 226) * 180 * DAY);
    return there === 0 ? null : Math.floor(unit(mix(of.key, 227), season) * there);
  };

  const repliesTo: Posts['repliesTo'] = (of, n, at) => {
    const from = times.timeOf(of, n);
    // Posts are answered while they are among the newest, with a minute's delay.
    const last = count(of, at) > n + RECENT ? times.timeOf(of, n + RECENT) + 120_000 : at;
    return graph.acquaintedWith(of).flatMap((other) => {
      const until = Math.min(at, last);
      const replies: PostRef[] = [];
      for (let m = count(other, until) - 1; m >= 0; m--) {
        const postedAt = times.timeOf(other, m);
        if (postedAt <= from) break;
        const key = mix(mix(other.key, 124), m);
        if (kindOf(other.platform, key) !== 'reply' || isOwnReply(other, key)) continue;
        const target = cited(other, m, key, postedAt, false);
        if (target?.index === of.index && target.n === n) replies.push({ index: other.index, n: m });
      }
      return replies;
    });
  };

  return {
    count,
    pinned,
    repliesTo,
    causes: (of, n) => {
      const facts = seen(of, n);
      return {
        engagement: engagementOf(of, n, facts),
        followersThen: growth.at(of.platform, of, facts.at),
        streak: Math.exp(engagement.streakAt(of.key, n)),
        outlier: engagement.outlierOf(facts.key),
        timing: timingFactor(of.effects, facts.cell),
        features: {
          media: effectOf(of, facts, 'media'),
          hashtags: effectOf(of, facts, 'hashtags'),
          links: effectOf(of, facts, 'links'),
          length: effectOf(of, facts, 'length'),
        },
        ban: 1 - (bans.at(of.key, facts.at)?.fall ?? 0),
      };
    },
    post: (of, n, at) => {
      const facts = seen(of, n);
      const { key, at: postedAt } = facts;
      const wanted = kindOf(of.platform, key);
      const replyTo = wanted === 'reply' ? cited(of, n, key, postedAt, isOwnReply(of, key)) : null;
      const target = wanted === 'repost' || wanted === 'quote' ? cited(of, n, key, postedAt, false) : null;
      const named = graph.mentions(of, key);
      const mentions =
        named.length === 0 ? named : named.filter((index) => graph.existed(of.platform, index, postedAt));
      const names = mentions.map((index) => graph.name(of.platform, index, postedAt));
      const content = contentOf(of.key, of.language, key, facts, names);
      const purged = growth.purged(of.platform, postedAt, at);
      const figures = engagement.figuresAt(
        of.platform,
        of.engagement,
        key,
        engagementOf(of, n, facts),
        at - postedAt,
        purged,
      );
      return {
        n,
        at: postedAt,
        key,
        kind: replyTo === null && target === null ? 'original' : wanted,
        media: mediaOf(of.platform, key, facts.media),
        text: content.text,
        lang: content.lang,
        hashtags: content.hashtags,
        links: content.links,
        mentions,
        replyTo,
        target,
        pinned: false,
        likesHidden: of.platform === 'instagram' && unit(of.key, 228) < parameters.parts.hiddenLikes,
        likes: figures.likes,
        replies: figures.replies,
        reposts: figures.reposts,
        quotes: figures.quotes,
        views: figures.views,
      };
    },
  };
};
