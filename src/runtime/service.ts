import type { Config } from '../kernel/config.ts';
import type { Logger } from '../kernel/logger.ts';
import { openDatabase } from '../kernel/postgres/open-database.ts';
import { createPhases, type Phases } from '../kernel/start-phases.ts';
import { forkApi } from './api-process/fork.ts';
import { messagingSettings } from './messaging.ts';
import { ROLES, type Role } from './roles/lifecycle.ts';
import type { Service } from './start-roles.ts';

export type { Service } from './start-roles.ts';

/** A start in progress: the database, the process of the API and the modules of the roles are being loaded. */
export interface StartingService {
  /**
   * Starts the roles.
   * @param config settings of the roles, if some were unknown before; those of the database must be the same.
   * @param signal aborts the start; what has been started is stopped.
   * @throws {DOMException} AbortError in that case.
   */
  start(signal: AbortSignal, config?: Config): Promise<Service>;
  /** Ends what has begun, instead of `start`. */
  cancel(): Promise<void>;
}

/**
 * Begins to start Sightline: all roles, with the API in a process of its own, or some of them in this process. This module
 * imports little, so that the database and the process of the API start while this process loads its roles.
 * @param named the roles of this process; by default all of them, with the API in a process of its own.
 * @throws {OperatorError} for settings that can't be used, before anything is started.
 */
export const prepareService = (
  config: Config,
  logger: Logger,
  named?: ReadonlySet<Role>,
  phases: Phases = createPhases(logger),
): StartingService => {
  phases.ended('loading of the command');
  const kafka = messagingSettings(config);
  // In a process of its own, so that a response never waits for a page to be parsed or an event to be folded.
  const forked = named === undefined ? forkApi(config.SIGHTLINE_HOME) : null;
  const prepared = Promise.allSettled([
    phases.run('database', () => openDatabase(config, 'service', logger)),
    phases.run('loading of the roles', () => import('./start-roles.ts')),
  ]);
  const cancel = async () => {
    forked?.child.kill('SIGKILL');
    const [database] = await prepared;
    if (database.status === 'fulfilled') await database.value.close();
  };
  return {
    cancel,
    start: async (signal, settled = config) => {
      const [database, modules] = await prepared;
      if (database.status === 'rejected' || modules.status === 'rejected') {
        await cancel();
        throw database.status === 'rejected' ? database.reason : (modules as PromiseRejectedResult).reason;
      }
      const roles = named ?? new Set(ROLES);
      const options = { roles, forked, database: database.value, kafka, phases, signal };
      return modules.value.startRoles(settled, logger, options).catch((error: unknown) => {
        // The roles have closed the database.
        forked?.child.kill('SIGKILL');
        throw error;
      });
    },
  };
};

/** Starts Sightline at once. */
export const startService = (
  config: Config,
  logger: Logger,
  signal: AbortSignal,
  named?: ReadonlySet<Role>,
): Promise<Service> => prepareService(config, logger, named).start(signal);
