import { PLATFORMS, type Platform } from '../simulated-platforms.ts';
import { DAY } from '../world/account.ts';
import { inBand, type Measurement, near, nearShare } from './measurement.ts';
import type { AccountRow, PostRow, TruthReader } from './reader.ts';
import {
  burstiness,
  centred,
  entropy,
  mean,
  median,
  medianError,
  regression,
  sum,
  variance,
} from './statistics.ts';

const HOUR = 3_600_000;

/** Accounts with posts enough, and their newest posts. */
export interface Feed {
  readonly account: AccountRow;
  readonly posts: readonly PostRow[];
}

export const readFeeds = (
  reader: TruthReader,
  accounts: readonly AccountRow[],
  most: number,
  posts: number,
): readonly Feed[] =>
  PLATFORMS.flatMap((platform) =>
    accounts
      .filter(
        (row) =>
          row.platform === platform &&
          row.kind !== 'company' &&
          row.dormant_from === null &&
          row.posts >= posts,
      )
      .slice(0, Math.ceil(most / PLATFORMS.length))
      .map((account) => ({
        account,
        posts: reader.read('posts', [platform, account.index], { limit: posts }),
      })),
  );

const product = (factors: Readonly<Record<string, number>>): number =>
  Object.values(factors).reduce((a, b) => a * b, 1);

/** Noise, streaks and outliers of posts around the rate of their account. */
export const measurePosts = ({ parameters }: TruthReader, feeds: readonly Feed[]): Measurement[] => {
  const [logs, sizes, owners, platforms]: [number[], number[], string[], string[]] = [[], [], [], []];
  const pairs: [number[], number[]] = [[], []];
  let [outliers, all] = [0, 0];
  for (const { account, posts } of feeds) {
    const ripe = posts.filter((post) => post.causes.followers_then > 1);
    const streaks = ripe.map(({ causes }) => {
      const known =
        account.engagement.rate * causes.followers_then * causes.outlier * causes.timing * causes.ban;
      return Math.log(causes.engagement / known / product(causes.features));
    });
    for (let n = 1; n < streaks.length; n++) {
      pairs[0].push(streaks[n - 1] as number);
      pairs[1].push(streaks[n] as number);
    }
    outliers += ripe.filter((post) => post.causes.outlier > 1).length;
    all += ripe.length;
    for (const { causes } of ripe) {
      // Outliers have a share of their own.
      if (causes.outlier > 1) continue;
      logs.push(Math.log(causes.engagement / causes.followers_then));
      sizes.push(Math.log(account.size));
      owners.push(`${account.platform} ${account.index}`);
      platforms.push(`${account.platform} ${account.size < 20_000 ? 0 : account.size < 100_000 ? 1 : 2}`);
    }
  }
  // Size and platform are no part of what is the account's own.
  const { residuals } = regression(sizes, logs, platforms);
  const within = variance(centred(residuals, owners));
  const explained = 1 - within / variance(residuals);
  const lag = regression(...pairs);
  return [
    inBand('share of the variance of ln engagement that is the account’s', explained, 0.4, 0.6, feeds.length),
    near('deviation of ln engagement of posts', Math.sqrt(variance(pairs[0])), parameters.posts.sigma, {
      tolerance: 0.05,
      error: parameters.posts.sigma / Math.sqrt(all),
      n: all,
    }),
    near('lag-1 correlation of ln engagement', lag.slope, parameters.posts.streak, {
      tolerance: 0.03,
      error: lag.error,
      n: all,
    }),
    nearShare('outliers', outliers, all, parameters.posts.outliers),
  ];
};

/** Comments, reposts and views by like; hidden likes. */
export const measureParts = (
  reader: TruthReader,
  accounts: readonly AccountRow[],
  most: number,
): Measurement[] => {
  const { parts } = reader.parameters;
  const comments: number[] = [];
  const reposts: number[] = [];
  const views = new Map<Platform, number[]>();
  const [hidden, shown] = [new Set<number>(), new Set<number>()];
  // The ratios do not depend on size: large accounts show them better.
  const large = [...accounts]
    .filter((row) => row.kind !== 'company' && row.posts >= 30)
    .sort((a, b) => b.size * b.engagement.rate - a.size * a.engagement.rate);
  for (const platform of PLATFORMS) {
    for (const { index } of large.filter((row) => row.platform === platform).slice(0, Math.ceil(most / 7))) {
      const posts = reader.read('posts', [platform, index], { limit: 30 });
      const total = (of: (post: PostRow) => number) => sum(posts.map(of));
      const likes = total((post) => post.likes);
      if (platform === 'instagram') (posts.some((post) => post.likes_hidden) ? hidden : shown).add(index);
      if (likes < 1000) continue;
      comments.push(total((post) => post.replies) / likes);
      reposts.push(total((post) => post.reposts) / likes);
      const own = views.get(platform) ?? [];
      own.push(total((post) => post.views) / likes);
      views.set(platform, own);
    }
  }
  const at = (values: readonly number[], name: string, parameter: number) =>
    near(name, median(values), parameter, {
      tolerance: parameter / 5,
      error: medianError(values),
      n: values.length,
    });
  return [
    at(comments, 'comments a like, median', parts.comments),
    at(reposts, 'reposts a like, median', parts.reposts),
    ...PLATFORMS.flatMap((platform) => {
      const own = views.get(platform) ?? [];
      return own.length < 5 ? [] : [at(own, `views a like, median, ${platform}`, parts.views[platform])];
    }),
    nearShare('Instagram accounts that hide likes', hidden.size, hidden.size + shown.size, parts.hiddenLikes),
  ];
};

