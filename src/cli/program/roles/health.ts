import { type Server, startOperations } from '../../../api/server.ts';
import type { Builds } from '../../../read/builds.ts';
import { createHealth, type Duties } from '../health.ts';
import type { Program } from '../open.ts';
import type { Listen, Running } from './running.ts';

/** Serves health and metrics of a process that has no API. */
export const startHealth = async (
  program: Program,
  builds: Builds,
  listen: Listen,
  duties: Omit<Duties, 'serves'>,
): Promise<Running & Pick<Server, 'url'>> => {
  const { scratch: db, log, metrics, logger } = program;
  const server = await startOperations(
    createHealth({ log, db, builds, duties: { serves: false, ...duties } }),
    metrics,
    logger,
    listen,
  );
  return { url: server.url, stop: () => server.close() };
};
