import { z } from 'zod';
import { type Cell, postingPatterns } from '../../../analysis/posting-patterns.ts';
import { isLack } from '../../../analysis/sample.ts';
import { platformSchema } from '../../../kernel/platform.ts';
import { DIRECTORY_PLATFORMS } from '../../../platforms/index.ts';
import { readLaws } from '../../../read/insights/laws.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import { zoneOf } from '../../contract/parse-request.ts';
import { patternCellSchema, shownCell, timezone } from '../../contract/schemas/insights.ts';
import { accountFields, bodyWindowDays, EXAMPLE_INPUTS, levelField } from '../../contract/schemas/tools.ts';
import { findAccount, inputOf, oldestPostMs, populationInput, readSample, tool } from './define-tool.ts';

const WINDOW_DAYS = 365;
const LEVEL = 0.95;
const EXAMPLE_CELL = { weekday: 2, hour: 19, n: 11, effect_pct: 22, low: 7, high: 39, significant: true };

const NOT_KNOWN = [
  'what the same post would have earned at another hour: hours are compared as they were chosen',
];

export default tool({
  operation: 'runBestTimeToPost',
  name: 'best-time-to-post',
  title: 'When the posts of an account get more engagement',
  description:
    'Hours of the week whose posts get more engagement than usual, with 95 % intervals, if the effect of hour or weekday exceeds chance. `significant: false` means that no difference is measurable.',
  method:
    'Regression with first harmonics of day and week; Benjamini and Hochberg at 0.05, as in docs/methods/insights.md.',
  platforms: DIRECTORY_PLATFORMS,
  upstreamReads: 0,
  body: z.strictObject({
    ...accountFields(),
    timezone,
    window_days: bodyWindowDays(WINDOW_DAYS),
  }),
  data: {
    level: levelField,
    platform: platformSchema,
    handle: z.string().nullable(),
    timezone: z.string(),
    posts_n: z.int(),
    significant: z
      .boolean()
      .nullable()
      .describe('false: no difference is measurable. null: nothing was tested; the warning is `not_tested`.'),
    best: z.array(patternCellSchema),
    cells: z
      .array(patternCellSchema)
      .describe('All 168 hours of the week; empty if the platform selected the posts.'),
  },
  example: {
    body: { platform: 'x', handle: 'nasa', timezone: 'America/New_York' },
    data: {
      platform: 'x',
      handle: 'nasa',
      timezone: 'America/New_York',
      posts_n: 212,
      significant: true,
      best: [EXAMPLE_CELL],
      cells: [EXAMPLE_CELL],
      level: LEVEL,
      inputs: EXAMPLE_INPUTS,
      not_known: NOT_KNOWN,
    },
  },
  run: async (body, request) => {
    const { timezone: name = 'UTC', window_days = WINDOW_DAYS } = body;
    const found = await findAccount(request, body);
    const zone = zoneOf(name, 'body.timezone');
    const sample = await readSample(request, found, window_days);
    const { platform, handle } = found.entry;
    const { persistences, population } = await readLaws(request.services.populations, platform);
    const patterns = postingPatterns(sample, zone.offsets, persistences);
    if (patterns !== null && isLack(patterns)) throw insufficient(patterns.what, patterns);
    const shown = (cells: readonly Cell[] | undefined) => cells?.map(shownCell) ?? [];
    return {
      result: {
        platform,
        handle,
        timezone: zone.name,
        posts_n: sample.ripe.length,
        significant: patterns?.significant ?? null,
        best: shown(patterns?.best),
        cells: shown(patterns?.cells),
        level: LEVEL,
        inputs: [
          inputOf('account', Date.parse(found.oldest_at), request.nowMs),
          inputOf('posts', oldestPostMs(sample), request.nowMs),
          ...populationInput(population, request.nowMs),
        ],
        not_known: NOT_KNOWN,
      },
      coverage: {
        sampled: sample.ripe.length,
        total: sample.isCovered ? sample.published.length : null,
        capped: false,
      },
      warnings: [...sample.warnings, ...(patterns === null ? ['not_tested'] : [])],
    };
  },
});
