import { z } from 'zod';
import { listFindings } from '../../../read/research/lists.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { time } from '../../contract/parse-request.ts';
import {
  EXAMPLE_FINDING,
  findingKind,
  findingSchema,
  findingStatus,
  poolParameter,
  runParameter,
} from '../../contract/schemas/research.ts';
import { findingAnswer } from './research-answers.ts';

export default endpoint({
  operation: 'listFindings',
  group: 'research',
  method: 'GET',
  path: '/research/findings',
  scope: 'research:read',
  meter: 'catalog',
  list: true,
  summary: 'Findings of research',
  description:
    'Findings of the research engine, newest first. A finding is a change that chance does not explain, with its figures and the events that support it. A lasting finding is recorded once a day and supersedes the previous one.',
  params: z.strictObject({}),
  query: z.strictObject({
    kind: findingKind.optional(),
    run: runParameter,
    pool: poolParameter,
    status: findingStatus.optional(),
    since: time().optional().describe('Found at this time or later.'),
    until: time().optional().describe('Found before this time.'),
  }),
  data: z.array(findingSchema),
  errors: [],
  example: { query: { kind: 'pool_yield' }, data: [EXAMPLE_FINDING] },
  handler: async ({ query, services, queuedReads, limit, after }) => {
    const page = await listFindings(queuedReads, services.builds, query, limit, after);
    return {
      data: page.items.map(findingAnswer),
      source: 'catalog',
      readAtMs: page.oldestMs,
      next: page.next,
    };
  },
});
