import { z } from 'zod';
import type { LiveCall } from '../../../crawlers/live-read/live-queue.ts';
import type { LiveReading } from '../../../crawlers/live-read/port.ts';
import { x } from '../../../platforms/x.ts';
import type { AccountKey } from '../../../read/accounts.ts';
import { accountSource, parseAccountRef, refIn, resolveAccount } from '../../contract/account-ref.ts';
import { itemErrorOf, itemErrorSchema } from '../../contract/answer-errors.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { addressOf } from '../../contract/live-call.ts';
import { EXAMPLE_LIVE_ENTRY, liveEntrySchema } from '../../contract/schemas/scrape.ts';
import type { Services } from '../../services.ts';
import { liveEntryOf } from './live-answers.ts';

const MAX_HANDLES = 50;

const itemSchema = z.object({
  handle: z.string().describe('Normalized handle; unchanged if it is an ID or not a handle of X.'),
  status: z
    .enum(['ok', 'absent', 'unknown'])
    .describe('absent: proven not to exist. unknown: not read, and not charged.'),
  account: liveEntrySchema.nullable(),
  error: itemErrorSchema.nullable(),
});

type Item = z.input<typeof itemSchema>;

const textOf = ({ by, value }: AccountKey): string => `${by}:${value}`;

const profileOf = ({ reading }: LiveReading) => ('profile' in reading ? reading.profile : null);

/**
 * Whether a reading by one name also answers for another name, which the catalog may wrongly attribute to the same
 * account.
 */
const isOf = (live: LiveReading, { by, value }: AccountKey): boolean => {
  const profile = profileOf(live);
  return profile !== null && value === (by === 'id' ? profile.id : x.parseHandle(profile.handle));
};

/** Reads of a batch: an account that several of its texts name is read once. */
const createReads = (services: Services, call: LiveCall) => {
  const reads = new Map<string, { readonly key: AccountKey; readonly live: Promise<LiveReading> }>();
  const read = (name: string, key: AccountKey) => {
    const known = reads.get(name) ?? { key, live: services.live.read('x', addressOf(key), call) };
    reads.set(name, known);
    return known;
  };
  // The ID is null if the catalog does not know it.
  return async (key: AccountKey, id: string | null): Promise<LiveReading> => {
    const name = textOf(key);
    const first = read(id === null ? name : `id:${id}`, key);
    const live = await first.live.catch((error: unknown) => {
      if (textOf(first.key) === name) throw error;
      return null;
    });
    if (live !== null && (textOf(first.key) === name || isOf(live, key))) return live;
    return read(`own:${name}`, key).live;
  };
};

interface Answered {
  readonly key: AccountKey;
  /** As the catalog has it: of an account that is not shown, its reading has none. */
  readonly id: string | null;
  readonly live: LiveReading;
}

/** How many accounts were read: those of one ID are one. */
const countAccounts = (answered: readonly Answered[]): number =>
  new Set(
    answered.map(({ key, id: known, live }) => {
      const profile = profileOf(live);
      const id = profile === null ? known : profile.id;
      return id === null ? textOf(key) : `id:${id}`;
    }),
  ).size;

export default endpoint({
  operation: 'scrapeXUsers',
  group: 'scrape',
  method: 'POST',
  path: '/scrape/x/users',
  scope: 'scrape:live',
  meter: 'live',
  upstreamReads: 12,
  list: false,
  summary: 'Read up to 50 accounts of X',
  description:
    'Reads accounts from X for this request, each a live call of its own. An item that could not be read, or is not a handle of X, gets the status `unknown` and an error, and is refunded; the other items are not affected. An account named by several items is read and charged once. The batch must fit into the plan’s live calls per minute: a plan with 20 per minute allows at most 20 items. The time limit is 10 s per item, from its first request, and 60 s per batch.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    handles: z
      .array(
        z
          .string()
          .describe(
            'A handle as `@<handle>`, an ID as `id:<id>`, or either without its prefix. Any other text is answered with an error.',
          ),
      )
      .min(1)
      .max(MAX_HANDLES),
  }),
  items: ({ body }) => {
    const refs = body.handles.flatMap((text) => refIn(x, text) ?? []);
    return Math.max(1, new Set(refs.map((ref) => JSON.stringify(ref))).size);
  },
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
    const answered: Answered[] = [];
    const read = createReads(services, request.liveCall);
    const items = await Promise.all(
      body.handles.map(async (handle, i): Promise<Item> => {
        try {
          const ref = parseAccountRef(services, 'x', handle, `body.handles.${i}`);
          const asked = await resolveAccount(services, ref, accountSource(services));
          const { key } = asked;
          const id = asked.is === 'known' ? asked.found.native_id : null;
          const live = await read(key, id);
          const name = key.by === 'handle' ? key.value : handle;
          const account = live.reading.status === 'absent' ? null : await liveEntryOf(services, key, live);
          answered.push({ key, id, live });
          return { handle: name, status: account === null ? 'absent' : 'ok', account, error: null };
        } catch (error) {
          return { handle, status: 'unknown', account: null, error: itemErrorOf(error) };
        }
      }),
    );
    return {
      data: { items },
      source: 'live',
      readAtMs: answered.length === 0 ? null : Math.min(...answered.map(({ live }) => live.observedAtMs)),
      used: countAccounts(answered),
    };
  },
});
