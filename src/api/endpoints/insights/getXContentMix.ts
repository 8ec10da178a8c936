import { z } from 'zod';
import { contentEffects, contentShares } from '../../../analysis/content-effects.ts';
import { INSIGHTS_METHOD_VERSION, isLack, MIN_POSTS } from '../../../analysis/sample.ts';
import { readLaws } from '../../../read/insights/laws.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import { zoneOf } from '../../contract/parse-request.ts';
import {
  described,
  EXAMPLE_SUBJECT,
  effectShape,
  insightParams,
  subjectShape,
  timezone,
  windowDays,
} from '../../contract/schemas/insights.ts';
import { coverageOf, oldestOf, PLATFORM, readSubject, subjectOf, warningsOf } from './insight-answers.ts';

const WINDOW_DAYS = 365;

const share = z.number().min(0).max(1).nullable();

export default endpoint({
  operation: 'getXContentMix',
  group: 'insights',
  method: 'GET',
  path: '/insights/x/{handle}/content-mix',
  scope: 'insights:read',
  meter: 'catalog',
  list: false,
  methodVersion: INSIGHTS_METHOD_VERSION,
  summary: 'Content of an account of X, and its effect on engagement',
  description: described(
    'Shares of the posts in the window by kind, and of the original posts by media, links, hashtags and mentions. `effects` compares the engagement of ripe original posts with and without a trait, at the same hour and age, with 95 % intervals; `significant` uses Benjamini and Hochberg’s procedure at 0.05. If the sample is too small, `effects` is null and the warning is `effects_need_more_posts`. `measurable: false` means that no difference is measurable.',
  ),
  params: insightParams,
  query: z.strictObject({ timezone, window_days: windowDays(WINDOW_DAYS) }),
  data: z.object({
    ...subjectShape,
    timezone: z.string(),
    posts: z.int().describe('Posts of all kinds.'),
    kinds: z.object({ original: share, reply: share, repost: share, quote: share }),
    media: z.object({ none: share, photo: share, video: share, link: share, other: share }),
    with_links: share,
    with_hashtags: share,
    with_mentions: share,
    median_length: z.number().nullable().describe('UTF-16 code units.'),
    measurable: z.boolean().nullable(),
    effects: z
      .array(
        z.object({
          trait: z.enum(['media', 'hashtags', 'links', 'length']),
          share: z.number(),
          ...effectShape,
          q: z.number(),
          significant: z.boolean(),
        }),
      )
      .nullable(),
    long_from: z.number().nullable().describe('Length from which a text counts as long for this account.'),
  }),
  errors: ['not_found'],
  example: {
    params: { handle: 'nasa' },
    data: {
      ...EXAMPLE_SUBJECT,
      timezone: 'UTC',
      posts: 62,
      kinds: { original: 0.66, reply: 0.13, repost: 0.16, quote: 0.05 },
      media: { none: 0.12, photo: 0.51, video: 0.37, link: 0, other: 0 },
      with_links: 0.44,
      with_hashtags: 0.1,
      with_mentions: 0.29,
      median_length: 188,
      measurable: true,
      effects: [
        { trait: 'media', share: 0.88, effect_pct: 31, low: 9, high: 57, q: 0.011, significant: true },
      ],
      long_from: 142,
    },
  },
  handler: async (request) => {
    const { window_days = WINDOW_DAYS, timezone: name = 'UTC' } = request.query;
    const subject = await readSubject(request, window_days);
    const zone = zoneOf(name, 'query.timezone');
    const { sample, digest } = subject;
    const shares = contentShares(digest.posts, sample);
    if (shares.posts < MIN_POSTS) throw insufficient('posts', { had: shares.posts, needs: MIN_POSTS });
    const { persistences } = await readLaws(request.services.populations, PLATFORM);
    const found = contentEffects(sample, zone.offsets, persistences);
    const effects = found === null || isLack(found) ? null : found;
    return figureAnswer({
      data: {
        ...subjectOf(subject),
        timezone: zone.name,
        ...shares,
        measurable: effects?.effects.some(({ significant }) => significant) ?? null,
        effects: effects === null ? null : [...effects.effects],
        long_from: effects?.long_from ?? null,
      },
      readAtMs: oldestOf(subject, sample.published),
      coverage: { ...coverageOf(subject), sampled: sample.published.length },
      warnings: [...warningsOf(subject), ...(effects === null ? ['effects_need_more_posts'] : [])],
    });
  },
});
