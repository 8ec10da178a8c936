import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { systemClock } from '../../kernel/clock.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { hasHidden, shownIn } from '../../kernel/text.ts';
import { isBuildGone } from '../../read/active-builds.ts';
import type { KnownKey } from '../../read/holders.ts';
import type { ListReads } from '../../read/lists.ts';
import type { Access } from '../../write/access-log.ts';
import { FREE, type Settlement } from '../../write/metering/charges.ts';
import type { IdempotencyStore, IdempotentRequest, ReservedPart } from '../../write/metering/idempotency.ts';
import { type Answer, type Endpoint, type EndpointRequest, readsPlatforms } from '../contract/endpoint.ts';
import { liveCallOf } from '../contract/live-call.ts';
import { createRequestParser, type Input, isExportable, unitsOfRows } from '../contract/parse-request.ts';
import { replaced } from '../contract/visibility.ts';
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
import type { LiveLane } from './live-turns.ts';
import type { Metered, Metering, Work } from './metering.ts';
import type { VisibleTo } from './visible-services.ts';

/** Handles an endpoint's requests, from authorization to the response. */
export class EndpointHandler {
  readonly #endpoint: Endpoint;
  readonly #services: Services;
  readonly #visibleTo: VisibleTo;
  readonly #metering: Metering;
  readonly #parse: ReturnType<typeof createRequestParser>;
  readonly #measure: (ms: number) => void;
  readonly #encode: Services['cursors']['encode'];
  readonly #takesTurns: boolean;
  readonly #metered: Metered;

