import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { EventPage } from '../../write/log/port.ts';
import { platformOf } from '../../write/stream-platform.ts';
import { activeBuild } from '../builds/builds.ts';
import { checkpointOf } from '../checkpoints/checkpoint-store.ts';
import { logPartitions, platformsAmong } from '../checkpoints/partitioning.ts';
import { openParking } from '../dead-letters/parking.ts';
import type { Projection } from '../projection.ts';
import { levelOf } from '../stalls/report-stall.ts';
import { clearStalls } from '../stalls/stalls.ts';
import { decodeOptionsFor, subscription } from '../subscription/subscription.ts';
import { openWriter, type Stalled } from '../writer/writer.ts';
import { pagesOrDue } from './pages-or-due.ts';
import type { RunnerOptions } from './runner-options.ts';

const FOLLOW_MS = 1_000;
const PAGE = 2_000;
/** How often a checkpoint advances past events that its partitions don't apply. */
const IDLE_WRITE_MS = 1_000;
/** The same if other processes maintain other platforms: readers of all platforms wait for the slowest. */
const IDLE_SHARE_MS = 100;

/** The partitions that apply an event: that of its stream, or all. */
const stalledAt = (error: EventDeserializationError, partitions: readonly string[]): Stalled => {
  const platform = platformOf(error.event.stream);
  const own = partitions.filter((partition) => partition === platform);
  return new Map((own.length > 0 ? own : partitions).map((partition) => [partition, error]));
};

/**
 * Follows the log into partitions of the active build, until one of them stalls, the build is replaced, an event is
 * skipped, a stream is parked or retried elsewhere, or the signal fires.
 * @param onMoved called with the position up to which every event is applied.
 * @returns the partitions that stalled, with their poison events.
 * @throws {CheckpointConflictError} if another writer moved a checkpoint.
 */
export const follow = async (
  projection: Projection,
  schema: string,
  partitions: readonly string[],
  options: RunnerOptions,
  onMoved: (position: bigint) => void,
): Promise<Stalled> => {
  const { db, log, logger } = options;
  const parking = await openParking(projection, { log, logger });
  await parking.retryAfterUpgrade();
  const writer = await openWriter(db, projection, schema, { log, parking }, partitions);
  const outdated = new AbortController();
  const signal = AbortSignal.any([options.signal, outdated.signal]);
  const isOutdated = async (): Promise<boolean> => {
    const active = await activeBuild(db, projection.name, projection.version);
    return active?.schema !== schema || (await parking.isOutdated());
  };
  // Stalls of earlier attempts, of other processes, or of other partitions that the build had.
  const notifyAdvanced = async () => {
    const cleared = await clearStalls(db, projection, await checkpointOf(db, schema));
    if (cleared.length > 0) {
      logger.info({ projection: projection.name, partitions: cleared }, 'projection resumed');
    }
  };
  const poll = async () => {
    if (await isOutdated()) return outdated.abort();
    await notifyAdvanced();
  };
  const watch = async () => {
    while (!signal.aborted) {
      await sleep(FOLLOW_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await poll().catch((error) =>
        logger[levelOf(error, 'warn')](
          { err: errorMessage(error) },
          'periodic checks of the projection failed',
        ),
      );
    }
  };
  const isWhole = partitions.length === logPartitions(projection).length;
  const idleMs = isWhole ? IDLE_WRITE_MS : IDLE_SHARE_MS;
  await notifyAdvanced();
  const watching = watch();
  try {
    let writtenMs = 0;
    /** Events up to its end are read but not in the checkpoint: none of them is applied here. */
    let passed: EventPage | null = null;
    const pages = log.subscribe(writer.position(), {
      ...subscription(projection, platformsAmong(partitions)),
      ...decodeOptionsFor(parking.control, writer.isParked),
      pageSize: PAGE,
      signal,
    });
    const dueMs = () => (passed === null ? null : writtenMs + idleMs);
    for await (const next of pagesOrDue(pages, dueMs)) {
      const page = next ?? passed;
      if (page === null) continue;
      // Advancing past irrelevant events needs a write only now and then, not one per append.
      if (next !== null && next.events.length === 0 && Date.now() - writtenMs < idleMs) {
        passed = next.endPosition > writer.position() ? next : null;
        continue;
      }
      const stalled = await writer.advance(page);
      if (stalled.size > 0) return stalled;
      onMoved(writer.position());
      writtenMs = Date.now();
      passed = null;
    }
  } catch (error) {
    if (!(error instanceof EventDeserializationError)) throw error;
    // If the stream is parked now, it is read again from the checkpoint.
    if (!(await parking.park(error))) return stalledAt(error, partitions);
  } finally {
    outdated.abort();
    await watching;
  }
  return new Map();
};
