import { z } from 'zod';
import { ServiceError } from '../../../kernel/errors.ts';
import { findFinding } from '../../../read/research/lists.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { text } from '../../contract/parse-request.ts';
import { EXAMPLE_FINDING, findingSchema } from '../../contract/schemas/research.ts';
import { findingAnswer } from './research-answers.ts';

export default endpoint({
  operation: 'getFinding',
  group: 'research',
  method: 'GET',
  path: '/research/findings/{id}',
  scope: 'research:read',
  meter: 'catalog',
  list: false,
  usesReadQueue: true,
  summary: 'One finding',
  description: 'A finding by its ID, also after it was dismissed or superseded.',
  params: z.strictObject({ id: text(1, 100).describe('`id` of a finding.') }),
  query: z.strictObject({}),
  data: findingSchema,
  errors: ['not_found'],
  example: { params: { id: EXAMPLE_FINDING.id }, data: EXAMPLE_FINDING },
  handler: async ({ params, services, queuedReads }) => {
    const found = await findFinding(queuedReads, services.builds, params.id);
    if (found === null) throw new ServiceError('not_found', 'There is no such finding.');
    return { data: findingAnswer(found), source: 'catalog', readAtMs: Date.parse(found.created_at) };
  },
});
