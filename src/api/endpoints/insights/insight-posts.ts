import { engagementOf } from '../../../analysis/sample.ts';
import type { ViralScore } from '../../../analysis/viral.ts';
import { isoOf } from '../../../kernel/clock.ts';
import type { CursorPosition } from '../../../read/keyset.ts';
import type { OwnPost } from '../../../read/posts/account-digests.ts';
import { contentsOf, postKey } from '../../../read/posts/entry-posts.ts';
import type { EndpointRequest } from '../../contract/endpoint.ts';
import type { InsightPost } from '../../contract/schemas/insights.ts';
import { PLATFORM, type Subject } from './insight-subject.ts';

/** A post of a list, by what the list is sorted by; null comes last. */
export interface RankedPost {
  readonly post: OwnPost & { readonly atMs: number };
  readonly rank: number | null;
}

const LAST = -1;

const positionOf = ({ post, rank }: RankedPost): CursorPosition => [rank ?? LAST, post.id];

/** The most first; of equal ones by ID. */
const descending = (a: CursorPosition, b: CursorPosition): number => {
  const [rankA, idA] = a as readonly [number, string];
  const [rankB, idB] = b as readonly [number, string];
  return rankB - rankA || (idA < idB ? 1 : idA > idB ? -1 : 0);
};

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

/** Posts as a list shows them, with their content. */
export const shownPosts = async (
  { services, lists }: Pick<EndpointRequest<unknown, unknown, unknown>, 'services' | 'lists'>,
  { digest, sample }: Subject,
  page: readonly RankedPost[],
  scores: readonly ViralScore[] | null,
): Promise<InsightPost[]> => {
  const posts = page.map(({ post }) => post);
  const contents = await contentsOf(lists, services.builds, PLATFORM, posts, digest.chunks);
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
