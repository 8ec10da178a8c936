import type { z } from 'zod';
import { FIGURES_WINDOW_DAYS } from '../../../analysis/account-figures.ts';
import type { Estimate } from '../../../analysis/percentiles.ts';
import { engagementOf, lackOf, type Sample, sampleOf } from '../../../analysis/sample.ts';
import type { ViralScore } from '../../../analysis/viral.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { SIZE_BANDS } from '../../../kernel/size-bands.ts';
import type { FoundEntry } from '../../../read/directory/entry.ts';
import type { Population } from '../../../read/insights/populations.ts';
import type { CursorPosition } from '../../../read/keyset.ts';
import { type AccountDigest, DIGEST_KEPT, type OwnPost } from '../../../read/posts/account-digests.ts';
import { contentsOf, postKey } from '../../../read/posts/entry-posts.ts';
import { entrySource, parseAccountRef, requireAccount } from '../../contract/account-ref.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import type { Coverage, EndpointRequest } from '../../contract/endpoint.ts';
import type { InsightPost, insightParams } from '../../contract/schemas/insights.ts';
import type { Services } from '../../services.ts';

export const PLATFORM = 'x' as const;

/** @throws {ServiceError} `not_found` if the catalog has no such account. */
export const findSubject = (request: Request): Promise<FoundEntry> => {
  const { services, params } = request;
  const ref = parseAccountRef(services, PLATFORM, params.handle, 'params.handle');
  return requireAccount(request, ref, entrySource(services));
};

/** An account, its posts, and the sample of a window that ends at its last sighting. */
export interface Subject {
  readonly found: FoundEntry;
  readonly digest: AccountDigest;
  readonly sample: Sample<OwnPost>;
  readonly days: number;
}

export const readSubject = async (request: Request, days: number): Promise<Subject> => {
  const found = await findSubject(request);
  const digest = await request.services.digests.of(found.entry);
  const anchorMs = Date.parse(found.last_seen_at);
  const sample = sampleOf(digest.posts, {
    platform: PLATFORM,
    anchorMs,
    windowDays: days,
    span: digest.span,
  });
  return { found, digest, sample, days };
};

/** @throws {ServiceError} `insufficient_data` if there are too few ripe posts. */
export const requirePosts = ({ sample }: Subject): void => {
  const lack = lackOf(sample);
  if (lack !== null) throw insufficient('posts', lack);
};

/** The common first fields of every answer about an account. */
export const subjectOf = (subject: Subject) => {
  const { entry } = subject.found;
  return {
    platform: PLATFORM,
    handle: entry.handle,
    followers: entry.followers,
    posts_sampled: subject.sample.ripe.length,
    window: windowOf(subject),
  } as const;
};

/** The time of the oldest reading behind an answer: of the account, or of its posts' counts. */
export const oldestOf = (
  { found, sample }: Subject,
  posts: readonly { observedMs: number }[] = sample.ripe,
) => posts.reduce((oldest, { observedMs }) => Math.min(oldest, observedMs), Date.parse(found.last_seen_at));

export const coverageOf = ({ digest, sample }: Subject): Coverage => ({
  sampled: sample.ripe.length,
  total: sample.isCovered ? sample.published.length : null,
  capped: !sample.isCovered && digest.posts.length >= DIGEST_KEPT,
});

/** Warnings about the figures of a sample. */
export const warningsOf = ({ found, sample }: Subject): readonly string[] => {
  const firstMs = Date.parse(found.entry.first_seen_at);
  const isUnknown = (figure: 'views' | 'replies') =>
    sample.ripe.length > 0 && sample.ripe.some((post) => post[figure] === null);
  return [
    ...sample.warnings,
    ...(isUnknown('views') ? ['views_unknown'] : []),
    ...(isUnknown('replies') ? ['replies_unknown'] : []),
    ...(sample.ripe.some(({ atMs }) => atMs < firstMs - LATE_MS) ? ['followers_after_posts'] : []),
  ];
};

export const intervalOf = (estimate: Pick<Estimate, 'low' | 'high'> | null) =>
  estimate === null ? null : { low: estimate.low, high: estimate.high };

