/** The clock of the database, which all processes share: each corrects its own by the difference. */

import { correctClock } from '../clock.ts';
import { errorMessage, OperatorError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { steadyMs } from '../retry.ts';
import type { Queryable } from './pool.ts';
import { sql } from './statement.ts';

/** A host whose clock differs by more should be looked at. */
const WARN_MS = 2_000;
/** Beyond this one of the clocks is set wrongly, and nobody knows which. */
const REFUSE_MS = 300_000;
const HOUR_MS = 3_600_000;
const TRIES = 3;

/**
 * Milliseconds by which the database's clock is ahead of this host's. What the time of a round trip could explain counts as none.
 */
const measureOffset = async (db: Queryable): Promise<number> => {
  let best = { offsetMs: 0, errorMs: Number.POSITIVE_INFINITY };
  for (let n = 0; n < TRIES; n++) {
    const startedMs = steadyMs();
    const { rows } = await db.query<{ ms: number }>(
      sql`select extract(epoch from pg_catalog.clock_timestamp())::float8 * 1000 as ms`,
    );
    const errorMs = (steadyMs() - startedMs) / 2;
    if (errorMs < best.errorMs) best = { offsetMs: (rows[0]?.ms ?? 0) + errorMs - Date.now(), errorMs };
  }
  return Math.abs(best.offsetMs) <= best.errorMs + 1 ? 0 : Math.round(best.offsetMs);
};

const told = (offsetMs: number): string => {
  const s = Math.round(Math.abs(offsetMs) / 1_000);
  return `the clock of this host is ${s} s ${offsetMs < 0 ? 'ahead of' : 'behind'} the database's`;
};

const REMEDY = 'Set both by NTP, then start again.';

/** The clock of a process that follows the database's. */
export interface DatabaseClock {
  /** Resolves with the reason when the difference has become too large. */
  readonly lost: Promise<string>;
  stop(): void;
}

/**
 * Makes `systemClock` show the database's time, and measures again every hour.
 * @throws {OperatorError} `clock_wrong` if the clocks differ by more than five minutes.
 */
export const followDatabaseClock = async (
  db: Queryable,
  logger: Logger,
  everyMs = HOUR_MS,
): Promise<DatabaseClock> => {
  const lost = Promise.withResolvers<string>();
  const measure = async (): Promise<string | null> => {
    const offsetMs = await measureOffset(db);
    const text = told(offsetMs);
    if (Math.abs(offsetMs) > REFUSE_MS) return `${text}: events would have a wrong time. ${REMEDY}`;
    correctClock(offsetMs);
    if (Math.abs(offsetMs) > WARN_MS) {
      logger.warn({ offset_ms: offsetMs }, `${text}, whose time is used; set both by NTP`);
    }
    return null;
  };
  const refused = await measure();
  if (refused !== null) throw new OperatorError('clock_wrong', `Refused: ${refused}`);
  const timer = setInterval(() => {
    measure().then(
      (reason) => {
        if (reason !== null) lost.resolve(reason);
      },
      (error: unknown) => logger.debug({ err: errorMessage(error) }, 'the clock could not be compared'),
    );
  }, everyMs);
  timer.unref();
  return { lost: lost.promise, stop: () => clearInterval(timer) };
};
