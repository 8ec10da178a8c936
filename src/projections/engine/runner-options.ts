import type { Logger } from '../../kernel/logger.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import type { EventLog } from '../../write/log/port.ts';

/** What maintaining a projection needs. */
export interface RunnerOptions {
  readonly db: Db;
  readonly connectionString: string;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}
