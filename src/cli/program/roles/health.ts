import { startOperations, startStatus } from '../../../api/server.ts';
import type { Builds } from '../../../read/builds.ts';
import { createHealth, type Duties } from '../health.ts';
import type { Program } from '../open.ts';
import type { Listen, Serving } from './running.ts';

/** Serves health and metrics of a process that has no API. */
export const startHealth = async (
  program: Program,
  builds: Builds,
  listen: Listen,
  duties: Omit<Duties, 'serves'>,
  operationsAt: Listen,
): Promise<Serving> => {
  const { scratch: db, log, metrics, logger, config } = program;
  const health = createHealth({ log, db, builds, duties: { serves: false, ...duties } });
  const access = { token: config.OPERATIONS_TOKEN };
  const status = await startStatus(health, [metrics], logger, listen, access);
  const operations = await startOperations(health, [metrics], logger, operationsAt, access).catch(
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
