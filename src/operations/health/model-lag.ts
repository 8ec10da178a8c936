import { systemClock } from '../../kernel/clock.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { lagOf } from '../../projections/engine/lag.ts';
import { projections } from '../../projections/registry.ts';
import { type EventLog, LogUnavailableError } from '../../write/log/port.ts';

/** Age in seconds of the oldest event that a read model has not processed; 0 if there is none, null if that is unknown. */
export type ModelLag = (projection: string) => Promise<number | null>;

/** An answer serves all requests of so long. */
const REUSED_MS = 1_000;

const measure = async (db: Queryable, log: EventLog, projection: string): Promise<number | null> => {
  try {
    const [lag] = await lagOf(
      db,
      log,
      projections.filter(({ name }) => name === projection),
    );
    if (lag === undefined || lag.build === null) return null;
    const { oldestUnprocessedAt } = lag;
    if (oldestUnprocessedAt === null) return 0;
    return Math.max(0, Math.floor((systemClock.now() - Date.parse(oldestUnprocessedAt)) / 1_000));
  } catch (error) {
    // Answers come from read models: without the log only their age is unknown.
    if (error instanceof LogUnavailableError) return null;
    throw error;
  }
};

export const createModelLag = (db: Queryable, log: EventLog): ModelLag => {
  const answers = new Map<string, { readonly askedMs: number; readonly lag: Promise<number | null> }>();
  return (projection) => {
    const kept = answers.get(projection);
    if (kept !== undefined && performance.now() - kept.askedMs < REUSED_MS) return kept.lag;
    const lag = measure(db, log, projection);
    answers.set(projection, { askedMs: performance.now(), lag });
    // A failure is for those who waited for it: the next request asks again.
    lag.catch(() => answers.delete(projection));
    return lag;
  };
};
