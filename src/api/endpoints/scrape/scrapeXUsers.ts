import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../../../kernel/errors/codes.ts';
import { ServiceError } from '../../../kernel/errors/service-error.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { batchCall } from '../../contract/live-call.ts';
import { addressOf } from '../../contract/live-reading.ts';
import { EXAMPLE_LIVE_ENTRY, liveEntrySchema } from '../../contract/schemas/scrape.ts';
import { liveEntryOf, xKey } from './live-answers.ts';

const MAX_HANDLES = 50;

const itemSchema = z.object({
  handle: z.string().describe('Normalized; as it was sent if it is an ID, or no handle of X.'),
  status: z
    .enum(['ok', 'absent', 'unknown'])
    .describe('absent: proven not to exist. unknown: not read, and not charged.'),
  account: liveEntrySchema.nullable(),
  error: z
    .object({
      code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      retry_after_s: z.int().positive().nullable(),
    })
    .nullable(),
});

type Item = z.input<typeof itemSchema>;

export default endpoint({
  operation: 'scrapeXUsers',
  group: 'scrape',
  method: 'POST',
  path: '/scrape/x/users',
  scope: 'scrape:live',
  meter: 'live',
  list: false,
  summary: 'Read up to 50 accounts of X',
  description:
    'Reads accounts from X for this request, each a live call of its own. An item that could not be read, or is no handle of X, has the status `unknown` with its error, and is refunded; it never fails the others. All must fit into the live calls per minute of the plan, so that a plan with 20 a minute reads at most 20 at once. An item has 10 s from its first request, the batch 60 s.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    handles: z
      .array(
        z
          .string()
          .describe(
            'A handle as `@<handle>`, an ID as `id:<id>`, or either without its sign; what is none is answered with its error.',
          ),
      )
      .min(1)
      .max(MAX_HANDLES),
  }),
  items: ({ body }) => body.handles.length,
  data: z.object({ items: z.array(itemSchema) }),
  errors: [],
  example: {
    body: { handles: ['nasa', '@nobody_has_this'] },
    data: {
      items: [
        { handle: 'nasa', status: 'ok', account: EXAMPLE_LIVE_ENTRY, error: null },
        { handle: 'nobody_has_this', status: 'absent', account: null, error: null },
      ],
    },
  },
  handler: async (request) => {
    const { body, services } = request;
    const readAtMs: number[] = [];
    const call = batchCall(request);
    const items = await Promise.all(
      body.handles.map(async (handle, i): Promise<Item> => {
        try {
          const key = await xKey(services, handle, `body.handles.${i}`);
          const name = key.by === 'handle' ? key.value : handle;
          const live = await services.live.read('x', addressOf(key), call);
          readAtMs.push(live.observedAtMs);
          if (live.reading.status === 'absent')
            return { handle: name, status: 'absent', account: null, error: null };
          const known = await services.entries.find(key);
          return { handle: name, status: 'ok', account: liveEntryOf(key, live, known), error: null };
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          const { code, message, retryAfterS = null } = error;
          return {
            handle,
            status: 'unknown',
            account: null,
            error: { code, message, retry_after_s: retryAfterS },
          };
        }
      }),
    );
    return {
      data: { items },
      source: 'live',
      readAtMs: readAtMs.length === 0 ? null : Math.min(...readAtMs),
      used: items.filter(({ status }) => status !== 'unknown').length,
    };
  },
});
