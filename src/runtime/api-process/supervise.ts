import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge } from 'prom-client';
import { startOperations } from '../../api/server/listen.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Check } from '../../kernel/health-check.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { PeerMetrics } from '../../kernel/metrics.ts';
import { runInBackground, runInForeground } from '../../kernel/process-settings.ts';
import { backoffMs, RESTART_BACKOFF } from '../../kernel/retry.ts';
import { createHealth } from '../../operations/health/health.ts';
import type { WatchedBuilds } from '../../read/active-builds.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Listen, Running, Serving } from '../roles/lifecycle.ts';
import { openReplica } from '../roles/replica.ts';
import { createPeer, type FromApi, PING_MS, Silence, type StartFailure, type ToApi } from './channel.ts';
import { endOrphan, type ForkedApi, forkApi, rememberApi } from './fork.ts';

/**
 * The API in a supervised process of its own, and the operations endpoints of both in this one: health and metrics
 * stay available while the other process is started again.
 * @param forked the process of the API, which waits to be started.
 * @param processRoles other roles of this process.
 * Decision: `docs/adr/0008-api-process.md`.
 */
export const startSupervisedApi = async (
  forked: ForkedApi,
  runtime: Runtime,
  builds: WatchedBuilds,
  listen: Listen,
  processRoles: { readonly projects: boolean; readonly parts: readonly (() => Check)[] },
  operationsAt: Listen,
  signal: AbortSignal,
): Promise<Serving> => {
  const { config, asyncCommitDb: db, log, logger, metrics } = runtime;
  const api = await startApiProcess(
    forked,
    runtime,
    listen,
    processRoles.projects,
    processRoles.parts,
    signal,
  );
  const stopping = [api.stop];
  const stop = async () => {
    for (const each of stopping.toReversed()) await each();
  };
  try {
    const replica = await openReplica(config, { max: 1, logger, name: 'replica health' });
    if (replica !== null) stopping.push(replica.close);
    const health = createHealth({
      log,
      db,
      builds,
      processRoles: {
        serves: true,
        projects: processRoles.projects,
        parts: [...processRoles.parts, api.check],
      },
      replica: replica ?? undefined,
    });
    const counted = { own: [metrics], peer: api.peerMetrics };
    const operations = await startOperations(health, counted, logger, operationsAt, {
      token: config.OPERATIONS_TOKEN,
    });
    stopping.push(operations.close);
    return { url: api.url, operationsUrl: operations.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** The API in a process of its own. */
interface ApiProcess extends Running {
  readonly url: string;
  /** Pings the process and checks whether it responds. */
  readonly check: () => Promise<Check>;
  readonly peerMetrics: PeerMetrics;
}

/** How often the process is sent the checks of this one. */
const CHECKS_MS = 500;
/** Time for its stop: requests in flight get 4 s of it. */
const STOP_MS = 6_500;
/** A process that ran longer than this before it ended counts as a first failure. */
const STEADY_MS = 60_000;

const errorOf = ({ message, stack, operator, params, isPortTaken }: StartFailure): Error => {
  if (operator !== undefined)
    return new OperatorError(operator, message, params === undefined ? {} : { params });
  const error = Object.assign(new Error(message), isPortTaken ? { code: 'EADDRINUSE' } : {});
  if (stack !== undefined) error.stack = stack;
  return error;
};

/** One run of the process. */
interface Run {
  readonly child: ChildProcess;
  readonly watchdog: Watchdog;
  /** URL of the API. @throws if the process can't serve. */
  readonly serving: Promise<string>;
  readonly ended: Promise<string>;
}

const send = (child: ChildProcess | null, message: ToApi): boolean => {
  if (child?.connected !== true) return false;
  // Sending fails only if the process has just ended.
  child.send(message, () => undefined);
  return true;
};

const run = (
  forked: ForkedApi,
  start: Extract<ToApi, { type: 'start' }>,
  receive: (message: FromApi) => boolean,
  logger: Logger,
): Run => {
  const { child, ended } = forked;
  const watchdog = new Watchdog(forked, () => send(child, { type: 'ping' }), logger);
  const serving = new Promise<string>((resolve, reject) => {
    child.on('message', (message: FromApi) => {
      if (watchdog.receive(message) || receive(message)) return;
      if (message.type === 'serving') {
        watchdog.serving();
        resolve(message.url);
      }
      if (message.type === 'failed') reject(errorOf(message.failure));
    });
    void ended.then((reason) =>
      reject(new Error(`the process of the API ended while it started: ${reason}`)),
    );
  });
  serving.catch(() => undefined);
  send(child, start);
  return { child, watchdog, serving, ended };
};

const checkOf = async (run: Run | null, isServing: boolean): Promise<Check> => {
  const responds = isServing && (await run?.watchdog.responds()) === true;
  const detail = isServing ? 'its process does not respond' : 'its process ended and is being started again';
  return { name: 'api', ok: responds, detail: responds ? 'serving' : detail, critical: true };
};

/**
 * Starts the API in a child process, and restarts it on the same port when it dies or hangs.
 * @param forked the first child, which may have loaded its modules already.
 * @param parts checks of this process's components, which the API's readiness includes.
 * @throws what the first start throws.
 */
const startApiProcess = async (
  forked: ForkedApi,
  runtime: Runtime,
  listen: Listen,
  projects: boolean,
  parts: readonly (() => Check)[],
  signal: AbortSignal,
): Promise<ApiProcess> => {
  const { logger, metrics } = runtime;
  const restarts = new Counter({
    name: 'sightline_api_process_restarts_total',
    help: 'Restarts of the API process after it ended unexpectedly.',
    registers: [metrics],
  });
  // This process owns the embedded Postgres; the other one connects to it like to any database.
  const config = { ...runtime.config, DATABASE_URL: runtime.url };
  let present: Run | null = null;
  let isServing = false;
  let failures = 0;
  new Gauge({
    name: 'sightline_api_process_up',
    help: '1 while the API process serves and responds, else 0.',
    registers: [metrics],
    collect() {
      this.set(isServing && present?.watchdog.isHeard() === true ? 1 : 0);
    },
  });
  const stopping = new AbortController();
  const peer = createPeer(
    (message) => send(present?.child ?? null, message),
    () => [metrics],
    (error) => logger.warn({ err: error }, 'metrics could not be collected'),
  );

  const begin = (at: Listen, process = forkApi(runtime.config.SIGHTLINE_HOME)): Run => {
    rememberApi(runtime.config, process.child.pid as number);
    const begun = run(process, { type: 'start', config, listen: at, projects }, peer.receive, logger);
    present = begun;
    void begun.ended.then(() => {
      isServing = false;
    });
    return begun;
  };
  const served = async (begun: Run): Promise<string> => {
    const url = await begun.serving;
    isServing = true;
    logger.info({ url, child_pid: begun.child.pid }, 'the API is served by a separate process');
    return url;
  };

  const supervise = async (first: Run, at: Listen): Promise<void> => {
    let supervised = first;
    while (true) {
      const sinceMs = performance.now();
      const reason = await supervised.ended;
      if (stopping.signal.aborted) return;
      failures = performance.now() - sinceMs > STEADY_MS ? 0 : failures;
      const delay = backoffMs(RESTART_BACKOFF, failures);
      failures += 1;
      logger.error({ reason, delay }, 'the API process ended; restarting it');
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      restarts.inc();
      supervised = begin(at);
      runInForeground(supervised.child.pid, logger);
      served(supervised).catch((error: unknown) =>
        logger.error({ err: error }, 'the API could not be started'),
      );
    }
  };

  await endOrphan(runtime.config, forked.child.pid, logger);
  const first = begin(listen, forked);
  // Crawling and folding yield to responses.
  runInBackground();
  const kill = () => first.child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const url = await served(first)
    .catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    })
    .finally(() => signal.removeEventListener('abort', kill));
  // A free port that was picked is kept. (A URL does not show port 80.)
  const port = listen.port === 0 ? Number(new URL(url).port) : listen.port;
  const supervising = supervise(first, { ...listen, port });
  const checks = setInterval(() => {
    send(present?.child ?? null, { type: 'checks', checks: parts.map((part) => part()) });
  }, CHECKS_MS);
  checks.unref();
  return {
    url,
    check: () => checkOf(present, isServing),
    peerMetrics: { self: 'main', peer: 'api', families: peer.families },
    stop: async () => {
      stopping.abort();
      clearInterval(checks);
      send(present?.child ?? null, { type: 'stop' });
      present?.watchdog.stopping();
      const late = setTimeout(() => present?.child.kill('SIGKILL'), STOP_MS);
      await supervising;
      clearTimeout(late);
    },
  };
};

/** Silence after which a process that serves is replaced. */
const HUNG_MS = 5_000;
/** The same for a starting process: loading its modules blocks its event loop, for long on a busy machine. */
const STARTING_MS = 60_000;
/** The same for a stopping process, whose container is killed after ten seconds. */
const STOPPING_MS = 2_000;
/** Silence after which the process is not ready. */
const UNREADY_MS = 1_000;

/** Pings the process of the API, and kills it when it is silent for too long. */
class Watchdog {
  readonly #silence = new Silence();
  readonly #ping: () => boolean;
  readonly #timer: NodeJS.Timeout;
  readonly #asking = new Set<() => void>();
  #silentMs = 0;
  #limitMs = STARTING_MS;

  /** @param ping sends a ping; false if the process is not connected. */
  constructor({ child, ended }: ForkedApi, ping: () => boolean, logger: Logger) {
    this.#ping = ping;
    this.#timer = setInterval(() => {
      this.#silentMs = this.#silence.tick();
      if (this.#silentMs > this.#limitMs && child.kill('SIGKILL')) {
        clearInterval(this.#timer);
        logger.error(
          { child_pid: child.pid, silent_ms: Math.round(this.#silentMs) },
          'the API process does not respond; killing it',
        );
      }
      ping();
    }, PING_MS);
    this.#timer.unref();
    void ended.then(() => clearInterval(this.#timer));
    ping();
  }

  /** @returns whether the message was the answer to a ping. */
  receive(message: FromApi): boolean {
    this.#silence.heard();
    this.#silentMs = 0;
    if (message.type !== 'pong') return false;
    for (const answered of this.#asking) answered();
    return true;
  }

  serving(): void {
    this.#limitMs = HUNG_MS;
  }

  stopping(): void {
    this.#limitMs = STOPPING_MS;
  }

  /** Whether the last pings were answered. */
  isHeard(): boolean {
    return this.#silentMs <= UNREADY_MS;
  }

  /** Asks whether the process responds now. */
  responds(): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (responds: boolean) => {
        clearTimeout(late);
        this.#asking.delete(answered);
        resolve(responds);
      };
      const answered = () => settle(true);
      const late = setTimeout(settle, UNREADY_MS, false);
      this.#asking.add(answered);
      if (!this.#ping()) settle(false);
    });
  }
}