  /** @param measure observes the duration of a request, in milliseconds. */
  constructor(
    endpoint: Endpoint,
    services: Services,
    visibleTo: VisibleTo,
    metering: Metering,
    measure: (ms: number) => void,
  ) {
    const { operation, meter, upstreamReads = 0 } = endpoint;
    this.#endpoint = endpoint;
    this.#services = services;
    this.#visibleTo = visibleTo;
    this.#metering = metering;
    this.#parse = createRequestParser(endpoint, services.cursors);
    this.#measure = measure;
    this.#encode = services.cursors.encode;
    // Live calls and lists have turns of their own; of a list, only large pages take these.
    this.#takesTurns = !waitsForAdmission(endpoint) && endpoint.sharesQueries !== true;
    this.#metered = {
      operation,
      meter,
      waits: waitsForAdmission(endpoint),
      lane: laneOf(endpoint),
      upstream: upstreamReads,
    };
  }

  // Tracked until it is settled: when a caller leaves or the process stops, the connection ends earlier.
  readonly handle = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    this.#services.intake.track(() => this.#respond(request, reply));

  async #respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.#reuseConnection(request, reply);
    const exchange = this.#accept(request, reply);
    const work = () => this.#execute(exchange);
    const isLarge = exchange.metered.lane === null && unitsOfRows(exchange.input.limit) > 1;
    const envelope = await (this.#takesTurns || isLarge
      ? this.#metering.inTurn(request, isLarge, work)
      : work());
    if (isExportable(this.#endpoint)) reply.header('vary', 'Accept');
    if (request.quota !== null) writeQuotaHeaders(reply.raw, request.quota, request.cost);
    return sendEnvelope(request, reply, envelope);
  }

  /** Keeps the connection open for further requests, now that the body was read completely. */
  #reuseConnection(request: FastifyRequest, reply: FastifyReply): void {
    const isRead = request.raw.complete && hasBody(request.raw);
    if (isRead && !this.#services.intake.isStopping()) reply.removeHeader('connection');
  }

  /** Authorizes and parses a request. @throws {ServiceError} if the key may not call, or the request is invalid. */
  #accept(request: FastifyRequest, reply: FastifyReply): Exchange {
    const { plans } = this.#services;
    const caller = request.caller as KnownKey;
    authorize(plans, caller, this.#endpoint);
    const input = this.#parse(request);
    const liveReason = this.#endpoint.needsLiveRead?.(input) ?? null;
    if (liveReason !== null) authorize(plans, caller, { scope: LIVE_READ, why: liveReason });
    const format = pageFormatOf(request, this.#endpoint);
    return {
      request,
      reply,
      input,
      format,
      metered: liveReason === null ? this.#metered : { ...this.#metered, ...AS_LIVE_READ },
      work: new EndpointWork(this.#endpoint, this.#visibleTo(caller), { request, input, format }),
      idempotent: idempotentRequestOf(request, this.#endpoint),
    };
  }

  /** Executes an accepted request, and then the side effects that it asked for. */
  async #execute(exchange: Exchange): Promise<Envelope> {
    const { idempotent, work } = exchange;
    const answered = idempotent === null ? this.#answer(exchange) : this.#answerOnce(exchange, idempotent);
    const envelope = await answered.catch((error: unknown) => {
      // The request was admitted: what the catalog lacks counts as demand.
      if (error instanceof ServiceError && error.code === 'not_found') work.runEffects();
      throw error;
    });
    work.runEffects();
    return envelope;
  }

  #answer(exchange: Exchange): Promise<Envelope> {
    return this.#run(exchange, async (envelope, part) =>
      isUnchanged(exchange.request, envelope) ? FREE : this.#metering.settle(part),
    );
  }

  /** Executes an idempotent request, or returns the response of its first execution. */
  async #answerOnce(exchange: Exchange, idempotent: IdempotentRequest): Promise<Envelope> {
    const { request, reply } = exchange;
    const claimed = await claimOf(this.#services.answers, idempotent);
    if ('body' in claimed) {
      const refused = await this.#metering.admitUncharged(request, this.#endpoint.operation);
      if (refused !== null) throw refused;
      reply.header('idempotency-replayed', 'true');
      return { body: claimed.body, tag: null, headers: JSON_TYPE };
    }
    const { claim } = claimed;
    return claim === null ? this.#answer(exchange) : this.#executeFirst(exchange, idempotent, claim);
  }

  /** Executes an idempotent request for the first time: its response is stored together with its settlement. */
  async #executeFirst(exchange: Exchange, idempotent: IdempotentRequest, claim: string): Promise<Envelope> {
    const { answers, logger } = this.#services;
    try {
      return await this.#run(exchange, ({ body }, part) => answers.finish(idempotent, claim, body, part));
    } catch (error) {
      // A failed request may be retried with the same key. A claim that can't be dropped now expires.
      await answers
        .drop(idempotent, claim)
        .catch((cause) =>
          logger.warn(
            { request_id: exchange.request.id, err: cause },
            'idempotency claim could not be released',
          ),
        );
      throw error;
    }
  }

  /**
   * Meters a request and does its work.
   * @param settle settles the charge for a response, before it is sent.
   */
  async #run(
    exchange: Exchange,
    settle: (envelope: Envelope, part: ReservedPart | null) => Promise<Settlement>,
  ): Promise<Envelope> {
    const { request, input, metered, work } = exchange;
    const units = unitsOfRows(input.limit);
    const items = this.#endpoint.items?.(input) ?? (units > 1 ? units : undefined);
    let envelope: Envelope | undefined;
    const settleAnswer = (answer: Answer<string>, part: ReservedPart | null) => {
      envelope = this.#envelope(exchange, answer);
      return settle(envelope, part);
    };
    await this.#metering.run(request, metered, work, settleAnswer, items);
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
}

/** A request on its way through an endpoint. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly input: Input;
  /** Null for JSON. */
  readonly format: PageFormat | null;
  readonly metered: Metered;
  readonly work: EndpointWork;
  /** Null without an Idempotency-Key. */
  readonly idempotent: IdempotentRequest | null;
}

/** The turns of an endpoint's live calls; null if they read no platform. */
export const laneOf = (endpoint: Pick<Endpoint, 'meter' | 'upstreamReads' | 'tool'>): LiveLane | null => {
  if (!readsPlatforms(endpoint)) return null;
  return endpoint.tool === undefined ? 'read' : 'tool';
};

/** Whether an endpoint's work waits for its admission; a look-up runs beside it. */
const waitsForAdmission = (endpoint: Endpoint): boolean =>
  endpoint.list || endpoint.usesReadQueue === true || readsPlatforms(endpoint);

/** For look-ups, which may run for a request that is then rejected: they must not take turns in the queue. */
const NO_QUEUE: ListReads = {
  any: async () => {
    throw new Error('a look-up may not use the read queue: the endpoint has to set `usesReadQueue`');
  },
};

