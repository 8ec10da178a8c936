import { startOperations } from '../../api/server/operations-server.ts';
import type { Check } from '../../kernel/health-check.ts';
import { createHealth } from '../../operations/health/health.ts';
import type { Builds } from '../../read/active-builds.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Listen, Serving } from '../roles/lifecycle.ts';
import { openReplica } from '../roles/replica.ts';
import type { ForkedApi } from './fork.ts';
import { startApiProcess } from './supervise.ts';

/**
 * The API in a supervised process of its own, and the operations endpoints of both in this one: health and metrics
 * stay available while the other process is started again.
 * @param forked the process of the API, which waits to be started.
 * @param processRoles other roles of this process.
 */
export const startSupervisedApi = async (
  forked: ForkedApi,
  runtime: Runtime,
  builds: Builds,
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
