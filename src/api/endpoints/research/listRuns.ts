import { z } from 'zod';
import { listRuns, RUN_STATUSES } from '../../../read/research/lists.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { time } from '../../contract/parse-request.ts';
import { EXAMPLE_RUN, runSchema } from '../../contract/schemas/research.ts';
import { runAnswer } from './research-answers.ts';

export default endpoint({
  operation: 'listRuns',
  group: 'research',
  method: 'GET',
  path: '/research/runs',
  scope: 'research:read',
  meter: 'catalog',
  list: true,
  summary: 'Runs of research',
  description:
    'Runs of the research engine, newest first. A run evaluates all pools, records findings, and decides which pools grow. A run whose process ended before the run did has failed.',
  params: z.strictObject({}),
  query: z.strictObject({
    status: z.enum(RUN_STATUSES).optional(),
    since: time().optional().describe('Started at this time or later.'),
    until: time().optional().describe('Started before this time.'),
  }),
  data: z.array(runSchema),
  errors: [],
  example: { data: [EXAMPLE_RUN] },
  handler: async ({ query, services, queuedReads, limit, after }) => {
    const page = await listRuns(queuedReads, services.builds, query, limit, after);
    return {
      data: page.items.map(runAnswer),
      source: 'catalog',
      readAtMs: page.oldestMs,
      next: page.next,
    };
  },
});
