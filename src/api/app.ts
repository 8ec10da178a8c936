import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createMatcher } from '../kernel/addresses.ts';
import { Failure } from '../kernel/errors.ts';
import { requestId } from '../kernel/ids.ts';
import type { KnownKey } from '../read/keys.ts';
import { endAfter, hasBody, LIMITS, type Limits, refuseConnection, serverOptions } from './connections.ts';
import type { Endpoint } from './endpoint.ts';
import { createHandler } from './handler.ts';
import { openApiDocument } from './openapi.ts';
import { createMetering } from './plugins/admission.ts';
import { createAuthenticate } from './plugins/auth.ts';
import { serveDocument } from './plugins/documents.ts';
import { createDoorkeeper } from './plugins/doorkeeper.ts';
import { failureFrom, failureSender, stamp } from './plugins/errors.ts';
import { createMetrics, type Metrics } from './plugins/metrics.ts';
import { registerStatus } from './plugins/operations.ts';
import { createRateLimit } from './plugins/rate-limit.ts';
import { registerReference } from './plugins/reference.ts';
import { rootEndpoint } from './root.ts';
import type { Services } from './services.ts';

const BODY_LIMIT = 256 * 1024;
/** Of the API's description and its reference, which need no key: so much for an address in a second. */
const DOCUMENT_BYTES = 4 * 1024 * 1024;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set before anything of the request is parsed. */
    caller: KnownKey | null;
    /** Milliseconds of the process's own clock at which the request came. */
    startedAt: number;
  }
  interface FastifyContextConfig {
    /** The endpoint that a route serves, for the record of usage. */
    operation?: string;
  }
}

const pathOf = (endpoint: Pick<Endpoint, 'path'>): string =>
  `/v2${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`.replace(/(?<=.)\/$/, '');

/** The API without a socket: what the server listens with, and what tests inject into. */
export const createApp = async (
  services: Services,
  endpoints: readonly Endpoint[],
  metrics: Metrics = createMetrics(),
  limits: Limits = LIMITS,
): Promise<FastifyInstance> => {
  const sendFailure = failureSender(services.logger);
  const app = fastify({
    // A logger a request would cost more than the rest of it: what is worth a line is logged with the request's id.
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    ...serverOptions(limits),
    trustProxy: services.trustedProxies.length === 0 ? false : createMatcher(services.trustedProxies),
    routerOptions: { maxParamLength: 1_024, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => void failEarly(error, request, reply),
    clientErrorHandler: (error, socket) => {
      if ((error as NodeJS.ErrnoException).code === 'ERR_HTTP_REQUEST_TIMEOUT') {
        refuseConnection(
          socket,
          '408 Request Timeout',
          'request_timeout',
          'The request did not arrive in time.',
        );
      } else {
        refuseConnection(socket, '400 Bad Request', 'invalid_request', 'This is not a valid HTTP request.');
      }
    },
  }) as unknown as FastifyInstance;
  app.removeContentTypeParser('text/plain');
  const metering = createMetering(services.admission, services.charges, services.refusals);

  app.decorateRequest('caller', null);
  app.decorateRequest('standing', null);
  app.decorateRequest('cost', 0);
  app.decorateRequest('startedAt', 0);
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now();
    stamp(request, reply);
    // Until it has been read: an answer that comes before ends the connection, or a body without end would hold it.
    if (hasBody(request.raw)) {
      reply.header('connection', 'close');
      endAfter(request.raw);
    }
    // Before the body is looked at: whatever it is, there is nothing that it could be for.
    if (request.is404) refuseUnknown(request).catch(done);
    else done();
  });
  /** Answers a failure; a caller with a key is told how its holder stands, which counts as a request. */
  const fail = async (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    let failure = failureFrom(error);
    if (request.caller !== null && request.standing === null && failure.code !== 'service_unavailable') {
      try {
        failure = (await metering.count(request, request.routeOptions.config.operation)) ?? failure;
      } catch (away) {
        failure = failureFrom(away);
      }
    }
    metrics.failed(failure.code);
    return sendFailure(failure, request, reply);
  };

  const authenticate = createAuthenticate(services.keys, createDoorkeeper());
  /** Who is known to be turned away is, before anything of the request is read. */
  const letThrough = (request: FastifyRequest, key: KnownKey): void => {
    request.caller = key;
    metering.turnAway(request, request.routeOptions.config.operation);
  };
  const authenticated = (
    request: FastifyRequest,
    _reply: FastifyReply,
    done: (error?: Error) => void,
  ): void => {
    try {
      const key = authenticate(request);
      if (!(key instanceof Promise)) {
        letThrough(request, key);
        done();
        return;
      }
      key.then((found) => letThrough(request, found)).then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  };
  /** For what needs no key to be refused: who brings one is told how it stands, and a bad one is refused as such. */
  const recognised = async (request: FastifyRequest): Promise<void> => {
    if (request.headers.authorization !== undefined) request.caller = await authenticate(request);
  };
  const refuseUnknown = async (request: FastifyRequest): Promise<never> => {
    await recognised(request);
    throw new Failure('route_not_found', 'There is no such endpoint. `GET /v2/` lists those that there are.');
  };
  /** The same for what Fastify refuses before any hook has run. */
  const failEarly = async (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    Object.assign(request, { caller: null, standing: null, cost: 0 });
    const refused = await recognised(request).then(
      () => null,
      (unrecognised: unknown) => unrecognised,
    );
    return fail(refused ?? error, request, reply);
  };
  app.setErrorHandler(fail);
  app.setNotFoundHandler(refuseUnknown);

  const all = [rootEndpoint(endpoints, services.plans), ...endpoints];
  const methodsOf = new Map<string, Set<string>>();
  for (const endpoint of all) {
    const url = pathOf(endpoint);
    methodsOf.set(url, (methodsOf.get(url) ?? new Set()).add(endpoint.method));
    app.route({
      method: endpoint.method,
      url,
      config: { operation: endpoint.operation },
      onRequest: authenticated,
      handler: createHandler(endpoint, services, metering, metrics),
    });
  }
  methodsOf.set('/v2/openapi.json', new Set(['GET']));
  const documents = createRateLimit(DOCUMENT_BYTES);
  const description = JSON.stringify(openApiDocument(endpoints, services.plans));
  app.get('/v2/openapi.json', serveDocument(description, 'application/json; charset=utf-8', documents));
  for (const [url, methods] of methodsOf) {
    const allow = [...methods]
      .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .join(', ');
    app.route({
      method: METHODS.filter((method) => !methods.has(method)),
      url,
      // Before the body is looked at: whatever it is, the method is wrong.
      onRequest: async (request, reply) => {
        await recognised(request);
        reply.header('allow', allow);
        throw new Failure('method_not_allowed', `This endpoint takes ${allow}.`);
      },
      handler: () => undefined,
    });
  }
  await registerStatus(app, services.health, [services.metrics, metrics.registry], services.logger, {
    token: services.operationsToken,
  });
  await registerReference(app, documents);
  return app;
};
