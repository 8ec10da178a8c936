import { setTimeout as sleep } from 'node:timers/promises';
import { startOperations, startStatus } from '../api/server/listen.ts';
import type { Registry } from '../crawlers/platforms/registry.ts';
import type { Config } from '../kernel/config.ts';
import { errorMessage, OperatorError } from '../kernel/errors.ts';
import type { Check } from '../kernel/health-check.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { OpenDatabase } from '../kernel/postgres/open-database.ts';
import { unresponsive } from '../kernel/postgres/unresponsive.ts';
import { steadyMs } from '../kernel/retry.ts';
import type { Phases } from '../kernel/start-phases.ts';
import { createHealth, type ProcessRoles } from '../operations/health/health.ts';
import { checkMirror } from '../operations/subjects/ledger-file.ts';
import { reapplyErasures } from '../operations/subjects/reapply.ts';
import { listBuilds, progressOf } from '../projections/builds/builds.ts';
import { lendOlderBuilds } from '../projections/builds/stand-ins.ts';
import { projections } from '../projections/registry.ts';
import { type WatchedBuilds, watchBuilds } from '../read/active-builds.ts';
import type { KafkaSettings } from '../write/messaging/kafka/index.ts';
import { describeListener, type ForkedApi } from './api-process/fork.ts';
import { startSupervisedApi } from './api-process/supervise.ts';
import { isNamelessCrawler, openHttp, openRegistry } from './crawler-http.ts';
import { openMessaging } from './messaging.ts';
import { openRuntime, type Runtime } from './open-runtime.ts';
import { startAlarms } from './roles/alarms.ts';
import { startConsoleRole } from './roles/console.ts';
import { startCrawl } from './roles/crawler.ts';
import { startErasures } from './roles/erasures.ts';
import type { Listen, Role, Running, Serving } from './roles/lifecycle.ts';
import { startProjections } from './roles/projector.ts';
import { startRelay } from './roles/relay.ts';
import { startReports } from './roles/reports.ts';
import { startResearch } from './roles/research.ts';

/** Why a service ends by itself, for a log line. */
interface Lost {
  readonly about: Readonly<Record<string, string>>;
  readonly reason: string;
}

/** A running Sightline. */
export interface Service {
  readonly runtime: Runtime;
  readonly builds: WatchedBuilds;
  readonly registry: Registry;
  /** URL of the API, or of health alone. */
  readonly url: string;
  /** URL of metrics and health details. */
  readonly operationsUrl: string;
  /** Where browsers reach the console; null if this process does not serve it. */
  readonly consoleOrigin: string | null;
  /** Resolves with the reason when the program can't continue: its embedded Postgres has ended, or its clock is wrong. */
  readonly lost: Promise<Lost>;
  /**
   * Stops gracefully: accepts no new work, finishes or releases what is in flight, closes the log, stops Postgres.
   * @throws {OperatorError} if Postgres does not respond. What waits for it stays open: the process has to end.
   */
  stop(): Promise<void>;
}

export interface RolesOptions {
  readonly roles: ReadonlySet<Role>;
  /** The process of the API; null if this process serves the API itself, or not at all. */
  readonly forked: ForkedApi | null;
  readonly database: OpenDatabase;
  readonly kafka: KafkaSettings | null;
  readonly phases: Phases;
  /** Aborts the start; what has been started is stopped. */
  readonly signal: AbortSignal;
}

