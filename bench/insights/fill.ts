import type { Db } from '../../src/kernel/postgres/pool.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { emptyPosts } from '../../src/projections/views/posts/account-posts.ts';
import { type DigestPost, encodeDigest } from '../../src/projections/views/posts/digest.ts';
import { derivedOf } from '../../src/projections/views/posts/projection.ts';
import { handleSql } from '../support/read-models.ts';

const DAY_MS = 86_400_000;
/** The last sighting of all accounts: that of the entries. */
export const SEEN = '2026-11-21T00:00:00.000Z';
/** Different digests, which accounts share in turns. */
const DIGESTS = 500;

/** The ID of a post of a digest: accounts have those of their number modulo so many. */
export const postIdOf = (account: number, post: number): string =>
  String(1_990_000_000_000_000_000n - BigInt((account % DIGESTS) * 1_000 + post) * 7_654_321n);

/** Posts of an account, some a week, whose counts are log-normal. */
const postsOf = (account: number, count: number): readonly DigestPost[] => {
  const random = seededRandom(account);
  const normal = () => Array.from({ length: 12 }, () => random.next()).reduce((a, b) => a + b, -6);
  return Array.from({ length: count }, (_, n) => {
    const likes = Math.round(120 * Math.exp(0.9 * normal()));
    return {
      id: postIdOf(account, n),
      atMs: Date.parse(SEEN) - Math.round((n + random.next()) * 0.6 * DAY_MS),
      kind: n % 7 === 6 ? 'reply' : 'original',
      media: n % 2 === 0 ? 'photo' : 'none',
      observedMs: Date.parse(SEEN),
      followers: 20_000,
      isOrdered: true,
      likes,
      replies: likes >> 5,
      reposts: likes >> 4,
      quotes: likes >> 6,
      views: likes * 40 + random.int(900),
      textHash: random.int(2 ** 32),
      length: 40 + random.int(200),
      hashtags: random.int(3),
      links: random.int(2),
      mentions: random.int(2),
    };
  });
};

/**
 * Rows of so many accounts of X in the view of posts, as the fold writes them.
 * @param count posts of an account.
 * @param handle SQL of the handle of account number i.
 */
export const fillPosts = async (
  db: Db,
  schema: string,
  accounts: number,
  count: number,
  handle: (i: string) => string = handleSql,
): Promise<void> => {
  await db.query('create table if not exists bench_digests (n int primary key, digest bytea, figures jsonb)');
  await db.query('truncate bench_digests');
  for (let n = 0; n < DIGESTS; n++) {
    const posts = postsOf(n, count);
    const account = {
      ...emptyPosts('x', `user${n}`),
      owner: { id: String(n), isSeen: true, isAbsent: false },
      followers: 20_000,
      observedMs: Date.parse(SEEN),
      digest: new Map(posts.map((post) => [post.id, post])),
    };
    const { figures } = derivedOf(account);
    await db.query('insert into bench_digests values ($1, $2, $3)', [
      n,
      encodeDigest({ posts, span: null }),
      JSON.stringify(figures),
    ]);
  }
  await db.query(
    `insert into ${schema}.accounts (platform, handle, revision, posts_revision, native_id, is_seen, is_absent, is_gone,
       followers, sizes, observed_at, chunks, digest)
     select 'x', ${handle('i')}, 2, 1, (10000000 + i)::text, true, false, false, (random() ^ 4 * 50000000)::bigint,
       '[]', $2::timestamptz, '[]', d.digest
     from generate_series(1, $1::int) i join bench_digests d on d.n = i % ${DIGESTS}`,
    [accounts, SEEN],
  );
  await db.query(
    `insert into ${schema}.account_figures (platform, handle, followers, posts, median_likes, median_views,
       engagement_rate_followers, engagement_rate_views, posts_per_week, observed_at)
     select 'x', a.handle, a.followers, (f->>'posts')::int, (f->>'median_likes')::float8, (f->>'median_views')::float8,
       (f->>'median_likes')::float8 / (a.followers + 1), (f->>'engagement_rate_views')::float8,
       (f->>'posts_per_week')::float8, a.observed_at
     from ${schema}.accounts a join bench_digests d on d.n = (a.native_id::bigint - 10000000) % ${DIGESTS}
     cross join lateral (select d.figures as f) f where d.figures <> 'null'`,
  );
  await db.query(
    `insert into ${schema}.figure_counts (platform, band, metric, bin, n)
     select 'x', band, metric, ceil(ln(value) / ln(101.0 / 99))::int, count(*) from (
       select m.metric, m.value, width_bucket(followers, array[100,1000,10000,50000,250000,1000000,10000000]::bigint[]) as band
       from ${schema}.account_figures cross join lateral (values ('followers', followers::float8), ('median_likes', median_likes),
         ('median_views', median_views), ('engagement_rate_followers', engagement_rate_followers),
         ('engagement_rate_views', engagement_rate_views), ('posts_per_week', posts_per_week)) m (metric, value)
       where m.value > 0) v group by band, metric, 4`,
  );
  await db.query(
    `insert into ${schema}.sample_counts (platform, accounts, with_posts, with_figures, posts, sampled, with_views, ordered)
     select 'x', count(*), count(*), count(*), count(*) * $1::int, sum(posts), sum(posts), sum(posts) from ${schema}.account_figures`,
    [count],
  );
};
