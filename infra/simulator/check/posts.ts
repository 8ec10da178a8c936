import { PLATFORMS } from '../simulated-platforms.ts';
import { isCount, nameOf } from './accounts.ts';
import { distinct, everyOf, type Law, shareOf } from './law.ts';
import type { AccountRow, TruthReader } from './reader.ts';

/** Rounded figures and their product. */
const PRECISION = 1e-5;

/** Posts of some accounts. */
export const postLaws = (reader: TruthReader, rows: readonly AccountRow[], each: number): Law[] => {
  const feeds = PLATFORMS.flatMap((platform) =>
    rows
      .filter((row) => row.platform === platform && row.index < reader.size)
      .filter((row) => row.posts > 0 && row.posts < 200)
      .slice(0, each)
      .map((account) => ({ account, posts: reader.read('posts', [platform, account.index]) })),
  );
  const all = feeds.flatMap(({ account, posts }) => posts.map((post) => ({ ...post, account })));
  return [
    everyOf(
      'an account has as many posts as it says',
      feeds,
      ({ account, posts }) => posts.length === account.posts,
    ),
    distinct(
      'posts have numbers of their own',
      all.map((post) => `${nameOf(post)} ${post.n}`),
    ),
    everyOf('posts are listed from the newest on', feeds, ({ posts }) =>
      posts.every(({ at }, n) => n === 0 || at <= (posts[n - 1]?.at ?? '')),
    ),
    everyOf(
      'posts are of the time of their account',
      all,
      ({ at, account: { created_at, dormant_from } }) =>
        at >= created_at && Date.parse(at) <= reader.at && at <= (dormant_from ?? at),
    ),
    everyOf('figures of posts are counts', all, (post) =>
      [post.likes, post.replies, post.reposts, post.quotes, post.views].every(isCount),
    ),
    everyOf('engagement is the product of its causes', all, ({ causes, account }) => {
      const features = Object.values(causes.features).reduce((a, b) => a * b, 1);
      const size = account.engagement.rate * causes.followers_then;
      const product = size * causes.streak * causes.outlier * causes.timing * causes.ban * features;
      return Math.abs(causes.engagement / product - 1) < PRECISION;
    }),
    shareOf('outliers', all, ({ causes }) => causes.outlier > 1, reader.parameters.posts.outliers),
  ];
};
