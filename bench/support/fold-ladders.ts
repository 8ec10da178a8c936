import { silentLogger } from '../../src/kernel/logger.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { ladders } from '../../src/projections/views/ladders/projection.ts';
import { openWriter } from '../../src/projections/writer.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';

/** Folds the events that the ladders of the catalog were published by. */
export const foldLadders = async (db: Db, url: string, schema: string): Promise<void> => {
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const writer = await openWriter(db, ladders, schema);
  for await (const page of log.readAll(0n, { types: ladders.types })) await writer.write(page);
  await log.close();
};
