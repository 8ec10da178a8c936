import { z } from 'zod';
import { engagementOf, isLack, sampleOf } from '../../../analysis/sample.ts';
import { viralityOf } from '../../../analysis/viral.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { type Platform, platformSchema } from '../../../kernel/platform.ts';
import {
  isPost,
  namelessPostOf,
  POST_PLATFORMS,
  type PostAddress,
  postOfUrl,
  ripeMsOf,
} from '../../../platforms/index.ts';
import type { FoundEntry } from '../../../read/directory/entry.ts';
import { LEAST_MULTIPLE } from '../../../read/insights/viral-posts.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import type { EndpointRequest } from '../../contract/endpoint.ts';
import { text } from '../../contract/parse-request.ts';
import { handleField, maxAgeField, toolPlatform } from '../../contract/schemas/tools.ts';
import { findAccount, inputOf, tool } from './define-tool.ts';

const DAY_MS = 86_400_000;
/** A post is compared with posts of this many days before and after it. */
const COMPARED_DAYS = 90;
type Request = EndpointRequest<unknown, unknown, unknown>;

interface Body {
  readonly post_url: string;
  readonly max_age_s?: number | undefined;
}

/** Modified z scores from which on a value is an outlier (Iglewicz and Hoaglin 1993). */
const OUTLIER = 3.5;

const NOT_KNOWN = ['why a post spread, and whether it will spread further'];

const refusal = (message: string): ServiceError =>
  new ServiceError('invalid_request', 'This is no URL of a post that names its account.', {
    details: [{ path: 'body.post_url', message }],
  });

interface Asked {
  readonly found: FoundEntry;
  readonly post: Pick<PostAddress, 'post'>;
}

/** The account of a post and its ID: a handle in the body is needed where the URL names none. */
const askedIn = async (
  request: Request,
  platform: Platform,
  { handle, max_age_s, post_url }: { readonly handle?: string | undefined } & Body,
): Promise<Asked> => {
  const find = (text: string, path: string) =>
    findAccount(request, { platform, handle: text, max_age_s }, path);
  const address = /^https?:\/\//i.test(post_url) ? post_url : `https://${post_url}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  const named = url === null ? null : postOfUrl(platform, url);
  const nameless = url === null || handle === undefined ? null : namelessPostOf(platform, url);
  if (nameless !== null) return { found: await find(handle as string, 'body.handle'), post: nameless };
  if (named === null) throw refusal(`not a URL of a post of ${platform} that names its account`);
  const { account } = named;
  const found = await find(
    account.kind === 'id' ? `id:${account.id}` : `@${account.handle}`,
    'body.post_url',
  );
  const isOther = handle !== undefined && (await find(handle, 'body.handle')).key !== found.key;
  if (isOther) throw refusal('names another account than handle does');
  return { found, post: named };
};

export default tool({
  operation: 'runViralityCheck',
  name: 'virality-check',
  title: 'How far a post exceeds its author’s median engagement',
  description: `The engagement of a post as a multiple of the median of the author’s other ripe original posts, from ${COMPARED_DAYS} days before to ${COMPARED_DAYS} days after, and the robust z-score of its logarithm. A post is \`viral\` from a multiple of ${LEAST_MULTIPLE} and a z-score of ${OUTLIER}. If the counts were read while the post was young, \`at_least\` is true: they may have grown since, so \`viral\` is true or null, never false.`,
  method:
    'Multiple of the median, and the modified z score of ln(1 + engagement) without the post itself, as in docs/methods/tools.md.',
  platforms: POST_PLATFORMS,
  upstreamReads: 0,
  version: '2',
  body: z.strictObject({
    platform: toolPlatform(POST_PLATFORMS),
    handle: handleField.optional().describe('Handle of the author, if the URL of the post does not name it.'),
    max_age_s: maxAgeField,
    post_url: text(1, 4_096).describe('The URL of a post.'),
  }),
  data: {
    platform: platformSchema,
    handle: z.string().nullable(),
    post_id: z.string(),
    at: z.iso.datetime(),
    engagement: z
      .int()
      .nonnegative()
      .describe('Likes, replies, reposts and quotes, as far as they are shown.'),
    multiple: z.number().describe('Multiple of the median of the other posts.'),
    robust_z: z.number().nullable().describe('Null if half of the other posts have the same engagement.'),
    viral: z
      .boolean()
      .nullable()
      .describe(
        'Null without a robust z-score, and for a post that was read before it was ripe and does not exceed the thresholds yet.',
      ),
    at_least: z.boolean().describe('Whether it was read before it was ripe.'),
    baseline_n: z.int(),
    baseline_median: z.number(),
    as_much_n: z.int().describe('Other posts with at least as much engagement.'),
  },
  example: {
    body: { platform: 'x', post_url: 'https://x.com/nasa/status/1580000000000000000' },
    data: {
      platform: 'x',
      handle: 'nasa',
      post_id: '1580000000000000000',
      at: '2026-11-02T14:00:00.000Z',
      engagement: 212_000,
      multiple: 13.8,
      robust_z: 4.1,
      viral: true,
      at_least: false,
      baseline_n: 82,
      baseline_median: 15_400,
      as_much_n: 0,
      inputs: [
        { input: 'post', observed_at: '2026-11-21T08:16:00.000Z', age_s: 840 },
        { input: 'posts', observed_at: '2026-11-20T08:16:00.000Z', age_s: 87_240 },
      ],
      not_known: NOT_KNOWN,
    },
  },
  run: async (body, request) => {
    // The schema has refused all others.
    const { platform } = body;
    const { found, post: asked } = await askedIn(request, platform, body);
    const { posts } = await request.services.digests.of(found.entry);
    const post = posts.find(({ id }) => isPost(platform, asked, id));
    if (post === undefined || post.atMs === null)
      throw new ServiceError('not_found', 'The catalog has no such post.', {
        details: [
          { path: 'body.post_url', message: 'not among the newest posts of the account that were read' },
        ],
      });
    const engagement = engagementOf(post);
    if (post.kind !== 'original' || engagement === null)
      throw new ServiceError('insufficient_data', 'Only originals that show their likes are compared.', {
        details: [{ path: 'post', message: post.kind === 'original' ? 'shows no likes' : `a ${post.kind}` }],
      });
    const { ripe } = sampleOf(posts, {
      platform,
      anchorMs: post.atMs + COMPARED_DAYS * DAY_MS,
      windowDays: 2 * COMPARED_DAYS,
    });
    const others = ripe.filter(({ id }) => id !== post.id);
    const virality = viralityOf(engagement, others);
    if (isLack(virality)) throw insufficient(virality.what, virality);
    const { multiple, z: robust, median, n, asMuch } = virality;
    const isBeyond = robust === null ? null : multiple >= LEAST_MULTIPLE && robust >= OUTLIER;
    const isYoung = post.observedMs - post.atMs < ripeMsOf(platform);
    return {
      result: {
        platform,
        handle: found.entry.handle,
        post_id: post.id,
        at: isoOf(post.atMs),
        engagement,
        multiple,
        robust_z: robust,
        // A young post may still gain engagement.
        viral: isBeyond === false && isYoung ? null : isBeyond,
        at_least: isYoung,
        baseline_n: n,
        baseline_median: median,
        as_much_n: asMuch,
        inputs: [
          inputOf('post', post.observedMs, request.nowMs),
          inputOf('posts', Math.min(...others.map(({ observedMs }) => observedMs)), request.nowMs),
        ],
        not_known: NOT_KNOWN,
      },
      coverage: { sampled: n, total: null, capped: false },
    };
  },
});
