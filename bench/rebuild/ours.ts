import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { tuneHeap } from '../../src/kernel/process-settings.ts';
import { createBuildWriters } from '../../src/projections/builds/build-writers.ts';
import { rebuild } from '../../src/projections/builds/rebuild.ts';
import { directory } from '../../src/projections/views/directory/projection.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { peakMb, serve } from '../support/child.ts';

export interface RebuildAnswer {
  readonly ms: number;
  readonly peakMb: number;
  /** Where the rows are. */
  readonly schema: string;
  /** CPU time of this process, without the database's. */
  readonly cpuMs: number;
}

export interface RebuildQuestion {
  readonly url: string;
  /** Threads that share the platforms. */
  readonly writers: number;
}

/** The command's own rebuild, from an empty build to the switch, indexes and statistics included. */
const run = async ({ url, writers: count }: RebuildQuestion): Promise<RebuildAnswer> => {
  const db = createPool(url, { max: 10, logger: silentLogger, name: 'bench rebuild' });
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const began = performance.now();
  const usage = process.cpuUsage();
  const writers = createBuildWriters({ connectionString: url, logSettings: {} }, { count, leastEvents: 1n });
  const build = await rebuild(directory, {
    db,
    log,
    logger: silentLogger,
    signal: new AbortController().signal,
    graceMs: 0,
    writers,
  });
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(usage);
  await log.close();
  await db.end();
  return { ms, peakMb: peakMb(), schema: build.schema, cpuMs: (user + system) / 1_000 };
};

if (import.meta.main) {
  // As the program does.
  tuneHeap();
  serve(run);
}
