import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import { ERRORS, type ErrorCode } from '../../kernel/errors/codes.ts';
import { requestId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import { createRateLimit } from '../pipeline/rate-limit.ts';
import { refuseMalformed } from '../server/malformed.ts';
import { createMethods } from '../server/methods.ts';
import type { Health } from '../services.ts';
import { gaugesOf } from './gauges.ts';
import { readinessOf } from './readiness.ts';
import { throttled } from './throttled.ts';

/** Who may see how the process does. */
export interface Access {
  /** Whoever brings it; where there is none, whoever reaches a port of operations, and nobody on the API's. */
  readonly token?: string | undefined;
}

export const STATUS_PATHS = ['/livez', '/readyz', '/metrics'] as const;

/** Requests of an address in a second. */
const MAX_REQUESTS = 60;
const READINESS_PER_SECOND = 5;
/** Counting it all up takes tens of milliseconds. */
const METRICS_PER_SECOND = [1, 2] as const;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a request brings the token; in a time that says nothing of it. */
const brings = (request: FastifyRequest, token: string): boolean => {
  const header = request.headers.authorization ?? '';
  const given = header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : '';
  return timingSafeEqual(sha256(given), sha256(token));
};

const refuse = (reply: FastifyReply, status: number, code: ErrorCode, message: string): FastifyReply => {
  const id = requestId();
  return reply
    .code(status)
    .header('x-request-id', id)
    .send({ error: { code, message, request_id: id } });
};

const routes = async (
  app: FastifyInstance,
  health: Health,
  counted: readonly Metrics[],
  logger: Logger,
  mayAll: (request: FastifyRequest) => boolean,
): Promise<void> => {
  const limit = createRateLimit(MAX_REQUESTS);
  const gauges = gaugesOf(health);
  const readiness = throttled(() => readinessOf(health, logger), READINESS_PER_SECOND);
  const metrics = throttled(
    async () => {
      // Parts that start later count too.
      const all = Registry.merge([...counted, gauges]);
      return { type: all.contentType, text: await all.metrics() };
    },
    ...METRICS_PER_SECOND,
  );
  const onRequest = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    if (limit.take(request.ip, 1)) return undefined;
    return refuse(
      reply.header('retry-after', '1'),
      429,
      'rate_limited',
      'Too many requests from your address.',
    );
  };

  const [live, ready, counts] = STATUS_PATHS;
  app.get(live, async () => ({ alive: true }));
  app.get(ready, { onRequest }, async (request, reply) => {
    const state = await readiness();
    return reply
      .code(state.ready ? 200 : 503)
      .header('retry-after', state.ready ? '0' : '2')
      .send(mayAll(request) ? state : { ready: state.ready });
  });
  app.get(counts, { onRequest }, async (request, reply) => {
    if (!mayAll(request)) {
      return refuse(
        reply.header('www-authenticate', 'Bearer'),
        401,
        'key_invalid',
        'Metrics are for those who run this: on the port of operations, or with OPERATIONS_TOKEN.',
      );
    }
    const { type, text } = await metrics();
    return reply.type(type).send(text);
  });
};

/** Of a server that has nothing else: what every other address and method is answered. */
const methods = createMethods(STATUS_PATHS.map((path) => ({ method: 'GET', path })));

/** What of such a server is told to who sends what is no request for any of that. */
export const refuseMalformedStatus = refuseMalformed(methods);

/** The same for what is a request. */
export const refuseElse = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const allow = methods.allowed(request.url);
  return allow === null
    ? refuse(reply, 404, 'route_not_found', ERRORS.route_not_found.title)
    : refuse(reply.header('allow', allow), 405, 'method_not_allowed', `This takes ${allow}.`);
};

/**
 * `/livez`, `/readyz`, `/metrics` on a port of their own, for those who run the process.
 * @param counted what the process and its parts count.
 */
export const registerOperations = (
  app: FastifyInstance,
  health: Health,
  counted: readonly Metrics[],
  logger: Logger,
  { token }: Access = {},
): Promise<void> =>
  routes(app, health, counted, logger, (request) => token === undefined || brings(request, token));

/** The same where everybody can ask: whether it lives and is ready, and no more but with the token. */
export const registerStatus = (
  app: FastifyInstance,
  health: Health,
  counted: readonly Metrics[],
  logger: Logger,
  { token }: Access,
): Promise<void> =>
  routes(app, health, counted, logger, (request) => token !== undefined && brings(request, token));
