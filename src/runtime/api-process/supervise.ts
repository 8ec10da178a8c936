import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge } from 'prom-client';
import { backoffMs, RESTART_BACKOFF } from '../../kernel/backoff.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { Check } from '../../kernel/health-check.ts';
import type { PeerMetrics } from '../../kernel/metrics.ts';
import { runInBackground, runInForeground } from '../../kernel/priority.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Listen, Running } from '../roles/lifecycle.ts';
import { type ForkedApi, forkApi } from './fork.ts';
import type { FromApi, StartFailure, ToApi } from './messages.ts';
import { createPeer } from './peer.ts';

/** The API in a process of its own. */
export interface ApiProcess extends Running {
  readonly url: string;
  readonly check: () => Check;
  readonly peerMetrics: PeerMetrics;
}

/** How often the process is sent the checks of this one. */
const CHECKS_MS = 500;
/** Time for its stop: requests in flight get 5 s. */
const STOP_MS = 15_000;
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
  { child, ended }: ForkedApi,
  start: Extract<ToApi, { type: 'start' }>,
  receive: (message: FromApi) => boolean,
): Run => {
  const serving = new Promise<string>((resolve, reject) => {
    child.on('message', (message: FromApi) => {
      if (receive(message)) return;
      if (message.type === 'serving') resolve(message.url);
      if (message.type === 'failed') reject(errorOf(message.failure));
    });
    void ended.then((reason) =>
      reject(new Error(`the process of the API ended while it started: ${reason}`)),
    );
  });
  serving.catch(() => undefined);
  send(child, start);
  return { child, serving, ended };
};

/**
 * Starts the API in a child process, and starts it again when it dies, on the same port.
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
  const up = new Gauge({
    name: 'sightline_api_process_up',
    help: '1 while the process of the API serves.',
    registers: [metrics],
  });
  const restarts = new Counter({
    name: 'sightline_api_process_restarts_total',
    help: 'Times the process of the API ended and was started again.',
    registers: [metrics],
  });
  // The embedded Postgres is this process's: the other one connects to it like to any database.
  const config = { ...runtime.config, DATABASE_URL: runtime.url };
  let child: ChildProcess | null = null;
  let isServing = false;
  let failures = 0;
  const stopping = new AbortController();
  const peer = createPeer(
    (message) => send(child, message),
    () => [metrics],
    (error) => logger.warn({ err: error }, 'metrics could not be collected'),
  );

  const begin = (at: Listen, process = forkApi()): Run => {
    const begun = run(process, { type: 'start', config, listen: at, projects }, peer.receive);
    child = begun.child;
    void begun.ended.then(() => {
      isServing = false;
      up.set(0);
    });
    return begun;
  };
  const served = async (begun: Run): Promise<string> => {
    const url = await begun.serving;
    isServing = true;
    up.set(1);
    logger.info({ url, pid: begun.child.pid }, 'the API serves, in a process of its own');
    return url;
  };

  const supervise = async (first: Run, at: Listen): Promise<void> => {
    let present = first;
    while (true) {
      const sinceMs = performance.now();
      const reason = await present.ended;
      if (stopping.signal.aborted) return;
      failures = performance.now() - sinceMs > STEADY_MS ? 0 : failures;
      const delay = backoffMs(RESTART_BACKOFF, failures);
      failures += 1;
      logger.error({ reason, delay }, 'the process of the API ended; it is started again');
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      restarts.inc();
      present = begin(at);
      runInForeground(present.child.pid, logger);
      served(present).catch((error: unknown) => logger.error({ err: error }, 'the API could not be started'));
    }
  };

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
    send(child, { type: 'checks', checks: parts.map((part) => part()) });
  }, CHECKS_MS);
  checks.unref();
  return {
    url,
    check: () => ({
      name: 'api',
      ok: isServing,
      detail: isServing ? 'serving' : 'its process ended and is being started again',
      critical: true,
    }),
    peerMetrics: { self: 'main', peer: 'api', families: peer.families },
    stop: async () => {
      stopping.abort();
      clearInterval(checks);
      send(child, { type: 'stop' });
      const late = setTimeout(() => child?.kill('SIGKILL'), STOP_MS);
      await supervising;
      clearTimeout(late);
    },
  };
};
