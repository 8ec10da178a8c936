import type { Config } from '../kernel/config.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Db } from '../kernel/postgres/pool.ts';
import type { Named } from '../write/erasure/cleanse.ts';
import type { EventLog } from '../write/log/port.ts';

/**
 * What use cases work with, opened by the composition root. They take and return data, or async iterables of long data.
 * They report progress to callbacks and refuse with an `OperatorError`; each front end words its code and parameters.
 */
export interface OperationsContext {
  readonly config: Config;
  readonly logger: Logger;
  /** Connection string of the database. */
  readonly url: string;
  readonly db: Db;
  /** Pool whose commits do not wait for the disk, for data that can be rebuilt. */
  readonly asyncCommitDb: Db;
  readonly log: EventLog;
}

/** Use cases that take accounts from operators: none of those that were erased. */
export interface IntakeContext extends OperationsContext {
  readonly fence: Named;
}

/** Called with the amount done, of the total. */
export type OnProgress = (done: number, total: number) => void;
