import type { z } from 'zod';
import type { Estimate } from '../../../analysis/percentiles.ts';
import { lackOf, type Sample, sampleOf } from '../../../analysis/sample.ts';
import { isoOf } from '../../../kernel/clock.ts';
import type { FoundEntry } from '../../../read/directory/entry.ts';
import type { AccountDigest, OwnPost } from '../../../read/posts/account-digests.ts';
import { DIGEST_KEPT } from '../../../read/posts/account-digests.ts';
import { entriesOf, parseAccountRef, requireAccount } from '../../contract/account-ref.ts';
import type { Coverage, EndpointRequest } from '../../contract/endpoint.ts';
import { insufficient } from '../../contract/insufficient-data.ts';
import type { insightParams } from '../../contract/schemas/insights.ts';

export const PLATFORM = 'x' as const;

const DAY_MS = 86_400_000;

type Request = EndpointRequest<z.output<typeof insightParams>, unknown, unknown>;

/** @throws {ServiceError} `not_found` if the catalog has no such account. */
export const findSubject = (request: Request): Promise<FoundEntry> => {
  const { services, params } = request;
  const ref = parseAccountRef(services, PLATFORM, params.handle, 'params.handle');
  return requireAccount(request, ref, entriesOf(services));
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

export const windowOf = ({ sample, days }: Pick<Subject, 'sample' | 'days'>) => ({
  days,
  from: isoOf(sample.fromMs),
  to: isoOf(sample.anchorMs),
});

/** What every answer about an account begins with. */
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

/** The oldest reading that counts: of the account, or of the counts of its posts. */
export const oldestOf = (
  { found, sample }: Subject,
  posts: readonly { observedMs: number }[] = sample.ripe,
) => posts.reduce((oldest, { observedMs }) => Math.min(oldest, observedMs), Date.parse(found.last_seen_at));

export const coverageOf = ({ digest, sample }: Subject): Coverage => ({
  sampled: sample.ripe.length,
  total: sample.isCovered ? sample.published.length : null,
  capped: !sample.isCovered && digest.posts.length >= DIGEST_KEPT,
});

/** Posts of before the first reading have the followers of then: from a week on that is worth a warning. */
const LATE_MS = 7 * DAY_MS;

/** What limits the figures of a sample. */
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
