import { silentLogger } from '../../src/kernel/logger.ts';
import { parseConnectionString } from '../../src/write/log/eventstoredb/connection.ts';
import { createEventStoreLog } from '../../src/write/log/eventstoredb/index.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { progress } from './targets.ts';

/** The node that EventStoreDB is measured on; null, and one line that says so, where there is none. */
export const eventStoreUrl = (bench: string): string | null => {
  const url = process.env.TEST_EVENTSTORE_URL;
  if (url !== undefined && url !== '') return url;
  progress(`  skipped, as TEST_EVENTSTORE_URL is not set: ${bench} on EventStoreDB`);
  return null;
};

export const openEventStoreLog = (url: string): EventLog =>
  createEventStoreLog(parseConnectionString(url), silentLogger);
