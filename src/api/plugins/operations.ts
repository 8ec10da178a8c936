import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';
import { messageOf } from '../../kernel/errors.ts';
import { projections } from '../../projections/registry.ts';
import type { Services } from '../services.ts';
import type { Metrics } from './metrics.ts';

/** A projection that is further behind than this makes the process not ready. */
const MOST_LAG_EVENTS = 50_000n;
/** Nor is one whose checkpoint stands still for so long while there is something to fold. */
const MOST_STILL_MS = 60_000;
const ASK_MS = 3_000;

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

const within = async <T>(promise: Promise<T>): Promise<T> => {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${ASK_MS} ms`)), ASK_MS).unref();
  });
  return Promise.race([promise, late]);
};

const lagOf = (
  services: Services,
  projection: string,
  head: bigint,
): Check & { readonly lag: bigint | null } => {
  const progress = services.builds.progress(projection);
  const name = `projection ${projection}`;
  if (progress === null) return { name, ok: false, detail: 'not built yet', lag: null };
  const per = services.health.positionsPerEvent;
  // Rounded up: what is behind by less than an event is still behind.
  const lag = head > progress.position ? (head - progress.position + per - 1n) / per : 0n;
  const still = lag > 0n && Date.now() - progress.movedAtMs > MOST_STILL_MS;
  const detail = `${per === 1n ? '' : 'about '}${lag} events behind`;
  return { name, ok: lag <= MOST_LAG_EVENTS && !still, detail, lag };
};

const readiness = async (services: Services): Promise<{ ready: boolean; checks: Check[] }> => {
  const checks: Check[] = [];
  let head: bigint | null = null;
  try {
    await within(services.builds.refresh());
    checks.push({ name: 'database', ok: true, detail: 'answers' });
  } catch (error) {
    services.logger.warn({ err: messageOf(error) }, 'not ready: the database does not answer');
    checks.push({ name: 'database', ok: false, detail: 'does not answer' });
  }
  try {
    head = await within(services.health.head());
    checks.push({ name: 'event log', ok: true, detail: `at position ${head}` });
  } catch (error) {
    services.logger.warn({ err: messageOf(error) }, 'not ready: the event log does not answer');
    checks.push({ name: 'event log', ok: false, detail: 'does not answer' });
  }
  if (head !== null) {
    for (const projection of projections) {
      const { name, ok, detail } = lagOf(services, projection.name, head);
      checks.push({ name, ok, detail });
    }
  }
  return { ready: checks.every((check) => check.ok), checks };
};

/** `/livez`, `/readyz`, `/metrics`: for those who run the process; no key. */
export const registerOperations = async (
  app: FastifyInstance,
  services: Services,
  metrics: Metrics,
): Promise<void> => {
  new Gauge({
    name: 'sightline_projection_lag_events',
    help: 'Events that a projection has not folded yet.',
    labelNames: ['projection'],
    registers: [metrics.registry],
    async collect() {
      const head = await within(services.health.head()).catch(() => null);
      this.reset();
      if (head === null) return;
      for (const { name } of projections) {
        const { lag } = lagOf(services, name, head);
        if (lag !== null) this.set({ projection: name }, Number(lag));
      }
    },
  });
  app.get('/livez', async () => ({ alive: true }));
  app.get('/readyz', async (_request, reply) => {
    const state = await readiness(services);
    return reply
      .code(state.ready ? 200 : 503)
      .header('retry-after', state.ready ? '0' : '2')
      .send(state);
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
};
