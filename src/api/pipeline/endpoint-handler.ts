import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import { steadyMs } from '../../kernel/retry.ts';
import { isBuildGone } from '../../read/active-builds.ts';
import type { KnownKey } from '../../read/holders/keys.ts';
import type { ListReads } from '../../read/lists/lists.ts';
import type { IdempotencyStore, IdempotentRequest } from '../../write/metering/idempotency-store.ts';
import { FREE } from '../../write/metering/part-settlement.ts';
import { type Answer, type Endpoint, type EndpointRequest, readsPlatforms } from '../contract/endpoint.ts';
import { createRequestParser, type Input, isExportable, unitsOfRows } from '../contract/parse-request.ts';
import type { Services } from '../services.ts';
import { authorize, planOf } from './access.ts';
import { hasBody } from './connections.ts';
import {
  columnsOf,
  type Envelope,
  envelopeOf,
  formattedPage,
  isUnchanged,
  JSON_TYPE,
  type PageFormat,
  pageFormatOf,
  sendEnvelope,
} from './envelope.ts';
import { writeQuotaHeaders } from './headers.ts';
import type { Metered, Metering, Settle, Work } from './metering.ts';
import type { Metrics } from './metrics.ts';

/** Handles an endpoint's requests, from authorization to the response. */
export class EndpointHandler {
  readonly #endpoint: Endpoint;
  readonly #services: Services;
  readonly #metering: Metering;
  readonly #parse: ReturnType<typeof createRequestParser>;
  readonly #measure: (ms: number) => void;
  readonly #encode: Services['cursors']['encode'];
  readonly #metered: Metered;

  constructor(endpoint: Endpoint, services: Services, metering: Metering, metrics: Metrics) {
    const { operation, meter } = endpoint;
    this.#endpoint = endpoint;
    this.#services = services;
    this.#metering = metering;
    this.#parse = createRequestParser(endpoint, services.cursors);
    this.#measure = metrics.of(operation);
    this.#encode = services.cursors.encode;
    this.#metered = {
      operation,
      meter,
      waits: waitsForAdmission(endpoint),
      reserves: readsPlatforms(endpoint),
    };
  }

  // Counted until it is settled: a caller that leaves, or a stop, ends the connection before that.
  readonly handle = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    this.#services.intake.track(() => this.#respond(request, reply));

  async #respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // The body was read completely: the connection can be reused.
    if (request.raw.complete && hasBody(request.raw) && !this.#services.intake.isStopping())
      reply.removeHeader('connection');
    authorize(this.#services.plans, request.caller as KnownKey, this.#endpoint);
    const input = this.#parse({ params: request.params, query: request.query, body: request.body });
    const why = this.#endpoint.needsLiveRead?.(input) ?? null;
    if (why !== null) authorize(this.#services.plans, request.caller as KnownKey, { scope: LIVE_READ, why });
    const format = pageFormatOf(request, this.#endpoint);
    const work = new EndpointWork(this.#endpoint, this.#services, {
      request,
      input,
      clock: systemClock,
      format,
    });
    const metered = why === null ? this.#metered : { ...this.#metered, ...AS_LIVE_READ };
    const exchange = { request, reply, input, work, metered, format };
    const idempotent = idempotentRequestOf(request, this.#endpoint);
    const answered = idempotent === null ? this.#answer(exchange) : this.#once(exchange, idempotent);
    const envelope = await answered.catch((error: unknown) => {
      // An admitted request for what the catalog lacks.
      if (error instanceof ServiceError && error.code === 'not_found') work.runEffects();
      throw error;
    });
    work.runEffects();
    if (isExportable(this.#endpoint)) reply.header('vary', 'Accept');
    if (request.quota !== null) writeQuotaHeaders(reply.raw, request.quota, request.cost);
    return sendEnvelope(request, reply, envelope);
  }

  #run({ request, input, work, metered }: Exchange, settle: Settle): Promise<Answer<string>> {
    const units = unitsOfRows(input.limit);
    const items = this.#endpoint.items?.(input) ?? (units > 1 ? units : undefined);
    return this.#metering.run(request, metered, work, settle, items);
  }

  async #answer(exchange: Exchange): Promise<Envelope> {
    let envelope: Envelope | undefined;
    await this.#run(exchange, async (answer, part) => {
      envelope = this.#envelope(exchange, answer);
      return isUnchanged(exchange.request, envelope) ? FREE : this.#metering.settle(answer, part);
    });
    return envelope as Envelope;
  }

  #envelope({ request, input, format }: Exchange, answer: Answer<string>): Envelope {
    const { next = null, resumeAt, listCoverage, account } = answer;
    const { list, methodVersion } = this.#endpoint;
    const page = {
      next_cursor: next === null ? null : this.#encode(input.scope, next),
      limit: input.limit,
      ...(resumeAt === undefined ? {} : { resume_cursor: this.#encode(input.scope, resumeAt) }),
      ...(listCoverage === undefined ? {} : { coverage: listCoverage }),
      ...(account === undefined ? {} : { account }),
    };
    const takenMs = performance.now() - request.startedAt;
    this.#measure(takenMs);
    const nowMs = systemClock.now();
    if (format !== null) return formattedPage(format, request.url, answer, nowMs, page);
    const derived =
      methodVersion === undefined
        ? null
        : {
            coverage: answer.coverage ?? null,
            method_version: methodVersion,
            warnings: answer.warnings ?? [],
          };
    return envelopeOf(request.id, answer, { nowMs, takenMs }, list ? page : null, derived);
  }

  /** An idempotent request: executed here, or answered with the first response. */
  async #once(exchange: Exchange, idempotent: IdempotentRequest): Promise<Envelope> {
    const { request, reply } = exchange;
    const { answers } = this.#services;
    const claimed = await claimOf(answers, idempotent);
    if ('body' in claimed) {
      const refused = await this.#metering.count(request, this.#endpoint.operation);
      if (refused !== null) throw refused;
      reply.header('idempotency-replayed', 'true');
      return { body: claimed.body, tag: null, headers: JSON_TYPE };
    }
    const { claim } = claimed;
    return claim === null ? this.#answer(exchange) : this.#first(exchange, idempotent, claim);
  }

  /** The first execution of an idempotent request: its response is stored with the settlement of its charge. */
  async #first(exchange: Exchange, idempotent: IdempotentRequest, claim: string): Promise<Envelope> {
    const { answers, logger } = this.#services;
    let envelope: Envelope | undefined;
    try {
      await this.#run(exchange, (answer, part) => {
        envelope = this.#envelope(exchange, answer);
        return answers.finish(idempotent, claim, envelope.body, part);
      });
    } catch (error) {
      // A failed request may be retried with the same key. If the claim can't be dropped now, it expires.
      await answers
        .drop(idempotent, claim)
        .catch((cause) =>
          logger.warn({ request_id: exchange.request.id, err: cause }, 'idempotency claim not released'),
        );
      throw error;
    }
    return envelope as Envelope;
  }
}

