import { z } from 'zod';
import { type Sample, sampleOf } from '../../../analysis/sample.ts';
import type { LiveCall } from '../../../crawlers/live-read/live-queue.ts';
import { isoOf } from '../../../kernel/clock.ts';
import { type ErrorCode, ServiceError } from '../../../kernel/errors.ts';
import { formatUsd } from '../../../kernel/money.ts';
import type { Platform } from '../../../kernel/platform.ts';
import type { KnownAccount } from '../../../read/accounts.ts';
import type { FoundEntry } from '../../../read/directory/entry.ts';
import type { Population } from '../../../read/insights/populations.ts';
import {
  accountSource,
  entrySource,
  parseAccountRef,
  renamedTo,
  requireAccount,
} from '../../contract/account-ref.ts';
import { NoSuchAccountError } from '../../contract/answer-errors.ts';
import {
  type Answer,
  type Endpoint,
  type EndpointRequest,
  endpoint,
  type Tool,
} from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import { resultShape } from '../../contract/schemas/tools.ts';

/** A tool's endpoint. Its answers name their inputs with the age of each, and are as old as the oldest. */
export const tool = <Body extends z.ZodType, Data extends z.ZodRawShape>({
  operation,
  description,
  version = FIRST_VERSION,
  body,
  data,
  errors = ['not_found', 'insufficient_data'],
  usesReadQueue = false,
  example,
  run,
  upstreamReads,
  ...listed
}: ToolDefinition<Body, Data>): Endpoint =>
  endpoint({
    operation,
    group: 'tools',
    method: 'POST',
    path: `/tools/${listed.name}`,
    scope: 'tools:run',
    meter: 'live',
    upstreamReads,
    list: false,
    usesReadQueue,
    methodVersion: version,
    tool: listed,
    summary: listed.title,
    description: `${description} Method: ${listed.method}`,
    params: z.strictObject({}),
    query: z.strictObject({}),
    body,
    data: z.object({ ...data, ...resultShape }),
    errors,
    example: { body: example.body, data: example.data as never },
    handler: async (request) => {
      const {
        result,
        source,
        coverage = null,
        warnings = [],
      } = await run(request.body as z.output<Body>, request, request.liveCall).catch(
        async (error: unknown) => {
          if (!(error instanceof NoSuchAccountError)) throw error;
          throw new NoSuchAccountError(error.key, await renamedTo(request.services, error.key));
        },
      );
      const readAtMs = oldestInputMs((result as Result).inputs);
      return figureAnswer({ data: result as never, source, readAtMs, coverage, warnings });
    },
  });

/** An account as a body names it. */
export interface ToolAccount {
  readonly platform: Platform;
  readonly handle: string;
  /** How old its reading may be, in seconds; any age by default. */
  readonly max_age_s?: number | undefined;
}

/** @throws {ServiceError} `insufficient_data` for a reading that is older than the body allows. */
export const checkAge = (
  { nowMs }: Pick<Request, 'nowMs'>,
  { max_age_s: maxAgeS }: Pick<ToolAccount, 'max_age_s'>,
  readMs: number | null,
): void => {
  if (maxAgeS === undefined || readMs === null || nowMs - readMs <= maxAgeS * 1_000) return;
  throw new ServiceError(
    'insufficient_data',
    'The catalog’s reading of the account is older than asked for.',
    {
      details: [
        {
          path: 'body.max_age_s',
          message: `was read ${Math.floor((nowMs - readMs) / 1_000)} s ago, needs ${maxAgeS}; GET /accounts/{platform}/{handle}/live reads it again`,
        },
      ],
    },
  );
};

/** When an account was read, with its followers, which most results rest on: no reading shows each of its other values. */
export const readMsOf = ({ entry, last_seen_at }: FoundEntry): number =>
  Date.parse(entry.measured_at?.followers ?? last_seen_at);

/**
 * An account of the directory.
 * @param path of the handle in the body, for errors.
 * @throws {ServiceError} `invalid_request` for what is no handle of the platform, `not_found` if the catalog has no
 * such account, `insufficient_data` if its reading is too old.
 */
