import type { FastifyReply, FastifyRequest } from 'fastify';
import { systemClock } from '../../kernel/clock.ts';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { KnownKey } from '../../read/holders/keys.ts';
import type { IdempotentRequest } from '../../write/metering/idempotency-store.ts';
import { FREE } from '../../write/metering/part-settlement.ts';
import { type Answer, type Endpoint, readsPlatforms } from '../contract/endpoint.ts';
import { createRequestParser, type Input, isExportable, unitsOfRows } from '../contract/parse-request.ts';
import type { Services } from '../services.ts';
import { authorize } from './authorize.ts';
import { hasBody } from './connections.ts';
import { EndpointWork, waitsForAdmission } from './endpoint-work.ts';
import {
  type Envelope,
  envelopeOf,
  formattedPage,
  isUnchanged,
  JSON_TYPE,
  sendEnvelope,
} from './envelope.ts';
import { claimOf, idempotentRequestOf } from './idempotency.ts';
import type { Metered, Metering, Settle } from './metering.ts';
import type { Metrics } from './metrics.ts';
import { type PageFormat, pageFormatOf } from './page-formats.ts';
import { writeQuotaHeaders } from './quota-headers.ts';

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
    const { operation, meter, sealsCursor = false } = endpoint;
    this.#endpoint = endpoint;
    this.#services = services;
    this.#metering = metering;
    this.#parse = createRequestParser(endpoint, services.cursors);
    this.#measure = metrics.of(operation);
    this.#encode = sealsCursor ? services.cursors.seal : services.cursors.encode;
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
