import { z } from 'zod';
import { type LiveCall, wasLimited } from '../../../crawlers/live-read/live-queue.ts';
import { supported } from '../../../crawlers/live-read/reader.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { PLATFORMS, type Platform, platformSchema } from '../../../kernel/platform.ts';
import { isRegistrable } from '../../../platforms/index.ts';
import { itemErrorOf, itemErrorSchema } from '../../contract/answer-errors.ts';
import type { EndpointRequest } from '../../contract/endpoint.ts';
import { addressOf } from '../../contract/live-call.ts';
import { text } from '../../contract/parse-request.ts';
import { maxAgeField, USUAL_MAX_AGE_S } from '../../contract/schemas/tools.ts';
import { inputOf, tool } from './define-tool.ts';

const NOT_KNOWN = [
  'names that a platform keeps for itself or banned, where it has no form that says so: they have no page either',
  'whether a name is still free when it is registered',
];

/** The source of a status. */
const BASES = [
  'registration',
  'account',
  'suspended',
  'deactivated',
  'no_account',
  'unread',
  'grammar',
] as const;

const itemSchema = z
  .object({
    platform: platformSchema,
    handle: z
      .string()
      .nullable()
      .describe('Normalized by the rules of the platform; null if it is not a handle there.'),
    status: z
      .enum(['available', 'taken', 'reserved', 'invalid', 'unknown'])
      .describe(
        'available: the platform’s registration form accepts the name. reserved: the form refuses the name to everyone. invalid: the platform does not register such names, and no old account has this one. unknown: the name has no account, or the platform could not be read; neither proves that a name is free.',
      ),
    basis: z
      .enum(BASES)
      .describe(
        'registration: stated by the registration form. account, suspended, deactivated: an account with this status has the name. no_account: no account has it. unread: nothing could be read. grammar: decided by the platform’s rules for new names.',
      ),
    source: z.enum(['catalog', 'live']).nullable(),
    checked_at: z.iso.datetime().nullable().describe('When the platform was read.'),
    error: itemErrorSchema
      .nullable()
      .describe('Why the platform could not be read; null if it was read or did not have to be.'),
  })
  .meta({ id: 'HandleAvailability' });

type Shown = z.input<typeof itemSchema>;
type Item = Omit<Shown, 'error'>;
type Request = EndpointRequest<unknown, unknown, unknown>;

interface Checked {
  readonly item: Item;
  /** Why the platform could not be read. */
  readonly error: ServiceError | null;
}

/** The error of a read that failed; others are thrown. */
const failureOf = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error;
  throw error;
};

/** The catalog's result, if it is recent enough and says that the name is taken. */
const fromCatalog = async (
  { services, nowMs }: Request,
  platform: Platform,
  handle: string,
  maxAgeS: number,
): Promise<Item | null> => {
  const known = await services.accounts.find({ platform, by: 'handle', value: handle });
  if (known === null || known.status === 'absent') return null;
  if (nowMs - Date.parse(known.observed_at) > maxAgeS * 1_000) return null;
  const basis = known.status === 'suspended' || known.status === 'deactivated' ? known.status : 'account';
  return { platform, handle, status: 'taken', basis, source: 'catalog', checked_at: known.observed_at };
};

/** The result of the platform's registration form; null if it has none, or no result for this name. */
const fromRegistration = async (
  { services }: Request,
  platform: Platform,
  handle: string,
  call: LiveCall,
): Promise<Item | null> => {
  if (services.adapterOf(platform).registration === undefined) return null;
  try {
    const { reading, observedAtMs } = await services.live.readListing(
      platform,
      call,
      ({ registration }, http) => supported(registration).read(handle, http),
    );
    if (reading.status === 'unknown') return null;
    const checked_at = isoOf(observedAtMs);
    return { platform, handle, status: reading.state, basis: 'registration', source: 'live', checked_at };
  } catch (error) {
    failureOf(error);
    return null;
  }
};

/** The result of reading the account with the name. The absence of an account is inconclusive. */
const fromAccount = async (
  { services }: Request,
  platform: Platform,
  handle: string,
  call: LiveCall,
): Promise<Checked> => {
  const key = { platform, by: 'handle', value: handle } as const;
  try {
    const { reading, observedAtMs } = await services.live.read(platform, addressOf(key), call);
    const at = { platform, handle, source: 'live', checked_at: isoOf(observedAtMs) } as const;
    if (reading.status === 'absent')
      return { item: { ...at, status: 'unknown', basis: 'no_account' }, error: null };
    const basis =
      reading.status === 'suspended' || reading.status === 'deactivated' ? reading.status : 'account';
    return { item: { ...at, status: 'taken', basis }, error: null };
  } catch (error) {
    return {
      item: { platform, handle, status: 'unknown', basis: 'unread', source: null, checked_at: null },
      error: failureOf(error),
    };
  }
};