export const findAccount = async (
  request: Request,
  account: ToolAccount,
  path = 'body.handle',
): Promise<FoundEntry> => {
  const ref = parseAccountRef(request.services, account.platform, account.handle, path);
  const found = await requireAccount(request, ref, entrySource(request.services));
  checkAge(request, account, readMsOf(found));
  return found;
};

/** An account that was read, of any platform: LinkedIn has none in the directory. @throws as `findAccount`. */
export const findKnownAccount = (
  request: Request,
  { platform, handle }: ToolAccount,
): Promise<KnownAccount> =>
  requireAccount(
    request,
    parseAccountRef(request.services, platform, handle, 'body.handle'),
    accountSource(request.services),
  );

/** The posts of an account in a window that ends at its last sighting. */
export const readSample = async (
  { services }: Request,
  found: FoundEntry,
  windowDays: number,
): Promise<Sample> => {
  const { posts, span } = await services.digests.of(found.entry);
  const { platform } = found.entry;
  return sampleOf(posts, { platform, anchorMs: Date.parse(found.last_seen_at), windowDays, span });
};

/** An input of a result, as of its oldest reading. */
export const inputOf = (input: string, observedMs: number | null, nowMs: number) => ({
  input,
  observed_at: observedMs === null ? null : isoOf(observedMs),
  age_s: observedMs === null ? null : Math.max(0, Math.floor((nowMs - observedMs) / 1_000)),
});

export const oldestPostMs = ({ ripe }: Sample): number | null =>
  ripe.length === 0 ? null : Math.min(...ripe.map(({ observedMs }) => observedMs));

/** Ladders and laws of a platform's accounts, as of their computation; none before that. */
export const populationInput = (population: Population | null, nowMs: number): readonly Input[] =>
  population === null ? [] : [inputOf('population', Date.parse(population.counts.computed_at), nowMs)];

/** The input that a sample of the platform's accounts is, with its time; none without a sample. */
export const drawnInput = (
  input: string,
  drawn: { readonly ageMs: number } | null,
  nowMs: number,
): readonly Input[] => (drawn === null ? [] : [inputOf(input, Math.floor(nowMs - drawn.ageMs), nowMs)]);

/** An estimated price in micro-dollars as exact decimal text of dollars. */
export const usdText = (micro: number): string =>
  formatUsd(BigInt(Math.round(Number(Math.max(LEAST_MICRO, micro).toPrecision(SIGNIFICANT)))));

const FIRST_VERSION = '1';

type Result = z.input<z.ZodObject<typeof resultShape>>;

/** A tool: its endpoint without the fields that all tools share. */
interface ToolDefinition<Body extends z.ZodType, Data extends z.ZodRawShape> extends Tool {
  readonly operation: string;
  readonly description: string;
  /** Version of its method, incremented whenever its results change; `1` by default. */
  readonly version?: string;
  readonly body: Body;
  /** Fields of the result, beside those of every tool. */
  readonly data: Data;
  readonly errors?: readonly ErrorCode[];
  readonly upstreamReads: number;
  /** As of `Endpoint`. */
  readonly usesReadQueue?: boolean;
  readonly example: { readonly body: unknown; readonly data: z.input<z.ZodObject<Data>> & Result };
  readonly run: (
    body: z.output<Body>,
    request: EndpointRequest<unknown, unknown, unknown>,
    /** The call for reading platforms, with as many requests as the tool states. */
    call: LiveCall,
  ) => Promise<{
    readonly result: z.input<z.ZodObject<Data>> & Result;
    /** `catalog` by default. */
    readonly source?: Answer<unknown>['source'];
    readonly coverage?: Answer<unknown>['coverage'];
    readonly warnings?: readonly string[];
  }>;
}

type Request = EndpointRequest<unknown, unknown, unknown>;

/** The oldest of the inputs that were read. */
const oldestInputMs = (inputs: readonly { readonly observed_at: string | null }[]): number | null => {
  const times = inputs.flatMap(({ observed_at }) => (observed_at === null ? [] : [Date.parse(observed_at)]));
  return times.length === 0 ? null : Math.min(...times);
};

type Input = ReturnType<typeof inputOf>;

/** Digits of an estimated price: more would claim more. */
const SIGNIFICANT = 3;
/** No estimate is below a cent. */
const LEAST_MICRO = 10_000;