/** The work of an endpoint for one request, and the side effects that it asks for. */
class EndpointWork implements Work {
  readonly #endpoint: Endpoint;
  readonly #format: PageFormat | null;
  readonly #services: Services;
  readonly #request: Omit<EndpointRequest<unknown, unknown, unknown>, 'liveCall'>;
  /** Live calls or catalog reads of the request. */
  readonly #items: number;
  readonly #effects: (() => void)[] = [];
  readonly #warnings = new Set<string>();
  /** Accounts that the request asks for, once each. */
  readonly #asked = new Map<string, Access>();

  constructor(
    endpoint: Endpoint,
    { services, visible }: ReturnType<VisibleTo>,
    { request, input, format }: { request: FastifyRequest; input: Input; format: PageFormat | null },
  ) {
    const caller = request.caller as KnownKey;
    const { requests_per_minute } = planOf(services.plans, caller) ?? services.plans.default;
    this.#endpoint = endpoint;
    this.#format = format;
    this.#services = services;
    this.#items = endpoint.items?.(input) ?? 1;
    this.#request = {
      params: input.params,
      query: input.query,
      body: input.body,
      services:
        services.accessLog === null
          ? services
          : replaced(services, {
              asked: ({ platform, account }) =>
                this.#asked.set(`${platform}:${account}`, {
                  platform,
                  account,
                  holder: caller.holder,
                  operation: endpoint.operation,
                }),
            }),
      visible,
      queuedReads: waitsForAdmission(endpoint)
        ? services.queuedReads.of(caller.holder, requests_per_minute)
        : NO_QUEUE,
      requestId: request.id,
      caller,
      nowMs: systemClock.now(),
      after: input.after,
      isFromNow: input.isFromNow,
      limit: input.limit,
      afterAdmission: (effect) => this.#effects.push(effect),
      warn: (warning) => this.#warnings.add(warning),
    };
  }

  // Serialized as part of the work: a result that can't be serialized is a failure, free of charge.
  readonly answer = async (): Promise<Answer<string>> => {
    const answer = await this.#handle().finally(this.recordAsked);
    const rows = this.#endpoint.list ? (answer.data as readonly unknown[]).length : 0;
    return this.#serialized(
      unitsOfRows(this.#request.limit) > 1 ? { ...answer, used: unitsOfRows(rows) } : answer,
    );
  };

  readonly fromCatalog = async (): Promise<Answer<string> | null> => {
    const found = await this.#inBuild(
      async () => (await this.#endpoint.fromCatalog?.({ ...this.#started(), queuedReads: NO_QUEUE })) ?? null,
    );
    if (found === null) return null;
    await this.recordAsked();
    return this.#serialized(found);
  };

  /** Keeps who asked for whom, before the answer is sent. */
  readonly recordAsked = async (): Promise<void> => {
    await this.#services.accessLog?.record([...this.#asked.values()]);
    this.#asked.clear();
  };

  /** Runs the side effects: the request was admitted. */
  readonly runEffects = (): void => {
    for (const effect of this.#effects.splice(0)) effect();
  };

  #serialized(answer: Answer<unknown>): Answer<string> {
    const written = (data: unknown): string =>
      this.#format === null
        ? JSON.stringify(data)
        : this.#format.text(columnsOf(this.#endpoint), data as readonly Readonly<Record<string, unknown>>[]);
    const text = written(answer.data);
    // Rows may be older than the rules of texts.
    return { ...answer, data: hasHidden(text) ? written(shownIn(answer.data)) : text };
  }

  async #handle(): Promise<Answer<unknown>> {
    const answer = await this.#inBuild(() => this.#endpoint.handler(this.#started()));
    return this.#warnings.size === 0
      ? answer
      : { ...answer, warnings: [...this.#warnings, ...(answer.warnings ?? [])] };
  }

  /** The request as its work begins: it may have waited. */
  #started(): EndpointRequest<unknown, unknown, unknown> {
    const { caller, requestId } = this.#request;
    const call = { holder: caller.holder, requestId };
    return { ...this.#request, liveCall: liveCallOf(this.#endpoint, call, this.#items) };
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

const LIVE_READ = 'accounts:live';
const AS_LIVE_READ = { meter: 'live', waits: true, lane: 'read' } as const;
