import { steadyMs } from '../../kernel/retry.ts';
import { EventDeserializationError } from '../../write/log/codec/decoder.ts';
import type { EventPage } from '../../write/log/port.ts';
import { platformOf } from '../../write/stream-platform.ts';
import { logPartitions, platformsAmong } from '../checkpoints/partitioning.ts';
import { openParking } from '../dead-letters/parking.ts';
import type { Projection } from '../projection.ts';
import { decodeOptionsFor, subscription } from '../subscription/subscription.ts';
import { openWriter, type Stalled, type Writer } from '../writer/writer.ts';
import { pagesOrDue } from './pages-or-due.ts';
import type { RunnerOptions } from './runner-options.ts';
import { clearPassedStalls, whileActive } from './while-active.ts';

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

/** How far a reader has come: what it has read that none of its partitions applies needs a write only now and then. */
interface Progress {
  writtenMs: number;
  /** Events up to its end are read but not in the checkpoint. */
  passed: EventPage | null;
}

/** Applies pages to the writer's partitions until one of them stalls or the pages end. */
const applyPages = async (
  pages: AsyncIterable<EventPage>,
  writer: Writer,
  idleMs: number,
  onMoved: (position: bigint) => void,
): Promise<Stalled> => {
  const progress: Progress = { writtenMs: Number.NEGATIVE_INFINITY, passed: null };
  const dueMs = () => (progress.passed === null ? null : progress.writtenMs + idleMs);
  for await (const next of pagesOrDue(pages, dueMs)) {
    const page = next ?? progress.passed;
    if (page === null) continue;
    if (next !== null && next.events.length === 0 && steadyMs() - progress.writtenMs < idleMs) {
      progress.passed = next.endPosition > writer.position() ? next : null;
      continue;
    }
    const stalled = await writer.advance(page);
    if (stalled.size > 0) return stalled;
    onMoved(writer.position());
    progress.writtenMs = steadyMs();
    progress.passed = null;
  }
  return new Map();
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
  const { db, log, logger, signal } = options;
  const parking = await openParking(projection, { log, logger });
  await parking.retryAfterUpgrade();
  const writer = await openWriter(db, projection, schema, { log, parking }, partitions);
  const isWhole = partitions.length === logPartitions(projection).length;
  const build = { projection, schema, db, logger, signal };
  await clearPassedStalls(build);
  const isUsable = async () => !(await parking.isOutdated());
  return whileActive(build, isUsable, async (active) => {
    const pages = log.subscribe(writer.position(), {
      ...subscription(projection, platformsAmong(partitions)),
      ...decodeOptionsFor(parking.control, writer.isParked),
      pageSize: PAGE,
      signal: active,
    });
    try {
      return await applyPages(pages, writer, isWhole ? IDLE_WRITE_MS : IDLE_SHARE_MS, onMoved);
    } catch (error) {
      if (!(error instanceof EventDeserializationError)) throw error;
      // If the stream is parked now, it is read again from the checkpoint.
      return (await parking.park(error)) ? new Map() : stalledAt(error, partitions);
    }
  });
};
