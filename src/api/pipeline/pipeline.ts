import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { Counter, Histogram, Registry } from 'prom-client';
import { ServiceError } from '../../kernel/errors.ts';
import type { KnownKey } from '../../read/holders.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { Services } from '../services.ts';
import { createAuthenticate, createAuthThrottle, planOf } from './access.ts';
import { endAfter, hasBody, headerFault } from './connections.ts';
import { EndpointHandler } from './endpoint-handler.ts';
import { errorSender, stamp, toServiceError } from './errors.ts';
import { type HeaderSink, writePlanHeaders, writeQuotaHeaders } from './headers.ts';
import { Metering } from './metering.ts';
import type { Methods } from './methods.ts';
import { createVisibleServices } from './visible-services.ts';

/** What the steps leave with a request for those after them. */
export const decorateRequests = (app: FastifyInstance): void => {
  app.decorateRequest('caller', null);
  app.decorateRequest('outsider', null);
  app.decorateRequest('quota', null);
  app.decorateRequest('cost', 0);
  app.decorateRequest('startedAt', 0);
};

export const createPipeline = (services: Services, methods: Methods, metrics: Metrics): Pipeline => {
  const metering = new Metering(services);
  const visibleTo = createVisibleServices(services);
  const keyOf = createAuthenticate(services.keys, createAuthThrottle());
  const quotas = new ErrorQuotas(metering, services);
  const sendError = errorSender(services.logger, quotas.write);

  /** Requests whose body is awaited. */
  const receiving = new WeakMap<IncomingMessage, FastifyRequest>();

  const receive: OnRequest = (request, reply, done) => {
    request.startedAt = performance.now();
    stamp(request, reply);
    // Until the body was read, a response ends the connection: an endless body would hold it.
    if (hasBody(request.raw)) {
      receiving.set(request.raw, request);
      reply.header('connection', 'close');
      endAfter(request.raw);
    }
    // The caller's next request should go to another process.
    if (services.intake.isStopping()) reply.header('connection', 'close');
    const fault = headerFault(request.raw);
    if (fault !== null) done(fault);
    else if (request.is404) refuseUnknown(request, reply).catch(done);
    else done();
  };

  /**
   * @param refusal the intake's answer when the request arrived, so that a stop during the look-up of its key does not
   * refuse it.
   */
  const accept = (request: FastifyRequest, key: KnownKey, refusal: ServiceError | null): void => {
    request.caller = key;
    if (refusal !== null) throw refusal;
    metering.rejectKnown(request, request.routeOptions.config.operation);
  };

  // Synchronous for cached keys, since this hook runs for every request.
  const authenticate: OnRequest = (request, _reply, done) => {
    try {
      const refusal = services.intake.refusal();
      const key = keyOf(request);
      if (!(key instanceof Promise)) {
        accept(request, key, refusal);
        done();
        return;
      }
      key.then((found) => accept(request, found, refusal)).then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  };

  /**
   * For requests that fail before authentication: if a key was sent, authenticate it, so that the error carries its
   * quota headers; an invalid key gets its own error.
   */
  const recognize = async (request: FastifyRequest): Promise<void> => {
    if (request.headers.authorization !== undefined) request.caller = await keyOf(request);
  };

  const refuseUnknown = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    await recognize(request);
    const allow = methods.allowed(request.url);
    if (allow !== null) {
      reply.header('allow', allow);
      throw new ServiceError('method_not_allowed', `This endpoint accepts ${allow}.`);
    }
    throw new ServiceError('route_not_found', 'There is no such endpoint. `GET /v2/` lists the endpoints.');
  };

  /** Sends an error. With a valid key it carries quota headers, and is counted as a request. */
  const fail: Pipeline['fail'] = async (error, request, reply) => {
    const failure = await quotas.find(toServiceError(error), request);
    metrics.failed(failure.code);
    return sendError(failure, request, reply);
  };

  const lateHeaders: Pipeline['lateHeaders'] = async (raw) => {
    const request = receiving.get(raw);
    if (request === undefined) return '';
    await quotas.find(new ServiceError('request_timeout', 'The request did not arrive in time.'), request);
    const lines: string[] = [];
    quotas.write(request, { setHeader: (name, value) => lines.push(`${name}: ${value}\r\n`) });
    return lines.join('');
  };

  return {
    receive,
    lateHeaders,
    authenticate,
    refuseUnknown,
    fail,
    failEarly: async (error, request, reply) => {
      Object.assign(request, { caller: null, outsider: null, quota: null, cost: 0 });
      const refused = await recognize(request).then(
        () => null,
        (invalid: unknown) => invalid,
      );
      return fail(refused ?? error, request, reply);
    },
    handlerOf: (endpoint) =>
      new EndpointHandler(endpoint, services, visibleTo, metering, metrics.of(endpoint.operation)).handle,
  };
};