/** Whether an endpoint's work waits for its admission; a look-up runs beside it. */
const waitsForAdmission = (endpoint: Endpoint): boolean =>
  endpoint.list || endpoint.readsLists === true || readsPlatforms(endpoint);

/** What a look-up may not do: it might be running for a request that is rejected. */
const NO_LISTS: ListReads = {
  any: async () => {
    throw new Error('a look-up reads no list: the endpoint has to say `readsLists`');
  },
};

/** The work of an endpoint for one request, and the side effects that it asks for. */
class EndpointWork implements Work {
  readonly #endpoint: Endpoint;
  readonly #format: PageFormat | null;
  readonly #services: Services;
  readonly #asked: Omit<EndpointRequest<unknown, unknown, unknown>, 'lists'>;
  readonly #lists: ListReads;
  readonly #effects: (() => void)[] = [];
  readonly #warnings = new Set<string>();

  constructor(
    endpoint: Endpoint,
    services: Services,
    {
      request,
      input,
      clock,
      format,
    }: { request: FastifyRequest; input: Input; clock: Clock; format: PageFormat | null },
  ) {
    const caller = request.caller as KnownKey;
    const { requests_per_minute } = planOf(services.plans, caller) ?? services.plans.default;
    this.#endpoint = endpoint;
    this.#format = format;
    this.#services = services;
    this.#lists = waitsForAdmission(endpoint)
      ? services.lists.of(caller.holder, requests_per_minute)
      : NO_LISTS;
    this.#asked = {
      params: input.params,
      query: input.query,
      body: input.body,
      services,
      requestId: request.id,
      caller,
      nowMs: clock.now(),
      startedMs: steadyMs(),
      after: input.after,
      isFromNow: input.isFromNow,
      limit: input.limit,
      afterAdmission: (effect) => this.#effects.push(effect),
      warn: (warning) => this.#warnings.add(warning),
    };
  }

  // Serialized as part of the work: a result that can't be serialized is a failure, free of charge.
  readonly answer = async (): Promise<Answer<string>> => {
    const answer = await this.#handle(this.#asked);
    const rows = this.#endpoint.list ? (answer.data as readonly unknown[]).length : 0;
    return this.#written(
      unitsOfRows(this.#asked.limit) > 1 ? { ...answer, used: unitsOfRows(rows) } : answer,
    );
  };

  readonly fromCatalog = async (): Promise<Answer<string> | null> => {
    const found = await this.#inBuild(
      async () => (await this.#endpoint.fromCatalog?.({ ...this.#asked, lists: NO_LISTS })) ?? null,
    );
    return found === null ? null : this.#written(found);
  };

  /** Runs the side effects: the request was admitted. */
  readonly runEffects = (): void => {
    for (const effect of this.#effects.splice(0)) effect();
  };

  #written(answer: Answer<unknown>): Answer<string> {
    const data =
      this.#format === null
        ? JSON.stringify(answer.data)
        : this.#format.text(
            columnsOf(this.#endpoint),
            answer.data as readonly Readonly<Record<string, unknown>>[],
          );
    return { ...answer, data };
  }

  async #handle(asked: Omit<EndpointRequest<unknown, unknown, unknown>, 'lists'>): Promise<Answer<unknown>> {
    const answer = await this.#inBuild(() => this.#endpoint.handler({ ...asked, lists: this.#lists }));
    return this.#warnings.size === 0
      ? answer
      : { ...answer, warnings: [...this.#warnings, ...(answer.warnings ?? [])] };
  }

  /** Retries a read once if its build was dropped meanwhile, in the new build. */
  async #inBuild<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!isBuildGone(error)) throw error;
      await this.#services.builds.refresh();
      this.#effects.length = 0;
      this.#warnings.clear();
      return read();
    }
  }
}

