import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Gauge, Registry } from 'prom-client';
import { ERRORS, type ErrorCode } from '../../kernel/errors.ts';
import { requestId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { type Metrics, type PeerMetrics, renderMetrics } from '../../kernel/metrics.ts';
import { OWN_ALARMS } from '../../operations/health/alarms.ts';
import { type Health, lagOf, readinessOf, UNPARTITIONED, within } from '../../operations/health/health.ts';
import { MEASURES } from '../../operations/health/measures.ts';
import { projections } from '../../projections/registry.ts';
import { bearerToken } from '../pipeline/access.ts';
import { headerFault, refuseMalformed } from '../pipeline/connections.ts';
import { createMethods } from '../pipeline/methods.ts';
import { createRateLimit, throttled } from './throttle.ts';

/** Access to operational details. */
export interface Access {
  /** Bearer token; without one, operations ports are open and the API's port is closed. */
  readonly token?: string | undefined;
}

/** The metrics that `/metrics` returns. */
export interface Counted {
  /** Registries of the process and its components, including later ones. */
  readonly own: readonly Metrics[];
  /** Metrics of the other process, if the API has a process of its own. */
  readonly peer?: PeerMetrics | undefined;
}

export const STATUS_PATHS = ['/livez', '/readyz', '/metrics'] as const;

/** Methods of a status-only server, for its 404 and 405 responses. */
const methods = createMethods(STATUS_PATHS.map((path) => ({ method: 'GET', path })));

/** Response of a status-only server to malformed requests. */
export const refuseMalformedStatus = refuseMalformed(methods);

/** Response of a status-only server to other paths and methods. */
export const refuseElse = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const allow = methods.allowed(request.url);
  return allow === null
    ? refuse(reply, 404, 'route_not_found', ERRORS.route_not_found.title)
    : refuse(reply.header('allow', allow), 405, 'method_not_allowed', `This endpoint accepts ${allow}.`);
};