/** Request metrics of the API. */
export const createMetrics = () => {
  const registry = new Registry();
  const seconds = new Histogram({
    name: 'sightline_http_request_duration_seconds',
    help: 'Duration of HTTP requests in seconds, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'sightline_http_request_errors_total',
    help: 'HTTP requests answered with an error, by error code.',
    labelNames: ['code'],
    registers: [registry],
  });
  return {
    registry,
    /** Observer of request durations, in milliseconds, of one operation. */
    of: (operation: string): ((ms: number) => void) => {
      const child = seconds.labels(operation);
      return (ms) => child.observe(ms / 1_000);
    },
    failed: (code: string): void => failures.inc({ code }),
  };
};

export type Metrics = ReturnType<typeof createMetrics>;

/** The quota headers of errors. Every answer to a known key has them, as far as they can be determined. */
class ErrorQuotas {
  readonly #metering: Metering;
  readonly #services: Pick<Services, 'plans' | 'logger'>;

  constructor(metering: Metering, services: Pick<Services, 'plans' | 'logger'>) {
    this.#metering = metering;
    this.#services = services;
  }

  /**
   * Finds the quota for the error of a request with a known key. The request is counted, unless it came from an address
   * that the key does not allow, or the metering is unavailable.
   * @returns the error to send.
   */
  async find(failure: ServiceError, request: FastifyRequest): Promise<ServiceError> {
    const { caller, outsider } = request;
    if (request.quota !== null) return failure;
    if (caller === null) {
      if (outsider !== null) await this.#look(request, outsider);
      return failure;
    }
    if (failure.code === 'service_unavailable') {
      this.#recall(request, caller);
      return failure;
    }
    try {
      return (await this.#metering.admitUncharged(request, request.routeOptions.config.operation)) ?? failure;
    } catch (unavailable) {
      this.#recall(request, caller);
      return toServiceError(unavailable);
    }
  }

  /** Writes the quota, or the plan of a holder whose quota is unknown. */
  readonly write = (request: FastifyRequest, raw: HeaderSink): void => {
    if (request.quota !== null) {
      writeQuotaHeaders(raw, request.quota, 0);
      return;
    }
    const key = request.caller ?? request.outsider;
    const plan = key === null ? null : planOf(this.#services.plans, key);
    if (plan !== null) writePlanHeaders(raw, plan);
  };

  async #look(request: FastifyRequest, outsider: KnownKey): Promise<void> {
    try {
      request.quota = await this.#metering.readQuota(outsider);
    } catch (error) {
      this.#services.logger.warn(
        { request_id: request.id, err: error },
        'quota of a holder could not be read',
      );
      this.#recall(request, outsider);
    }
  }

  /** Uses the last quota that this process has seen. */
  #recall(request: FastifyRequest, key: KnownKey): void {
    const plan = planOf(this.#services.plans, key);
    if (plan !== null) request.quota = this.#metering.lastQuota(key, plan.name);
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated key; set before the request is parsed. */
    caller: KnownKey | null;
    /** Arrival of the request, by the process's monotonic clock in milliseconds. */
    startedAt: number;
  }
  interface FastifyContextConfig {
    /** Operation of the route, for usage records. */
    operation?: string;
  }
}

type OnRequest = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/**
 * The steps of a request, in order. An error of any step goes to `fail`.
 *
 * | step | what it does | where |
 * |---|---|---|
 * | receive | sets request ID, start time and bounds of the connection | here |
 * | route | answers an unknown path or method before its body is read | here, `methods.ts` |
 * | authenticate | finds the key by its hash; throttles addresses that fail repeatedly | `access.ts` |
 * | take in | refuses new work while the process stops or can't account for work | `../intake.ts` |
 * | reject early | refuses holders that were rejected within this minute, from memory | `metering.ts` |
 * | authorize | checks the scopes of the key and the plan of its holder | `access.ts` |
 * | parse | checks parameters, query and body by the endpoint's schemas | `../contract/parse-request.ts` |
 * | claim | executes an Idempotency-Key once and replays its response afterwards | `endpoint-handler.ts` |
 * | admit | checks rate limits, quota, overage and wallet, and charges before the work | `metering.ts` |
 * | execute | runs the endpoint's own handler | `../endpoints/` |
 * | respond | writes the envelope, its tag and the quota headers | `envelope.ts`, `headers.ts` |
 */
interface Pipeline {
  /** Hook of every request. */
  readonly receive: OnRequest;
  /** Hook of the endpoints' requests. */
  readonly authenticate: OnRequest;
  /** From authorization to the response. */
  handlerOf(endpoint: Endpoint): RouteHandlerMethod;
  fail(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** For errors that Fastify raises before any hook. */
  failEarly(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  refuseUnknown(request: FastifyRequest, reply: FastifyReply): Promise<never>;
  /** Header lines of the quota, for a request whose body does not arrive in time; empty if its key is not known. */
  lateHeaders(request: IncomingMessage): Promise<string>;
}