const MAX_CHARACTERS = 255;

/** Length-prefixed parts, so that different requests never concatenate to the same text. */
const fingerprintOf = (parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
};

/**
 * Idempotency data of a POST request; null without the header.
 * @throws {ServiceError} `invalid_request` if the header is empty or too long.
 */
const idempotentRequestOf = (
  request: FastifyRequest,
  { meter }: Pick<Endpoint, 'meter'>,
): IdempotentRequest | null => {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST') return null;
  if (typeof key !== 'string' || key.length === 0 || key.length > MAX_CHARACTERS) {
    throw new ServiceError('invalid_request', 'The Idempotency-Key is malformed.', {
      details: [
        {
          path: 'headers.idempotency-key',
          message: `must have 1 to ${MAX_CHARACTERS} characters, and be given once`,
        },
      ],
    });
  }
  const { holder } = request.caller as KnownKey;
  const fingerprint = fingerprintOf([request.method, request.url, JSON.stringify(request.body ?? null)]);
  return { holder, key, fingerprint, free: meter === 'free' };
};

/**
 * Claims a request: returns the stored response, or the claim if it has to be executed. The claim is null for a
 * free request whose holder's storage is full: nothing is stored for it.
 */
const claimOf = async (
  answers: IdempotencyStore,
  idempotent: IdempotentRequest,
): Promise<{ readonly body: string } | { readonly claim: string | null }> => {
  const claimed = await answers.claim(idempotent);
  switch (claimed.state) {
    case 'claimed':
      return { claim: claimed.claim };
    case 'answered':
      return { body: claimed.body };
    case 'in_flight':
      throw new ServiceError(
        'idempotency_in_flight',
        'The first request with this Idempotency-Key is still in flight.',
      );
    case 'full':
      if (idempotent.free) return { claim: null };
      throw new ServiceError(
        'rate_limited',
        'Too many responses are stored for your Idempotency-Keys: retry later, or without one.',
        { retryAfterS: claimed.freedInS },
      );
    case 'mismatch':
      throw new ServiceError(
        'idempotency_mismatch',
        'This Idempotency-Key was used for another URL or body.',
      );
  }
};

/** A request on its way through an endpoint. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly input: Input;
  readonly work: EndpointWork;
  readonly metered: Metered;
  /** Null for JSON. */
  readonly format: PageFormat | null;
}

const LIVE_READ = 'accounts:live';
const AS_LIVE_READ = { meter: 'live', waits: true, reserves: true } as const;
