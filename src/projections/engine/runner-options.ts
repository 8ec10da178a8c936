import type { Logger } from '../../kernel/logger.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { BuildWriters } from '../builds/build-writers.ts';

/** What maintaining a projection needs. */
export interface RunnerOptions {
  readonly db: Db;
  readonly connectionString: string;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Writers of first builds; by default this thread folds them. */
  readonly writers?: BuildWriters;
}