/** Starts the roles of a process on an open database, which it closes when it stops or fails. */
export const startRoles = async (
  config: Config,
  logger: Logger,
  { roles, forked, database, kafka, phases, signal }: RolesOptions,
): Promise<Service> => {
  // The directory is in Postgres: it can be served while the event log is unavailable.
  const mayStartWithoutLog = roles.has('api');
  const runtime = await openRuntime(config, 'service', logger, { mayStartWithoutLog, database, phases });
  const stack: Running[] = [{ stop: () => runtime.close() }];
  /** The API and the crawlers. They stop concurrently, since each waits for its work in flight. */
  const together: Running[] = [];
  const stopped = (part: Running) =>
    part
      .stop()
      .catch((error) => logger.error({ err: errorMessage(error) }, 'component did not stop cleanly'));
  const stop = async () => {
    await Promise.all(together.splice(0).map(stopped));
    for (let part = stack.pop(); part !== undefined; part = stack.pop()) await stopped(part);
  };
  const listen = { host: config.HOST, port: config.PORT };
  const operationsAt = { host: config.OPERATIONS_HOST, port: config.OPERATIONS_PORT };
  try {
    const messaging = await openMessaging(kafka, logger);
    const registry = openRegistry(runtime);
    if (roles.has('crawl') && isNamelessCrawler(config)) {
      logger.warn('crawling without a contact in the user agent; set CRAWLER_CONTACT');
    }
    await checkMirror(runtime);
    const erased = await phases.run('erasures', () =>
      reapplyErasures(runtime, { signal, onProgress: () => undefined }),
    );
    if (erased > 0) {
      logger.info({ erasures: erased }, 'erasures were applied to a restored log');
      await runtime.fence.refresh();
    }
    await phases.run('older builds', () => lendOlderBuilds(runtime.db, logger, projections));
    const builds = await watchBuilds(runtime.db, logger);
    stack.push({ stop: async () => builds.close() });
    const parts: (() => Check)[] = [runtime.disk.check];
    const processRoles = { projects: roles.has('project'), parts };
    let serving: Serving | undefined;
    const counted: Metrics[] = [];
    if (!roles.has('api')) {
      serving = await startHealth(runtime, builds, listen, processRoles, operationsAt);
      stack.push(serving);
    }
    if (roles.has('project')) {
      const projecting = startProjections(runtime, messaging);
      stack.push(projecting, startErasures(runtime));
      parts.push(...projecting.checks);
    }
    if (roles.has('relay') && messaging !== null) {
      const relay = startRelay(runtime, messaging);
      stack.push(relay);
      parts.push(relay.check);
    }
    if (roles.has('research')) {
      const research = startResearch(runtime);
      stack.push(research);
      parts.push(research.check);
    }
    const reported = [...roles].filter(
      (role) => (role !== 'api' || forked === null) && (role !== 'relay' || messaging !== null),
    );
    let consoleOrigin: string | null = null;
    if (roles.has('console')) {
      const running = await startConsoleRole(runtime, builds, registry);
      stack.push(running);
      consoleOrigin = running.origin;
    }
    stack.push(startReports(runtime, reported, counted, consoleOrigin), await startAlarms(runtime, builds));
    if (forked !== null) {
      serving = await phases.run('API', () =>
        startSupervisedApi(forked, runtime, builds, listen, processRoles, operationsAt, signal),
      );
      together.push(serving);
    }
    if (roles.has('api') || roles.has('crawl')) {
      const http = await openHttp(runtime, registry);
      stack.push({ stop: () => http.close() });
      if (roles.has('api') && forked === null) {
        const { startApi } = await import('./roles/api.ts');
        const api = await startApi(runtime, builds, registry, http, listen, { processRoles, operationsAt });
        counted.push(...api.counted);
        serving = api;
        together.push(serving);
      }
      const present = serving as Serving;
      await phases.run('first builds of the read models', () => allBuilt(runtime, builds, present, signal));
      signal.throwIfAborted();
      if (roles.has('crawl')) {
        const start = () => startCrawl(runtime, builds, registry, http);
        together.push(runtime.availability.isUnavailable() ? startWhenBack(runtime, start) : await start());
      }
    }
    signal.throwIfAborted();
    phases.ended('start');
    const { url, operationsUrl } = serving as Serving;
    const lost = Promise.race([
      runtime.databaseLost.then((postgres) => ({
        about: { postgres },
        reason: 'the embedded Postgres ended unexpectedly; Sightline is stopping. Start it again to recover',
      })),
      runtime.clockLost.then((reason) => ({ about: {}, reason })),
      runtime.fence.lost.then((reason) => ({ about: {}, reason })),
    ]);
    const stopOrEnd = () => stopUnlessItHangs(database.url, stop);
    return { runtime, builds, registry, url, operationsUrl, consoleOrigin, lost, stop: stopOrEnd };
  } catch (error) {
    await stop();
    throw await startError(error, config);
  }
};

