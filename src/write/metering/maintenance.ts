import { errorMessage } from '../../kernel/errors/error-message.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import type { Plans } from '../holders/plans.ts';
import { type EventLog, LogUnavailableError } from '../log/port.ts';
import { dropExpiredResponses, endIdlePeriods, releaseExpired, settlePeriods } from './billing-periods.ts';

const EVERY_MS = 5_000;
const TURNS_A_MINUTE = 12;

/**
 * Refunds what expired, ends and settles periods, drops old answers. Every process of the API does it; what one has
 * in hand the others pass over.
 * @param schema names the active build of the holders' read model; null where there is none yet.
 */
export const startMaintenance = (options: {
  readonly db: Db;
  readonly log: EventLog;
  readonly schema: () => string | null;
  readonly plans: Plans;
  readonly logger: Logger;
}): { stop(): Promise<void> } => {
  const { db, log, schema, plans, logger } = options;
  let turns = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const turn = async (): Promise<void> => {
    const released = await releaseExpired(db);
    if (released > 0) logger.warn({ released }, 'live calls that nobody finished were refunded');
    const holders = schema();
    if (holders === null || turns++ % TURNS_A_MINUTE !== 0) return;
    await endIdlePeriods(db, holders, plans);
    const settled = await settlePeriods(db, log);
    if (settled > 0) logger.info({ settled }, 'periods were settled');
    await dropExpiredResponses(db);
  };

  const again = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = turn()
        .catch((error) => {
          // That the log is away is said once for the whole process.
          const level = error instanceof LogUnavailableError ? 'debug' : 'warn';
          logger[level]({ err: errorMessage(error) }, 'the upkeep of the metering failed');
        })
        .finally(again);
    }, EVERY_MS);
    timer.unref();
  };

  again();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
};
