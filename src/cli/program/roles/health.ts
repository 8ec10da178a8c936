import { type Server, startOperations } from '../../../api/server.ts';
import type { Builds } from '../../../read/builds.ts';
import { createHealth } from '../health.ts';
import type { Program } from '../open.ts';
import type { Listen, Running } from './running.ts';

/** Serves health and metrics of a process that has no API. */
export const startHealth = async (
  program: Program,
  builds: Builds,
  listen: Listen,
): Promise<Running & Pick<Server, 'url'>> => {
  const { scratch: db, log, metrics, logger } = program;
  const server = await startOperations(createHealth({ log, db, builds }), metrics, logger, listen);
  return { url: server.url, stop: () => server.close() };
};
