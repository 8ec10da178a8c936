import { z } from 'zod';
import { listEvents } from '../../../read/research/lists.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { text, time } from '../../contract/parse-request.ts';
import { EXAMPLE_EVENT, eventSchema, poolParameter, runParameter } from '../../contract/schemas/research.ts';
import { eventAnswer } from './research-answers.ts';

export default endpoint({
  operation: 'listResearchEvents',
  group: 'research',
  method: 'GET',
  path: '/research/events',
  scope: 'research:read',
  meter: 'catalog',
  list: true,
  isFeed: true,
  summary: 'Events of research',
  description:
    'All events of research, in log order: figures, draws, findings, decisions, reviews and limits. Store `meta.resume_cursor`, and send it later as `cursor` to get the events since.',
  params: z.strictObject({}),
  query: z.strictObject({
    run: runParameter,
    pool: poolParameter,
    type: text(1, 100).optional().describe('Type of the event, such as `ExpansionDecided`.'),
    since: time().optional().describe('At this time or later.'),
    until: time().optional().describe('Before this time.'),
  }),
  data: z.array(eventSchema),
  errors: [],
  example: { query: { type: 'ExpansionDecided' }, data: [EXAMPLE_EVENT] },
  handler: async ({ query, services, queuedReads, limit, after, isFromNow }) => {
    const page = await listEvents(queuedReads, services.builds, query, limit, isFromNow ? 'now' : after);
    return {
      data: page.items.map(eventAnswer),
      source: 'catalog',
      readAtMs: page.oldestMs,
      next: page.next,
      resumeAt: page.resumeAt,
    };
  },
});