const checkOn = async (
  request: Request,
  platform: Platform,
  text: string,
  maxAgeS: number,
  call: LiveCall,
): Promise<Checked> => {
  const adapter = request.services.adapterOf(platform);
  const handle = (adapter.registration ?? adapter).parseHandle(text);
  if (handle === null)
    return {
      item: { platform, handle, status: 'invalid', basis: 'grammar', source: null, checked_at: null },
      error: null,
    };
  request.services.asked?.({ platform, account: handle });
  const known = await fromCatalog(request, platform, handle, maxAgeS);
  if (known !== null) return { item: known, error: null };
  // The form refuses names that only older accounts have.
  if (!isRegistrable(platform, handle)) {
    const { item, error } = await fromAccount(request, platform, handle, call);
    return item.basis === 'no_account'
      ? { item: { ...item, status: 'invalid', basis: 'grammar' }, error }
      : { item, error };
  }
  const registered = await fromRegistration(request, platform, handle, call);
  return registered === null
    ? fromAccount(request, platform, handle, call)
    : { item: registered, error: null };
};

export default tool({
  operation: 'runHandleAvailability',
  name: 'handle-availability',
  title: 'Whether a name is free',
  description:
    'Whether a handle is taken on each platform, according to its account page or the platform’s registration form. A name is `available` only if the platform itself says so: on X, and on Bluesky below `.bsky.social`. On other platforms, a name without an account is `unknown`, because reserved and banned names have no page either.',
  method: 'The platform’s registration form, else the account page, as in docs/methods/tools.md.',
  platforms: PLATFORMS,
  upstreamReads: 48,
  body: z
    .strictObject({
      handle: text(1, 253).describe('A name, with or without `@`.'),
      platform: platformSchema.optional().describe('One platform, in place of `platforms`.'),
      platforms: z
        .array(platformSchema)
        .min(1)
        .max(PLATFORMS.length)
        .refine((names) => new Set(names).size === names.length, { error: 'each platform once' })
        .meta({ uniqueItems: true })
        .optional()
        .describe('All by default.'),
      max_age_s: maxAgeField.describe(
        'Maximum age, in seconds, of a catalog reading that is used instead of reading the platform; default 86,400.',
      ),
    })
    .refine(({ platform, platforms }) => platform === undefined || platforms === undefined, {
      error: 'at most one of platform and platforms is expected',
    })
    .meta({ not: { required: ['platform', 'platforms'] } }),
  data: { handle: z.string(), items: z.array(itemSchema) },
  errors: [],
  example: {
    body: { handle: 'nasa', platforms: ['x'] },
    data: {
      handle: 'nasa',
      items: [
        {
          platform: 'x',
          handle: 'nasa',
          status: 'taken',
          basis: 'account',
          source: 'catalog',
          checked_at: '2026-11-21T08:16:00.000Z',
          error: null,
        },
      ],
      inputs: [{ input: 'x', observed_at: '2026-11-21T08:16:00.000Z', age_s: 840 }],
      not_known: NOT_KNOWN,
    },
  },
  run: async (body, request, call) => {
    const { handle, platform, max_age_s: maxAgeS = USUAL_MAX_AGE_S } = body;
    const platforms = platform === undefined ? (body.platforms ?? PLATFORMS) : [platform];
    const checked = await Promise.all(
      platforms.map((platform) => checkOn(request, platform, handle, maxAgeS, call)),
    );
    const items = checked.map(({ item }) => item);
    const read = checked.filter(({ item }) => item.basis !== 'grammar');
    const [first] = read.flatMap(({ error }) => error ?? []);
    if (first !== undefined && read.every(({ error }) => error !== null)) throw first;
    const sources = new Set(items.flatMap(({ source }) => source ?? []));
    return {
      result: {
        handle,
        items: checked.map(({ item, error }) => ({ ...item, error: error && itemErrorOf(error) })),
        inputs: items.flatMap(({ platform, checked_at }) =>
          checked_at === null ? [] : [inputOf(platform, Date.parse(checked_at), request.nowMs)],
        ),
        not_known: NOT_KNOWN,
      },
      source:
        sources.size === 2
          ? ('mixed' as const)
          : sources.has('live')
            ? ('live' as const)
            : ('catalog' as const),
      coverage: {
        sampled: items.filter(({ checked_at }) => checked_at !== null).length,
        total: items.length,
        capped: wasLimited(call),
      },
    };
  },
});
