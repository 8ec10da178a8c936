import { loadEndpoints } from '../../api/endpoints/load-endpoints.ts';
import type { Config } from '../../kernel/config.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Check } from '../../kernel/health-check.ts';
import { createLogger, type Logger } from '../../kernel/logger.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import { tuneHeap } from '../../kernel/process-settings.ts';
import { createPhases } from '../../kernel/start-phases.ts';
import { watchBuilds } from '../../read/active-builds.ts';
import { openHttp, openRegistry } from '../crawler-http.ts';
import { openRuntime } from '../open-runtime.ts';
import { startApi } from '../roles/api.ts';
import type { Listen, Running } from '../roles/lifecycle.ts';
import { startReports } from '../roles/reports.ts';
import { createPeer, type FromApi, PING_MS, Silence, type StartFailure, type ToApi } from './channel.ts';

/** The process of the API: started, stopped and, if it dies, started again by its parent. */

const send = (message: FromApi): boolean => {
  if (process.connected !== true) return false;
  // A parent that has just died is noticed by the disconnection, which ends this process.
  process.send?.(message, undefined, undefined, () => undefined);
  return true;
};

/** Silence after which the parent is taken to be stopped. */
const STOPPED_MS = 5_000;

/**
 * Notices a parent that does not respond. The parent maintains the read models, revoked keys included, so nothing that
 * relies on them may be served then.
 */
class ParentWatch {
  readonly #silence = new Silence();
  #isSilent = false;

  /** A message has come. */
  heard(): void {
    this.#silence.heard();
    this.#isSilent = false;
  }

  isSilent(): boolean {
    return this.#isSilent;
  }

  begin(logger: Logger): Running {
    const timer = setInterval(() => {
      const was = this.#isSilent;
      this.#isSilent = this.#silence.tick() > STOPPED_MS;
      if (this.#isSilent && !was) {
        logger.error('the main process does not respond; requests are refused until it responds');
      }
    }, PING_MS);
    timer.unref();
    return { stop: async () => clearInterval(timer) };
  }
}

const parent = new ParentWatch();
const parentCheck = (): Check => ({
  name: 'main process',
  ok: !parent.isSilent(),
  detail: parent.isSilent() ? 'does not respond: requests are refused' : 'responds',
  critical: true,
});
/** The latest checks of the parent's components. */
const parts: (() => Check)[] = [parentCheck];
const counted: Metrics[] = [];
const peer = createPeer(
  send,
  () => counted,
  (error) => process.emitWarning(error as Error),
);

const failureOf = (error: unknown): StartFailure => {
  const { message, stack } = error as Error;
  const isPortTaken = (error as { code?: string }).code === 'EADDRINUSE';
  if (!(error instanceof OperatorError)) return { message, stack, isPortTaken };
  return { message, stack, operator: error.code, params: error.params, isPortTaken };
};

tuneHeap();

/** Loaded while the parent opens the database; a failure is one of the start. */
const endpoints = loadEndpoints();
endpoints.catch(() => undefined);

const start = async (config: Config, listen: Listen, projects: boolean): Promise<Running> => {
  const logger = createLogger(config).child({ process: 'api' });
  const phases = createPhases(logger);
  phases.ended('loading of the API and waiting for the database');
  const stack: Running[] = [];
  const stop = async () => {
    for (let part = stack.pop(); part !== undefined; part = stack.pop()) await part.stop();
  };
  try {
    const runtime = await openRuntime(config, 'service', logger, { mayStartWithoutLog: true, phases });
    stack.push({ stop: () => runtime.close() });
    const registry = openRegistry(runtime);
    const builds = await watchBuilds(runtime.db, logger);
    stack.push({ stop: async () => builds.close() });
    const http = await openHttp(runtime, registry);
    stack.push({ stop: () => http.close() });
    const api = await phases.run('server', async () =>
      startApi(runtime, builds, registry, http, listen, {
        processRoles: { projects, parts },
        peerMetrics: { self: 'api', peer: 'main', families: peer.families },
        endpoints: await endpoints,
        isSuspended: () => parent.isSilent(),
      }),
    );
    stack.push(api, startReports(runtime, ['api'], api.counted), parent.begin(logger));
    counted.push(...api.counted);
    send({ type: 'serving', url: api.url });
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

// The parent stops this process in its order; a signal to the whole group must not come before it.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => undefined);
// Without its parent, nothing would ever stop this process or start it again.
process.on('disconnect', () => process.exit(1));

let running: Promise<Running> | undefined;
process.on('message', (message: ToApi) => {
  parent.heard();
  if (message.type === 'ping') send({ type: 'pong' });
  if (peer.receive(message)) return;
  if (message.type === 'checks') {
    parts.splice(0, parts.length, parentCheck, ...message.checks.map((check) => () => check));
  }
  if (message.type === 'start') {
    running = start(message.config, message.listen, message.projects);
    running.catch((error: unknown) => {
      process.exitCode = 1;
      send({ type: 'failed', failure: failureOf(error) });
      process.disconnect?.();
    });
  }
  if (message.type === 'stop') {
    void (async () => {
      await (await running?.catch(() => undefined))?.stop();
      process.exit(0);
    })();
  }
});
