import { z } from 'zod';
import { ServiceError } from '../../../kernel/errors.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { text } from '../../contract/parse-request.ts';
import { EXAMPLE_ENGINE, engineQuery, engineSchema } from '../../contract/schemas/engines.ts';
import { engineAnswers } from './engine-answers.ts';

export default endpoint({
  operation: 'getEngine',
  group: 'engines',
  method: 'GET',
  path: '/engines/{key}',
  scope: 'engines:read',
  meter: 'catalog',
  list: false,
  usesReadQueue: true,
  summary: 'Health of one crawler',
  description:
    'One engine by its key: the name of its platform, or `marketplace`. `meta.cache_age_s` is the age of its last report.',
  params: z.strictObject({ key: text(1, 100).describe('`key` of an engine.') }),
  query: engineQuery,
  data: engineSchema,
  errors: ['not_found'],
  example: { params: { key: 'x' }, data: EXAMPLE_ENGINE },
  handler: async ({ params, query, services, queuedReads, nowMs }) => {
    const answers = await engineAnswers(services, queuedReads, query.window ?? '1h', nowMs);
    const found = answers.find(({ engine }) => engine.key === params.key);
    if (found === undefined) throw new ServiceError('not_found', 'There is no such engine.');
    return { data: found.engine, source: 'catalog', readAtMs: found.reportedAtMs };
  },
});
