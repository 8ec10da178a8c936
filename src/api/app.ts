import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Failure } from '../kernel/errors.ts';
import { requestId } from '../kernel/ids.ts';
import type { KnownKey } from '../read/keys.ts';
import type { Endpoint } from './endpoint.ts';
import { createInput } from './input.ts';
import { openApiDocument } from './openapi.ts';
import { admit } from './plugins/admission.ts';
import { authenticate } from './plugins/auth.ts';
import { sendAnswer } from './plugins/envelope.ts';
import { failureSender, stamp } from './plugins/errors.ts';
import { createMetrics, type Metrics } from './plugins/metrics.ts';
import { registerOperations } from './plugins/operations.ts';
import { registerReference } from './plugins/reference.ts';
import { rootEndpoint } from './root.ts';
import type { Services } from './services.ts';

const BODY_LIMIT = 256 * 1024;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set before anything of the request is parsed. */
    caller: KnownKey | null;
    /** Milliseconds of the process's own clock at which the request came. */
    startedAt: number;
  }
}

const pathOf = (endpoint: Pick<Endpoint, 'path'>): string =>
  `/v2${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`.replace(/(?<=.)\/$/, '');

/** Everything of one endpoint's requests between authentication and the answer. */
const createHandler = (endpoint: Endpoint, services: Services, metrics: Metrics) => {
  const parse = createInput(endpoint, services.cursors);
  const measure = metrics.of(endpoint.operation);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = request.caller as KnownKey;
    admit(caller, endpoint);
    const input = parse({ params: request.params, query: request.query, body: request.body });
    const answer = await endpoint.handler({
      params: input.params,
      query: input.query,
      body: input.body,
      services,
      requestId: request.id,
      caller,
      nowMs: Date.now(),
      after: input.after,
      limit: input.limit,
    });
    const { next } = answer;
    const list = endpoint.list
      ? { next_cursor: next == null ? null : services.cursors.encode(input.scope, next), limit: input.limit }
      : null;
    const taken = performance.now() - request.startedAt;
    measure(taken);
    return sendAnswer(
      request,
      reply,
      answer,
      { startedAt: request.startedAt, nowMs: Date.now(), taken },
      list,
    );
  };
};

/** The API without a socket: what the server listens with, and what tests inject into. */
export const createApp = async (
  services: Services,
  endpoints: readonly Endpoint[],
): Promise<FastifyInstance> => {
  const sendFailure = failureSender(services.logger);
  const app = fastify({
    // A logger a request would cost more than the rest of it: what is worth a line is logged with the request's id.
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: 1_024, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => void sendFailure(error, request, reply),
    clientErrorHandler: (_error, socket) => {
      const body = JSON.stringify({
        error: {
          code: 'invalid_request',
          message: 'This is not a valid HTTP request.',
          request_id: requestId(),
        },
      });
      if (!socket.writable) return;
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    },
  }) as unknown as FastifyInstance;
  app.removeContentTypeParser('text/plain');
  const metrics = createMetrics();

  app.decorateRequest('caller', null);
  app.decorateRequest('startedAt', 0);
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now();
    stamp(request, reply);
    done();
  });
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    sendFailure(
      new Failure('route_not_found', 'There is no such endpoint. `GET /v2/` lists those that there are.'),
      request,
      reply,
    ),
  );

  const authenticated = (
    request: FastifyRequest,
    _reply: FastifyReply,
    done: (error?: Error) => void,
  ): void => {
    try {
      const key = authenticate(request, services.keys);
      if (!(key instanceof Promise)) {
        request.caller = key;
        done();
        return;
      }
      key.then((found) => {
        request.caller = found;
        done();
      }, done);
    } catch (error) {
      done(error as Error);
    }
  };

  const all = [rootEndpoint(endpoints), ...endpoints];
  const methodsOf = new Map<string, Set<string>>();
  for (const endpoint of all) {
    const url = pathOf(endpoint);
    methodsOf.set(url, (methodsOf.get(url) ?? new Set()).add(endpoint.method));
    app.route({
      method: endpoint.method,
      url,
      onRequest: authenticated,
      handler: createHandler(endpoint, services, metrics),
    });
  }
  const document = openApiDocument(endpoints);
  methodsOf.set('/v2/openapi.json', new Set(['GET']));
  app.get('/v2/openapi.json', (_request, reply) => reply.send(document));
  for (const [url, methods] of methodsOf) {
    const allow = [...methods]
      .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .join(', ');
    app.route({
      method: METHODS.filter((method) => !methods.has(method)),
      url,
      // Before the body is looked at: whatever it is, the method is wrong.
      onRequest: (_request, reply, done) => {
        reply.header('allow', allow);
        done(new Failure('method_not_allowed', `This endpoint takes ${allow}.`));
      },
      handler: () => undefined,
    });
  }
  await registerOperations(app, services, metrics);
  await registerReference(app);
  return app;
};
