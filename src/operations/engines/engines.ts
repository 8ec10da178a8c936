import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { isSource, SOURCES, type Source } from '../../kernel/platform.ts';
import { watchBuilds } from '../../read/active-builds.ts';
import type { Window } from '../../read/engines.ts';
import { type EngineState, readEngines } from '../../read/engines.ts';
import { openReadPool } from '../../read/read-pool.ts';
import { decideEngine, type EngineCommand } from '../../write/engines.ts';
import type { OperationsContext } from '../context.ts';

export type { EngineState, PoolBacklog, Window } from '../../read/engines.ts';

/** @throws {OperatorError} `engine_unknown` */
export const parseEngine = (name: string): Source => {
  const key = name.toLowerCase();
  if (isSource(key)) return key;
  throw new OperatorError('engine_unknown', `"${name}" is no engine. The engines are: ${SOURCES.join(', ')}`);
};

/** What reads the state of engines, until it is closed. */
export interface EngineReads {
  /** All engines as of now. @param window of outcomes, success and latencies. */
  read(window: Window): Promise<readonly EngineState[]>;
  close(): Promise<void>;
}

export const openEngineReads = async ({
  db,
  url,
  logger,
}: Pick<OperationsContext, 'db' | 'url' | 'logger'>): Promise<EngineReads> => {
  const builds = await watchBuilds(db, logger);
  const pool = await openReadPool(url, 2);
  return {
    read: (window) => readEngines(pool, builds, window, systemClock.now()),
    close: async () => {
      builds.close();
      await pool.end();
    },
  };
};

/**
 * Pauses or resumes an engine, or sets its rate. Every process obeys within two seconds.
 * @returns whether that changed anything.
 * @throws {OperatorError} `argument_invalid`, `reason_missing`
 */
export const controlEngine = async (
  { log, db }: Pick<OperationsContext, 'log' | 'db'>,
  engine: Source,
  command: EngineCommand,
): Promise<boolean> => {
  if (command.do === 'pause' && command.why.trim() === '')
    throw new OperatorError('reason_missing', 'A pause needs a reason, which is recorded with it.');
  if (command.do === 'tune' && !(command.ratePerS >= 0.01 && command.ratePerS <= 10_000))
    throw new OperatorError('argument_invalid', 'A rate is from 0.01 to 10000 requests a second.');
  return decideEngine(log, db, engine, command, systemClock.now());
};
