import { z } from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { EXAMPLE_ENGINE, engineQuery, engineSchema } from '../../contract/schemas/engines.ts';
import { engineAnswers } from './engine-answers.ts';

export default endpoint({
  operation: 'listEngines',
  group: 'engines',
  method: 'GET',
  path: '/engines',
  scope: 'engines:read',
  meter: 'catalog',
  list: true,
  summary: 'Health of every crawler',
  description:
    'The engines that fill the catalog: one of each platform, and one that reads a marketplace. Workers report once a minute; `meta.cache_age_s` is the age of the oldest last report of an engine. A figure that can’t be computed is null, never 0.',
  params: z.strictObject({}),
  query: engineQuery,
  data: z.array(engineSchema),
  errors: [],
  example: { data: [EXAMPLE_ENGINE] },
  handler: async ({ query, services, queuedReads, nowMs, limit, after }) => {
    const answers = await engineAnswers(services, queuedReads, query.window ?? '1h', nowMs);
    const start = after === null ? 0 : Number(after[0]) + 1;
    const page = answers.slice(start, start + limit);
    const reported = page.flatMap(({ reportedAtMs }) => reportedAtMs ?? []);
    const end = start + page.length;
    return {
      data: page.map(({ engine }) => engine),
      source: 'catalog',
      readAtMs: reported.length === 0 ? null : Math.min(...reported),
      next: end < answers.length ? [end - 1] : null,
    };
  },
});
