import { z } from 'zod';
import { postingPatterns } from '../../../analysis/posting-patterns.ts';
import { INSIGHTS_METHOD_VERSION, isLack } from '../../../analysis/sample.ts';
import { readLaws } from '../../../read/insights/laws.ts';
import { insufficient } from '../../contract/answer-errors.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import { zoneOf } from '../../contract/parse-request.ts';
import {
  described,
  EXAMPLE_SUBJECT,
  insightParams,
  patternCellSchema,
  shownCell,
  subjectShape,
  timezone,
  windowDays,
} from '../../contract/schemas/insights.ts';
import { coverageOf, oldestOf, PLATFORM, readSubject, subjectOf, warningsOf } from './insight-answers.ts';

/** Effects of hours need many posts: by default those of a year. */
const WINDOW_DAYS = 365;

const EXAMPLE_CELL = {
  weekday: 2,
  hour: 19,
  n: 11,
  effect_pct: 22,
  low: 7,
  high: 39,
  significant: true,
};

export default endpoint({
  operation: 'getXPostingPatterns',
  group: 'insights',
  method: 'GET',
  path: '/insights/x/{handle}/posting-patterns',
  scope: 'insights:read',
  meter: 'catalog',
  list: false,
  methodVersion: INSIGHTS_METHOD_VERSION,
  summary: 'When the posts of an account of X get more engagement',
  description: described(
    'Engagement by hour of the week compared with the account’s usual engagement, with 95 % intervals. `best` has hours only if the effect of hour or weekday exceeds chance (Benjamini and Hochberg at 0.05); `significant: false` means that no difference is measurable. If the platform selected all posts, or if they vary too little, nothing is tested and `cells` is empty.',
  ),
  params: insightParams,
  query: z.strictObject({ timezone, window_days: windowDays(WINDOW_DAYS) }),
  data: z.object({
    ...subjectShape,
    timezone: z.string(),
    significant: z
      .boolean()
      .nullable()
      .describe('false: no difference is measurable. null: nothing was tested; the warning is `not_tested`.'),
    q_hour: z.number().nullable(),
    q_weekday: z.number().nullable().describe('Null if too few weeks are known.'),
    best: z.array(patternCellSchema),
    cells: z.array(patternCellSchema).describe('All 168 hours of the week, or none.'),
  }),
  errors: ['not_found'],
  example: {
    params: { handle: 'nasa' },
    query: { timezone: 'America/New_York' },
    data: {
      ...EXAMPLE_SUBJECT,
      timezone: 'America/New_York',
      significant: true,
      q_hour: 0.012,
      q_weekday: 0.31,
      best: [EXAMPLE_CELL],
      cells: [EXAMPLE_CELL],
    },
  },
  handler: async (request) => {
    const { window_days = WINDOW_DAYS, timezone: name = 'UTC' } = request.query;
    const subject = await readSubject(request, window_days);
    const zone = zoneOf(name, 'query.timezone');
    const { persistences } = await readLaws(request.services.populations, PLATFORM);
    const found = postingPatterns(subject.sample, zone.offsets, persistences);
    if (found !== null && isLack(found)) throw insufficient(found.what, found);
    return figureAnswer({
      data: {
        ...subjectOf(subject),
        timezone: zone.name,
        significant: found?.significant ?? null,
        q_hour: found?.q_hour ?? null,
        q_weekday: found?.q_weekday ?? null,
        best: found?.best.map(shownCell) ?? [],
        cells: found?.cells.map(shownCell) ?? [],
      },
      readAtMs: oldestOf(subject),
      coverage: coverageOf(subject),
      warnings: [...warningsOf(subject), ...(found === null ? ['not_tested'] : [])],
    });
  },
});