/** Serves health and metrics of a process without the API. */
export const startHealth = async (
  runtime: Runtime,
  builds: WatchedBuilds,
  listen: Listen,
  processRoles: Omit<ProcessRoles, 'serves'>,
  operationsAt: Listen,
): Promise<Serving> => {
  const { asyncCommitDb: db, log, metrics, logger, config } = runtime;
  const health = createHealth({ log, db, builds, processRoles: { serves: false, ...processRoles } });
  const access = { token: config.OPERATIONS_TOKEN };
  const status = await startStatus(health, { own: [metrics] }, logger, listen, access);
  const operations = await startOperations(health, { own: [metrics] }, logger, operationsAt, access).catch(
    async (error: unknown) => {
      await status.close();
      throw error;
    },
  );
  return {
    url: status.url,
    operationsUrl: operations.url,
    stop: async () => {
      await Promise.all([status.close(), operations.close()]);
    },
  };
};

const LOG_INTERVAL_MS = 5_000;
const LOOK_MS = 50;

/** Waits until every projection has an active build, which takes hours for a long log. */
const allBuilt = async (
  { db, log, logger }: Runtime,
  builds: WatchedBuilds,
  { url, operationsUrl }: Serving,
  signal: AbortSignal,
): Promise<void> => {
  let loggedAt = steadyMs();
  const missing = () =>
    projections.filter(({ name }) => builds.progress(name) === null).map(({ name }) => name);
  while (!signal.aborted && missing().length > 0) {
    if (steadyMs() - loggedAt > LOG_INTERVAL_MS) {
      logger.info(
        { missing: missing(), building: await inProgress(db, log), url, health: `${operationsUrl}/readyz` },
        'waiting for the role project to build the read models',
      );
      loggedAt = steadyMs();
    }
    await sleep(LOOK_MS, undefined, { signal });
  }
};

/** The builds in progress; none if the log is unavailable. */
const inProgress = async (db: Runtime['db'], log: Runtime['log']) => {
  const head = await log.head().catch(() => null);
  if (head === null) return [];
  const building = (await listBuilds(db)).filter(({ status }) => status === 'building');
  return building.map((build) => {
    const { done, leftS } = progressOf(build, head);
    return { schema: build.schema, done: Math.round(done * 100) / 100, left_s: leftS };
  });
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

/** Stops, unless the database hangs: the stop would then wait forever. @throws {OperatorError} `database_unusable` */
const stopUnlessItHangs = async (url: string, stop: () => Promise<void>): Promise<void> => {
  const stopped = new AbortController();
  const hangs = unresponsive(url, stopped.signal).then(() => {
    throw new OperatorError(
      'database_unusable',
      'Postgres does not respond: Sightline ends without waiting for it. Nothing is lost; the next start recovers.',
    );
  });
  await Promise.race([stop(), hangs]).finally(() => stopped.abort());
};

/** Settings of the ports that a process listens on, and of their hosts. */
const LISTENERS = [
  ['PORT', 'HOST'],
  ['OPERATIONS_PORT', 'OPERATIONS_HOST'],
  ['CONSOLE_PORT', 'CONSOLE_HOST'],
] as const;

/** The error of a failed start; one with a remedy if a port is in use. */
const startError = async (error: unknown, config: Config): Promise<unknown> => {
  if ((error as { code?: string }).code !== 'EADDRINUSE') return error;
  const taken = (error as { port?: number }).port;
  const [setting, hostSetting] =
    LISTENERS.find(([name]) => config[name] !== 0 && config[name] === taken) ?? LISTENERS[0];
  const { [setting]: port, [hostSetting]: host } = config;
  const listener = await describeListener(port);
  const by = listener === null ? '' : ` by ${listener}`;
  return new OperatorError(
    'port_taken',
    `Port ${port} on ${host} is in use${by}. Choose another with ${setting}.`,
    { cause: error },
  );
};
