import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { rebuild } from '../../src/projections/builds/rebuild.ts';
import { directory } from '../../src/projections/views/directory/projection.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec/validating-log.ts';
import { createPostgresLog } from '../../src/write/log/postgres/index.ts';
import { peakMb, serve } from '../support/child.ts';

export interface RebuildAnswer {
  readonly ms: number;
  readonly peakMb: number;
  /** Where the rows are. */
  readonly schema: string;
}

/** The command's own rebuild, from an empty build to the switch, indexes and statistics included. */
const run = async (url: string): Promise<RebuildAnswer> => {
  const db = createPool(url, { max: 10, logger: silentLogger, name: 'bench rebuild' });
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const began = performance.now();
  const build = await rebuild(directory, {
    db,
    log,
    logger: silentLogger,
    signal: new AbortController().signal,
    graceMs: 0,
  });
  const ms = performance.now() - began;
  await log.close();
  await db.end();
  return { ms, peakMb: peakMb(), schema: build.schema };
};

if (import.meta.main) serve(run);
