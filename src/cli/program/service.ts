import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from '../../crawlers/platforms/registry.ts';
import type { Config } from '../../kernel/config.ts';
import { messageOf, UsageError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { projections } from '../../projections/registry.ts';
import { type Builds, watchBuilds } from '../../read/builds.ts';
import { isNamelessCrawler, openHttp, openRegistry } from './http.ts';
import { openProgram, type Program } from './open.ts';
import { openPacedHttp, type Running, startApi, startCrawl, startProjections } from './roles.ts';

/** Sightline, running. */
export interface Service {
  readonly program: Program;
  readonly builds: Builds;
  readonly registry: Registry;
  readonly url: string;
  /** Settles when the program can't go on: its embedded Postgres has ended. */
  readonly lost: Promise<void>;
  /** No new work, what is under way finished or released, the log flushed, Postgres stopped. */
  stop(): Promise<void>;
}

/** Waits until every projection has a build that can be read. */
const allBuilt = async (builds: Builds, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted && projections.some((p) => builds.progress(p.name) === null)) {
    await sleep(50, undefined, { signal });
    await builds.refresh();
  }
};

/**
 * Starts all of Sightline in this process.
 * @param signal given up while it starts, it takes down what it has put up.
 * @throws {DOMException} AbortError, in that case.
 */
export const startService = async (config: Config, logger: Logger, signal: AbortSignal): Promise<Service> => {
  const program = await openProgram(config, 'service', logger);
  const stack: Running[] = [{ stop: () => program.close() }];
  const stop = async () => {
    for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
      await part
        .stop()
        .catch((error) => logger.error({ err: messageOf(error) }, 'a part did not stop cleanly'));
    }
  };
  try {
    const registry = openRegistry(config);
    if (isNamelessCrawler(config)) {
      logger.warn('platforms are read without a contact in the user agent: set CRAWLER_CONTACT');
    }
    const builds = await watchBuilds(program.db, logger);
    stack.push({ stop: async () => builds.close() });
    stack.push(startProjections(program));
    await allBuilt(builds, signal);
    signal.throwIfAborted();
    const http = openPacedHttp(program, openHttp(config, registry));
    stack.push({ stop: () => http.close() });
    const api = await startApi(program, builds, registry, http, { host: config.HOST, port: config.PORT });
    stack.push(api);
    stack.push(await startCrawl(program, builds, registry, http));
    signal.throwIfAborted();
    return { program, builds, registry, url: api.url, lost: program.databaseLost, stop };
  } catch (error) {
    await stop();
    if ((error as { code?: string }).code === 'EADDRINUSE') {
      throw new UsageError(`Port ${config.PORT} on ${config.HOST} is taken. Choose another with PORT.`, {
        cause: error,
      });
    }
    throw error;
  }
};
