import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { directory } from '../../src/projections/directory/index.ts';
import { rebuild } from '../../src/projections/rebuild.ts';
import { eventCatalog } from '../../src/write/catalog.ts';
import { openDoor } from '../../src/write/log/door.ts';
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
  const log = openDoor(createPostgresLog(db, url, silentLogger), eventCatalog);
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
