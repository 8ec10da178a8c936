import { realMs } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import type { Plans } from '../holders/plans.ts';
import { type EventLog, LogUnavailableError } from '../log/port.ts';
import { endIdlePeriods, releaseExpired, settlePeriods } from './billing-periods.ts';
import { dropExpiredResponses } from './idempotency-expiry.ts';
import { foldUsage, MAX_FOLD_ROWS } from './usage-journal.ts';

const EVERY_MS = 5_000;
const RUNS_PER_MINUTE = 12;
const RUNS_PER_FOLD = 6;
const MIN_FOLD_ROWS = 100;

/**
 * Refunds expired reservations, folds the journal of usage, closes and settles periods, deletes expired responses. Every API process runs it;
 * holders locked by another process are skipped.
 * @param options.schema the active build of the holders' read model; null if there is none yet.
 */
export const startMaintenance = (options: {
  readonly db: Db;
  readonly log: EventLog;
  readonly schema: () => string | null;
  readonly plans: Plans;
  readonly logger: Logger;
}): { stop(): Promise<void> } => {
  const { db, log, schema, plans, logger } = options;
  let runs = 0;
  let runsToFold = 0;
  let foldRows = MAX_FOLD_ROWS;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  /** Smaller steps after a failure, which may be a timeout on a busy server. */
  const fold = async (): Promise<void> => {
    try {
      await foldUsage(db, foldRows, () => stopped);
      foldRows = MAX_FOLD_ROWS;
    } catch (error) {
      // The ledger is complete without it: periods are settled all the same.
      foldRows = Math.max(MIN_FOLD_ROWS, Math.floor(foldRows / 2));
      runsToFold = 0;
      logger.warn({ err: errorMessage(error) }, 'the journal of usage could not be folded');
    }
  };

  const run = async (): Promise<void> => {
    const released = await releaseExpired(db);
    if (released > 0) logger.warn({ released }, 'expired reservations refunded');
    if (runsToFold++ % RUNS_PER_FOLD === 0) await fold();
    const holders = schema();
    if (holders === null || runs++ % RUNS_PER_MINUTE !== 0) return;
    await endIdlePeriods(db, holders, plans);
    const settled = await settlePeriods(db, log);
    if (settled > 0) logger.info({ settled }, 'periods settled');
    await dropExpiredResponses(db);
  };

  const again = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = run()
        .catch((error) => {
          // An unavailable log is logged once per process.
          const level = error instanceof LogUnavailableError ? 'debug' : 'warn';
          logger[level]({ err: errorMessage(error) }, 'metering maintenance failed');
        })
        .finally(again);
    }, realMs(EVERY_MS));
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
