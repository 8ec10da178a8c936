import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge } from 'prom-client';
import { OperatorError } from '../../kernel/errors.ts';
import type { Check } from '../../kernel/health-check.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { PeerMetrics } from '../../kernel/metrics.ts';
import { runInBackground, runInForeground } from '../../kernel/process-settings.ts';
import { backoffMs, RESTART_BACKOFF } from '../../kernel/retry.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Listen, Running } from '../roles/lifecycle.ts';
import { type ForkedApi, forkApi } from './fork.ts';
import type { FromApi, StartFailure, ToApi } from './messages.ts';
import { endOrphan, rememberApi } from './orphan.ts';
import { createPeer } from './peer.ts';
import { Watchdog } from './watchdog.ts';

/** The API in a process of its own. */
export interface ApiProcess extends Running {
  readonly url: string;
  /** Whether it responds, which it is asked. */
  readonly check: () => Promise<Check>;
  readonly peerMetrics: PeerMetrics;
}

/** How often the process is sent the checks of this one. */
const CHECKS_MS = 500;
/** Time for its stop: requests in flight get 4 s of it. */
const STOP_MS = 6_500;
/** After so long, a process that ends counts as a first failure. */
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
  // A failure is that of a process that has just ended.
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
 * Starts the API in a child process, and starts it again when it dies or hangs, on the same port.
 * @param forked the first child, whose modules may be loaded by now.
 * @param parts checks of this process's components, which the API's readiness includes.
 * @throws what the first start throws.
 */
export const startApiProcess = async (
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
    help: 'Times the process of the API ended and was started again.',
    registers: [metrics],
  });
  // The embedded Postgres is this process's: the other one connects to it like to any database.
  const config = { ...runtime.config, DATABASE_URL: runtime.url };
  let present: Run | null = null;
  let isServing = false;
  let failures = 0;
  new Gauge({
    name: 'sightline_api_process_up',
    help: '1 while the process of the API serves and responds.',
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
    logger.info({ url, pid: begun.child.pid }, 'the API serves, in a process of its own');
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
      logger.error({ reason, delay }, 'the process of the API ended; it is started again');
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
