import { startOperations, startStatus } from '../../api/server/operations-server.ts';
import { createHealth, type ProcessRoles } from '../../operations/health/health.ts';
import type { Builds } from '../../read/active-builds.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Listen, Serving } from './lifecycle.ts';

/** Serves health and metrics of a process without the API. */
export const startHealth = async (
  runtime: Runtime,
  builds: Builds,
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
