import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import { requestId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import { gaugesOf } from '../operations/gauges.ts';
import { readinessOf } from '../operations/readiness.ts';
import { sparing } from '../operations/sparing.ts';
import type { Health } from '../services.ts';
import { createRateLimit } from './rate-limit.ts';

/** Who may see how the process does. */
export interface Access {
  /** Whoever brings it; where there is none, whoever reaches a port of operations, and nobody on the API's. */
  readonly token?: string | undefined;
}

/** Requests of an address in a second. */
const MOST_REQUESTS = 60;
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

const refuse = (reply: FastifyReply, status: number, code: string, message: string): FastifyReply =>
  reply.code(status).send({ error: { code, message, request_id: requestId() } });

const routes = async (
  app: FastifyInstance,
  health: Health,
  counted: readonly Metrics[],
  logger: Logger,
  mayAll: (request: FastifyRequest) => boolean,
): Promise<void> => {
  const limit = createRateLimit(MOST_REQUESTS);
  const gauges = gaugesOf(health);
  const readiness = sparing(() => readinessOf(health, logger), READINESS_PER_SECOND);
  const metrics = sparing(
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

  app.get('/livez', async () => ({ alive: true }));
  app.get('/readyz', { onRequest }, async (request, reply) => {
    const state = await readiness();
    return reply
      .code(state.ready ? 200 : 503)
      .header('retry-after', state.ready ? '0' : '2')
      .send(mayAll(request) ? state : { ready: state.ready });
  });
  app.get('/metrics', { onRequest }, async (request, reply) => {
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
