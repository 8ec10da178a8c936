import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createMatcher } from '../../kernel/cidr.ts';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import { requestId } from '../../kernel/ids.ts';
import type { KnownKey } from '../../read/holders/keys.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { openApiDocument } from '../contract/openapi/document.ts';
import { capabilitiesEndpoint } from '../endpoints/capabilities.ts';
import { createMetering } from '../pipeline/admission.ts';
import { createAuthThrottle } from '../pipeline/auth-throttle.ts';
import { createAuthenticate } from '../pipeline/authenticate.ts';
import { createEndpointHandler } from '../pipeline/endpoint-handler.ts';
import { errorSender, stamp, toServiceError } from '../pipeline/errors.ts';
import { createMetrics, type Metrics } from '../pipeline/metrics.ts';
import { createRateLimit } from '../pipeline/rate-limit.ts';
import { DOCS_PATHS, registerDocsPage } from '../plugins/docs-page.ts';
import { serveDocument } from '../plugins/documents.ts';
import { registerStatus, STATUS_PATHS } from '../plugins/status.ts';
import type { Services } from '../services.ts';
import { endAfter, hasBody, LIMITS, type Limits, serverOptions } from './connections.ts';
import { answerOddities, refuseMalformed } from './malformed.ts';
import { createMethods } from './methods.ts';

const BODY_LIMIT = 256 * 1024;
/** Bytes per address and second of the API description and reference, which need no key. */
const DOCUMENT_BYTES = 4 * 1024 * 1024;
const DESCRIPTION = '/v2/openapi.json';

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

const pathOf = (endpoint: Pick<Endpoint, 'path'>): string =>
  `/v2${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`.replace(/(?<=.)\/$/, '');

/** The API without a socket: used by the server, and by tests through `inject`. */
export const createApp = async (
  services: Services,
  endpoints: readonly Endpoint[],
  metrics: Metrics = createMetrics(),
  limits: Limits = LIMITS,
): Promise<FastifyInstance> => {
  const sendFailure = errorSender(services.logger);
  const all = [capabilitiesEndpoint(endpoints, services.plans), ...endpoints];
  const methods = createMethods([
    ...all.map((endpoint) => ({ method: endpoint.method, path: `/v2${endpoint.path}` })),
    ...[DESCRIPTION, ...DOCS_PATHS, ...STATUS_PATHS].map((path) => ({ method: 'GET', path })),
  ]);
  const app = fastify({
    // A logger per request would dominate its cost: log lines carry the request's ID instead.
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    ...serverOptions(limits),
    trustProxy: services.trustedProxies.length === 0 ? false : createMatcher(services.trustedProxies),
    routerOptions: { maxParamLength: 1_024, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => void failEarly(error, request, reply),
    clientErrorHandler: refuseMalformed(methods),
  }) as unknown as FastifyInstance;
  answerOddities(app.server);
  app.removeContentTypeParser('text/plain');
  const metering = createMetering(services.admission, services.charges, services.refusals);

  app.decorateRequest('caller', null);
  app.decorateRequest('quota', null);
  app.decorateRequest('cost', 0);
  app.decorateRequest('startedAt', 0);
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now();
    stamp(request, reply);
    // Until the body was read, a response ends the connection: an endless body would hold it.
    if (hasBody(request.raw)) {
      reply.header('connection', 'close');
      endAfter(request.raw);
    }
    // Before the body is read: GET requests have none.
    if (request.is404) refuseUnknown(request, reply).catch(done);
    else done();
  });
  /** Sends an error. With a valid key it carries quota headers, and is counted as a request. */
  const fail = async (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    let failure = toServiceError(error);
    if (request.caller !== null && request.quota === null && failure.code !== 'service_unavailable') {
      try {
        failure = (await metering.count(request, request.routeOptions.config.operation)) ?? failure;
      } catch (away) {
        failure = toServiceError(away);
      }
    }
    metrics.failed(failure.code);
    return sendFailure(failure, request, reply);
  };

  const authenticate = createAuthenticate(services.keys, createAuthThrottle());
  /** Rejects known rejections before the request is read. */
  const letThrough = (request: FastifyRequest, key: KnownKey): void => {
    request.caller = key;
    metering.rejectKnown(request, request.routeOptions.config.operation);
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
  /**
   * For requests that fail before authentication: if a key was sent, authenticate it, so that the error carries its
   * quota headers; an invalid key gets its own error.
   */
  const recognised = async (request: FastifyRequest): Promise<void> => {
    if (request.headers.authorization !== undefined) request.caller = await authenticate(request);
  };
  const refuseUnknown = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    await recognised(request);
    const allow = methods.allowed(request.url);
    if (allow !== null) {
      reply.header('allow', allow);
      throw new ServiceError('method_not_allowed', `This endpoint accepts ${allow}.`);
    }
    throw new ServiceError('route_not_found', 'There is no such endpoint. `GET /v2/` lists the endpoints.');
  };
  /** The same for errors that Fastify raises before any hook. */
  const failEarly = async (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    Object.assign(request, { caller: null, quota: null, cost: 0 });
    const refused = await recognised(request).then(
      () => null,
      (unrecognised: unknown) => unrecognised,
    );
    return fail(refused ?? error, request, reply);
  };
  app.setErrorHandler(fail);
  app.setNotFoundHandler(refuseUnknown);

  for (const endpoint of all) {
    app.route({
      method: endpoint.method,
      url: pathOf(endpoint),
      config: { operation: endpoint.operation },
      onRequest: authenticated,
      handler: createEndpointHandler(endpoint, services, metering, metrics),
    });
  }
  const documents = createRateLimit(DOCUMENT_BYTES);
  const description = JSON.stringify(openApiDocument(endpoints, services.plans));
  app.get(DESCRIPTION, serveDocument(description, 'application/json; charset=utf-8', documents));
  await registerStatus(app, services.health, [services.metrics, metrics.registry], services.logger, {
    token: services.operationsToken,
  });
  await registerDocsPage(app, documents);
  return app;
};
