import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../../kernel/errors.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { createPool } from '../../kernel/postgres/pool.ts';
import { doorOf } from '../../write/erasure/cleanse.ts';
import { openFence } from '../../write/erasure/open-fence.ts';
import { eventTypes } from '../../write/event-types.ts';
import { withValidation } from '../../write/log/codec.ts';
import { openEventLog } from '../../write/log/open-event-log.ts';
import { openParking } from '../dead-letters/parking.ts';
import { projections } from '../registry.ts';
import type { BuildReport, BuildSource, BuildTask } from './build-writers.ts';
import { foldInBulk, isOfAnEvent } from './bulk-fold.ts';

/* A thread that folds a share of a build: the platforms of its task. */

const report = (what: BuildReport): void => parentPort?.postMessage(what);

const work = async (
  { projection: name, schema, platforms, to, connectionString, logSettings }: BuildTask & BuildSource,
  signal: AbortSignal,
): Promise<void> => {
  const projection = projections.find((candidate) => candidate.name === name);
  if (projection === undefined) throw new Error(`there is no projection ${name}`);
  const logger = silentLogger;
  const db = createPool(connectionString, { max: 4, logger, name: 'build writer', durable: false });
  try {
    const opened = await openEventLog(logSettings, { db, url: connectionString }, logger);
    const keys = logSettings.ERASURE_KEY;
    const fence = await openFence({ db, log: opened, keys, logger }, true);
    const log = withValidation(opened, eventTypes, doorOf(fence));
    try {
      const parking = await openParking(projection, { log, logger });
      const onProgress = (position: bigint) => report({ is: 'at', position });
      await foldInBulk(projection, schema, parking, { to, platforms }, { db, log, signal, onProgress });
    } finally {
      fence.close();
      await log.close();
    }
  } finally {
    await db.end();
  }
};

const stopping = new AbortController();
parentPort?.once('message', () => stopping.abort());
try {
  await work(workerData as BuildTask & BuildSource, stopping.signal);
  report({ is: 'done' });
} catch (error) {
  report({
    is: 'failed',
    name: (error as Error).name,
    message: errorMessage(error),
    isCausedByEvent: isOfAnEvent(error),
  });
} finally {
  parentPort?.close();
}
