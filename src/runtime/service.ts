import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from '../crawlers/platforms/registry.ts';
import type { Config } from '../kernel/config/settings.ts';
import { errorMessage } from '../kernel/errors/error-message.ts';
import { OperatorError } from '../kernel/errors/operator-error.ts';
import type { Check } from '../kernel/health-check.ts';
import type { Logger } from '../kernel/logger.ts';
import { projections } from '../projections/registry.ts';
import { type Builds, watchBuilds } from '../read/active-builds.ts';
import { startSupervisedApi } from './api-process/api-process.ts';
import { isNamelessCrawler, openHttp, openRegistry } from './crawler-http.ts';
import { openMessaging } from './messaging.ts';
import { openRuntime, type Runtime } from './open-runtime.ts';
import { ROLES, type Role } from './role-names.ts';
import { startApi } from './roles/api.ts';
import { openRateLimitedHttp, startCrawl } from './roles/crawler.ts';
import { startHealth } from './roles/health-server.ts';
import type { Running, Serving } from './roles/lifecycle.ts';
import { startProjections } from './roles/projector.ts';
import { startRelay } from './roles/relay.ts';

/** A running Sightline. */
export interface Service {
  readonly runtime: Runtime;
  readonly builds: Builds;
  readonly registry: Registry;
  /** URL of the API, or of health alone. */
  readonly url: string;
  /** URL of metrics and health details. */
  readonly operationsUrl: string;
  /** Resolves when the program can't continue: its embedded Postgres has ended. */
  readonly lost: Promise<void>;
  /**
   * Stops gracefully: accepts no new work, finishes or releases what is in flight, closes the log, stops Postgres.
   */
  stop(): Promise<void>;
}

const LOG_INTERVAL_MS = 5_000;

/** Waits until every projection has an active build; hours if a long log has to be processed first. */
const allBuilt = async (
  builds: Builds,
  { url, operationsUrl }: Serving,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> => {
  let loggedAt = Date.now();
  const missing = () =>
    projections.filter(({ name }) => builds.progress(name) === null).map(({ name }) => name);
  while (!signal.aborted && missing().length > 0) {
    if (Date.now() - loggedAt > LOG_INTERVAL_MS) {
      logger.info(
        { missing: missing(), url, health: `${operationsUrl}/readyz` },
        'waiting for the projector role to build the read models',
      );
      loggedAt = Date.now();
    }
    await sleep(50, undefined, { signal });
  }
};

/** Starts a component once the event log is available, unless stopped before. */
const startWhenBack = ({ availability, logger }: Runtime, start: () => Promise<Running>): Running => {
  const stopping = new AbortController();
  const started = availability.untilBack(stopping.signal).then(async () => {
    if (stopping.signal.aborted) return null;
    return start().catch((error: unknown) => {
      logger.error({ err: error }, 'crawlers could not be started; restart the process');
      return null;
    });
  });
  return {
    stop: async () => {
      stopping.abort();
      await (await started)?.stop();
    },
  };
};

/**
 * Starts Sightline: all roles, with the API in a process of its own, or some of them in this process.
 * @param signal aborts the start; what has been started is stopped.
 * @param named the roles of this process; all of them, and the process of the API, by default.
 * @throws {DOMException} AbortError in that case.
 */
export const startService = async (
  config: Config,
  logger: Logger,
  signal: AbortSignal,
  named?: ReadonlySet<Role>,
): Promise<Service> => {
  const roles = named ?? new Set(ROLES);
  // A response must not wait for a page to be parsed or folded.
  const apart = named === undefined;
  const messaging = openMessaging(config, logger);
  // The directory is in Postgres: it can be served while the event log is unavailable.
  const runtime = await openRuntime(config, 'service', logger, { mayStartWithoutLog: roles.has('api') });
  const stack: Running[] = [{ stop: () => runtime.close() }];
  const stop = async () => {
    for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
      await part
        .stop()
        .catch((error) => logger.error({ err: errorMessage(error) }, 'component did not stop cleanly'));
    }
  };
  const listen = { host: config.HOST, port: config.PORT };
  const operationsAt = { host: config.OPERATIONS_HOST, port: config.OPERATIONS_PORT };
  try {
    const registry = openRegistry(config, runtime.asyncCommitDb, logger);
    if (roles.has('crawl') && isNamelessCrawler(config)) {
      logger.warn('crawling without a contact in the user agent; set CRAWLER_CONTACT');
    }
    const builds = await watchBuilds(runtime.db, logger);
    stack.push({ stop: async () => builds.close() });
    const parts: (() => Check)[] = [];
    const duties = { projects: roles.has('project'), parts };
    let serving: Serving | undefined;
    if (!roles.has('api')) {
      serving = await startHealth(runtime, builds, listen, duties, operationsAt);
      stack.push(serving);
    }
    if (roles.has('project')) {
      const projecting = startProjections(runtime, messaging);
      stack.push(projecting);
      parts.push(...projecting.checks);
    }
    if (roles.has('relay') && messaging !== null) {
      const relay = startRelay(runtime, messaging);
      stack.push(relay);
      parts.push(relay.check);
    }
    if (roles.has('api') && apart) {
      serving = await startSupervisedApi(runtime, builds, listen, duties, operationsAt, signal);
      stack.push(serving);
    }
    if (roles.has('api') || roles.has('crawl')) {
      const http = openRateLimitedHttp(runtime, openHttp(config, registry));
      stack.push({ stop: () => http.close() });
      if (roles.has('api') && !apart) {
        serving = await startApi(runtime, builds, registry, http, listen, { duties, operationsAt });
        stack.push(serving);
      }
      await allBuilt(builds, serving as Serving, logger, signal);
      signal.throwIfAborted();
      if (roles.has('crawl')) {
        const start = () => startCrawl(runtime, builds, registry, http);
        stack.push(runtime.availability.isUnavailable() ? startWhenBack(runtime, start) : await start());
      }
    }
    signal.throwIfAborted();
    const { url, operationsUrl } = serving as Serving;
    return { runtime, builds, registry, url, operationsUrl, lost: runtime.databaseLost, stop };
  } catch (error) {
    await stop();
    if ((error as { code?: string }).code === 'EADDRINUSE') {
      const isOperations =
        config.OPERATIONS_PORT !== 0 && (error as { port?: number }).port === config.OPERATIONS_PORT;
      throw new OperatorError(
        'port_taken',
        isOperations
          ? `Port ${config.OPERATIONS_PORT} on ${config.OPERATIONS_HOST} is in use. Choose another with OPERATIONS_PORT.`
          : `Port ${config.PORT} on ${config.HOST} is in use. Choose another with PORT.`,
        { cause: error },
      );
    }
    throw error;
  }
};