/** Hook of a status-only server: refuses what the API refuses before it looks at a path. */
export const refuseFaulty = async (
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> => {
  const fault = headerFault(request.raw);
  return fault === null ? undefined : refuse(reply, 400, fault.code, fault.message);
};

/** `/livez`, `/readyz` and `/metrics` on the operations port. */
export const registerOperations = (
  app: FastifyInstance,
  health: Health,
  counted: Counted,
  logger: Logger,
  { token }: Access = {},
): Promise<void> =>
  routes(app, health, counted, logger, (request) => token === undefined || hasToken(request, token));

/** The same endpoints on a public port. Without the token they show only liveness and readiness. */
export const registerStatus = (
  app: FastifyInstance,
  health: Health,
  counted: Counted,
  logger: Logger,
  { token }: Access,
): Promise<void> =>
  routes(app, health, counted, logger, (request) => token !== undefined && hasToken(request, token));

/** Gauges that are collected on scrape. */
const gaugesOf = (health: Health, isReady: () => Promise<boolean>): Registry => {
  const metrics = new Registry();
  const head = () => within(health.head()).catch(() => null);
  new Gauge({
    name: 'sightline_projection_lag_events',
    help: 'Events in the log that a projection has not processed yet.',
    labelNames: ['projection'],
    registers: [metrics],
    async collect() {
      const at = await head();
      this.reset();
      if (at === null) return;
      const lags = await Promise.all(
        projections.map(async ({ name }) => ({
          name,
          lag: await lagOf(health, name, at).then(
            ({ lag }) => lag,
            () => null,
          ),
        })),
      );
      for (const { name, lag } of lags) if (lag !== null) this.set({ projection: name }, Number(lag));
    },
  });
  new Gauge({
    name: 'sightline_projection_stalled',
    help: '1 while a projection, or one of its partitions, is stalled at an event that it cannot apply.',
    labelNames: ['projection', 'partition'],
    registers: [metrics],
    async collect() {
      const stalls = await within(health.stalls()).catch(() => null);
      this.reset();
      if (stalls === null) return;
      const stalled = new Set(stalls.map(({ projection }) => projection));
      for (const { name } of projections)
        if (!stalled.has(name)) this.set({ projection: name, partition: UNPARTITIONED }, 0);
      for (const { projection, partition } of stalls) this.set({ projection, partition }, 1);
    },
  });
  new Gauge({
    name: 'sightline_projection_parked_streams',
    help: 'Streams in the dead-letter queue of a projection.',
    labelNames: ['projection'],
    registers: [metrics],
    async collect() {
      const parked = await within(health.parked()).catch(() => null);
      this.reset();
      if (parked === null) return;
      for (const { name } of projections) this.set({ projection: name }, 0);
      for (const { projection, streams } of parked) this.set({ projection }, streams);
    },
  });
  new Gauge({
    name: 'sightline_relay_lag_events',
    help: 'Events in the log that the relay has not published to Kafka yet; absent before the first run of the relay.',
    registers: [metrics],
    async collect() {
      const [at, relayed] = await Promise.all([head(), within(health.relayed()).catch(() => null)]);
      // `reset` would export 0.
      this.remove({});
      if (at === null || relayed === null) return;
      this.set(Number((await within(health.eventsBetween(relayed, at))).events));
    },
  });
  registerMeasures(metrics, health);
  new Gauge({
    name: 'sightline_ready',
    help: '1 if the process is ready, as `/readyz` says.',
    registers: [metrics],
    async collect() {
      this.set((await isReady()) ? 1 : 0);
    },
  });
  return metrics;
};

/** What the service measures of itself every 15 s. What can't be read has no value, and `sightline_measure_readable` says so. */
const registerMeasures = (metrics: Registry, health: Health): void => {
  // The gauges of a collection ask once.
  const read = throttled(() => within(health.evaluation()).catch(() => undefined), ...METRICS_PER_SECOND);
  const last = async () => (await read()) ?? null;
  new Gauge({
    name: 'sightline_measures_readable',
    help: '1 if this process can read what the service measures of itself.',
    registers: [metrics],
    async collect() {
      this.set((await read()) === undefined ? 0 : 1);
    },
  });
  new Gauge({
    name: 'sightline_measures_age_seconds',
    help: 'Time since the service measured itself.',
    registers: [metrics],
    async collect() {
      const found = await last();
      this.remove({});
      if (found !== null) this.set(found.age_s);
    },
  });
  new Gauge({
    name: 'sightline_measure_readable',
    help: '1 if the values of a measure could be read.',
    labelNames: ['measure'],
    registers: [metrics],
    async collect() {
      const found = await last();
      this.reset();
      for (const { name } of found === null ? [] : MEASURES)
        this.set({ measure: name }, found?.measures[name] == null ? 0 : 1);
    },
  });
  new Gauge({
    name: 'sightline_alarms',
    help: 'Alarms that are raised, by name.',
    labelNames: ['alarm', 'severity'],
    registers: [metrics],
    async collect() {
      const found = await last();
      this.reset();
      if (found === null) return;
      for (const { name, severity } of OWN_ALARMS)
        this.set({ alarm: name, severity }, found.alarms.filter(({ alarm }) => alarm === name).length);
    },
  });
  for (const { name, help, label, shownBy } of MEASURES) {
    if (shownBy !== undefined) continue;
    new Gauge({
      name: `sightline_${name}`,
      help,
      labelNames: label === null ? [] : [label],
      registers: [metrics],
      async collect() {
        const values = (await last())?.measures[name] ?? [];
        this.reset();
        if (label === null) this.remove({});
        for (const { subject, value } of values) this.set(label === null ? {} : { [label]: subject }, value);
      },
    });
  }
};

/** Requests per address and second. */
const MAX_REQUESTS = 60;
const READINESS_PER_SECOND = 5;
/** Collecting metrics takes tens of milliseconds. */
const METRICS_PER_SECOND = [1, 2] as const;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a request has the token; compared in constant time. */
const hasToken = (request: FastifyRequest, token: string): boolean => {
  const sent = bearerToken(request.headers.authorization ?? '');
  return timingSafeEqual(sha256(sent), sha256(token));
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
  counted: Counted,
  logger: Logger,
  maySeeDetails: (request: FastifyRequest) => boolean,
): Promise<void> => {
  const limit = createRateLimit(MAX_REQUESTS);
  const readiness = throttled(() => readinessOf(health, logger), READINESS_PER_SECOND);
  const gauges = gaugesOf(health, async () => (await readiness()).ready);
  const metrics = throttled(
    async () => ({
      type: gauges.contentType,
      text: await renderMetrics(counted.own, [gauges], counted.peer),
    }),
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
      .send(maySeeDetails(request) ? state : { ready: state.ready });
  });
  app.get(counts, { onRequest }, async (request, reply) => {
    if (!maySeeDetails(request)) {
      return refuse(
        reply.header('www-authenticate', 'Bearer'),
        401,
        'key_invalid',
        'Metrics are available on the operations port, or with OPERATIONS_TOKEN.',
      );
    }
    const { type, text } = await metrics();
    return reply.type(type).send(text);
  });
};