/** The page of a list of posts: those after a position, and where the next page begins. */
export const pageOfPosts = (
  posts: readonly RankedPost[],
  { after, limit }: Pick<EndpointRequest<unknown, unknown, unknown>, 'after' | 'limit'>,
) => {
  const rest = posts
    .filter((one) => after === null || descending(after, positionOf(one)) < 0)
    .sort((a, b) => descending(positionOf(a), positionOf(b)));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return { page, next: rest.length > limit && last !== undefined ? positionOf(last) : null };
};

/** Posts of a sample with their ranks. */
export const rankedPosts = (
  posts: Subject['sample']['published'],
  rankOf: (post: OwnPost & { readonly atMs: number }) => number | null,
): readonly RankedPost[] => posts.map((post) => ({ post, rank: rankOf(post) }));

/** Posts as answers show them, with their content. */
export const answeredPosts = async (
  { services, queuedReads }: Pick<EndpointRequest<unknown, unknown, unknown>, 'services' | 'queuedReads'>,
  { digest, sample }: Subject,
  page: readonly RankedPost[],
  scores: readonly ViralScore[] | null,
): Promise<InsightPost[]> => {
  const posts = page.map(({ post }) => post);
  const contents = await contentsOf(queuedReads, services.builds, PLATFORM, posts, digest.chunks);
  const scored = new Map((scores ?? []).map((score) => [score.post.id, score]));
  const ripe = new Set(sample.ripe.map(({ id }) => id));
  return posts.map((post) => {
    const content = contents.get(postKey(post));
    const engagement = engagementOf(post);
    const score = scored.get(post.id);
    return {
      id: post.id,
      url: content?.url ?? null,
      at: isoOf(post.atMs),
      kind: post.kind,
      text: content?.text ?? null,
      likes: post.likes,
      replies: post.replies,
      reposts: post.reposts,
      quotes: post.quotes,
      views: post.views,
      engagement,
      engagement_rate_followers:
        engagement === null || post.followers === null || post.followers === 0
          ? null
          : engagement / post.followers,
      multiple: score?.multiple ?? null,
      robust_z: score?.z ?? null,
      is_ripe: ripe.has(post.id),
      observed_at: isoOf(post.observedMs),
    };
  });
};

/** @throws {ServiceError} `insufficient_data` before it was computed. */
export const requirePopulation = async (services: Pick<Services, 'populations'>): Promise<Population> => {
  const population = await services.populations.of(PLATFORM);
  if (population !== null) return population;
  throw new ServiceError('insufficient_data', 'The figures of the population have not been computed yet.', {
    details: [{ path: 'computations', message: 'has 0, needs 1' }],
  });
};

export const bandOf = (band: number) => {
  const next = SIZE_BANDS[band + 1];
  return { min_followers: SIZE_BANDS[band] ?? 0, max_followers: next === undefined ? null : next - 1 };
};

/** The population that the figures describe, and its limits. */
export const FRAMING =
  'Accounts of the catalog that the last reading found and that show their followers. The catalog is what crawlers discovered, not a random sample of the platform. Figures of posts are of those with at least 8 originals in the 30 days before their last sighting.';

/** The oldest sighting behind the figures of a population; when they were computed, if nothing was sampled. */
export const oldestSightingMs = ({ counts: { window_start, computed_at } }: Population): number =>
  window_start === null ? Date.parse(computed_at) : Date.parse(window_start) + FIGURES_WINDOW_DAYS * DAY_MS;

const DAY_MS = 86_400_000;

type Request = EndpointRequest<z.output<typeof insightParams>, unknown, unknown>;

const windowOf = ({ sample, days }: Pick<Subject, 'sample' | 'days'>) => ({
  days,
  from: isoOf(sample.fromMs),
  to: isoOf(sample.anchorMs),
});

/** Posts older than the first reading are related to the followers of that reading; beyond a week that takes a warning. */
const LATE_MS = 7 * DAY_MS;

/** A post of a list, with its sort key; null sorts last. */
interface RankedPost {
  readonly post: OwnPost & { readonly atMs: number };
  readonly rank: number | null;
}

const LAST = -1;

const positionOf = ({ post, rank }: RankedPost): CursorPosition => [rank ?? LAST, post.id];

/** Descending by rank, then by ID. */
const descending = (a: CursorPosition, b: CursorPosition): number => {
  const [rankA, idA] = a as readonly [number, string];
  const [rankB, idB] = b as readonly [number, string];
  return rankB - rankA || (idA < idB ? 1 : idA > idB ? -1 : 0);
};