const AGES = Array.from({ length: 31 }, (_, n) => 0.1 * HOUR * 1.4 ** n);

const FINAL = 400 * DAY;

/** Age at which a post has half of its likes, read again at many ages. */
const halfLifeOf = (
  reader: TruthReader,
  platform: Platform,
  index: number,
  post: PostRow,
  kept: (from: number, to: number) => number,
): number | null => {
  const posted = Date.parse(post.at);
  const likesAt = (at: number): number => {
    const [row] = reader.read('accounts', [platform], { from: index, limit: 1, at });
    const from = (row?.posts ?? 0) - 1 - post.n;
    const [then] = from < 0 ? [] : reader.read('posts', [platform, index], { from, limit: 1, at });
    // Purges are compensated.
    return (then?.likes ?? 0) / kept(posted, at);
  };
  const final = likesAt(posted + FINAL);
  let low = { age: 0, likes: 0 };
  for (const age of AGES) {
    const high = { age, likes: likesAt(posted + age) };
    if (high.likes >= final / 2) {
      const part = (final / 2 - low.likes) / Math.max(1, high.likes - low.likes);
      return low.age === 0 ? null : low.age * (high.age / low.age) ** part;
    }
    low = high;
  }
  return null;
};

export const measureHalfLives = (
  reader: TruthReader,
  accounts: readonly AccountRow[],
  most: number,
): Measurement[] =>
  PLATFORMS.flatMap((platform) => {
    const purges = reader.read('purges', []).filter((purge) => purge.platform === platform);
    // A post loses half as much as an account.
    const kept = (from: number, to: number) =>
      purges
        .filter(({ at }) => Date.parse(at) > from && Date.parse(at) < to)
        .reduce((rest, { loss }) => rest * Math.sqrt(1 - loss), 1);
    const ages: number[] = [];
    const candidates = accounts
      .filter((row) => row.platform === platform && row.kind !== 'company' && row.dormant_from === null)
      .sort((a, b) => b.size * b.engagement.rate - a.size * a.engagement.rate);
    for (const { index } of candidates.slice(0, most)) {
      const [post] = reader.read('posts', [platform, index], { limit: 1, at: reader.at - FINAL });
      if (!post || post.causes.engagement < 50) continue;
      const age = halfLifeOf(reader, platform, index, post, kept);
      if (age !== null) ages.push(age / HOUR);
    }
    // Where hardly any post has reactions enough, it is known of none.
    if (ages.length < 5) return [];
    const parameter = reader.parameters.age.halfLife[platform];
    return near(`half-life of likes in hours, ${platform}`, median(ages), parameter, {
      tolerance: parameter / 10,
      // Posts spread by a fifth; the quartiles of a few tell less.
      error: Math.max(medianError(ages), (0.25 * parameter) / Math.sqrt(ages.length)),
      n: ages.length,
    });
  });

/** Intervals and hours of posts. */
export const measurePosting = ({ parameters }: TruthReader, feeds: readonly Feed[]): Measurement[] => {
  const bursts: number[] = [];
  const hours: number[] = [];
  for (const { posts } of feeds) {
    const times = posts.map((post) => Date.parse(post.at)).reverse();
    bursts.push(burstiness(times.slice(1).map((time, n) => time - (times[n] as number))));
    const counts = new Array<number>(24).fill(0);
    for (const time of times) {
      const hour = new Date(time).getUTCHours();
      counts[hour] = (counts[hour] as number) + 1;
    }
    hours.push(entropy(counts));
  }
  const n = feeds.length;
  return [
    near('burstiness of accounts with 100 posts, median', median(bursts), parameters.posting.burstiness, {
      tolerance: 0.05,
      error: medianError(bursts),
      n,
    }),
    inBand('entropy of the hours of posts, mean, bits of 4.58', mean(hours), 3, 4.5, n),
  ];
};
