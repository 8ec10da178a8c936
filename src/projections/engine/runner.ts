import { setTimeout as sleep } from 'node:timers/promises';
import { PLATFORMS } from '../../kernel/platform.ts';
import { withLease, withLeaseShare } from '../../kernel/postgres/lease.ts';
import { keepRunning, pause, steadyMs } from '../../kernel/retry.ts';
import { EventDeserializationError } from '../../write/log/codec.ts';
import type { EventPage } from '../../write/log/port.ts';
import { platformOf } from '../../write/stream-platform.ts';
import { dropAbandoned, leaseOf } from '../builds/builds.ts';
import {
  CheckpointConflictError,
  checkpointsOf,
  isSharedByPlatform,
  logPartitions,
  platformsAmong,
} from '../checkpoints.ts';
import { openParking } from '../dead-letters/parking.ts';
import { type Projection, UNPARTITIONED } from '../projection.ts';
import {
  ApplyEventError,
  clearStall,
  createPartitionBackoff,
  levelOf,
  listStalls,
  type PartitionBackoff,
  reportStall,
} from '../stalls.ts';
import { decodeOptionsFor, subscription } from '../subscription.ts';
import { openWriter, type Stalled, type Writer } from '../writer.ts';
import { clearPassedStalls, prepareBuild, type RunnerOptions, whileActive } from './prepare-build.ts';

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

/** How far a reader has come. Events that none of its partitions applies are recorded only now and then. */
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
  wait: (page: EventPage, writtenMs: number) => Promise<void>,
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
    await wait(page, progress.writtenMs);
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
const follow = async (
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
    const { paceMs = 0 } = projection;
    const wait = async ({ events }: EventPage, writtenMs: number): Promise<void> => {
      const leftMs = paceMs - (steadyMs() - writtenMs);
      if (events.length > 0 && events.length < PAGE && leftMs > 0) await pause(leftMs, active);
    };
    try {
      return await applyPages(pages, writer, isWhole ? IDLE_WRITE_MS : IDLE_SHARE_MS, wait, onMoved);
    } catch (error) {
      if (!(error instanceof EventDeserializationError)) throw error;
      // If the stream was parked, the page is read again from the checkpoint.
      return (await parking.park(error)) ? new Map() : stalledAt(error, partitions);
    }
  });
};

/** A partition further behind than this many events follows the log by itself until it has caught up. */
const NEAR_EVENTS = 10_000n;

/** Position of the poison event that each stalled partition has to pass. */
type StalledAt = Map<string, bigint>;

interface GroupOptions extends RunnerOptions {
  /** Fires when the process stops. Unlike `signal` it does not fire when leases change: a first build takes hours. */
  readonly stopping: AbortSignal;
  /** Delays of stalled partitions, kept between calls. */
  readonly backoff: PartitionBackoff;
  readonly stalledAt: StalledAt;
  /** Called whenever a checkpoint has advanced. */
  readonly onMoved: () => void;
}

/** Takes over stalls that earlier processes recorded. */
const loadStalls = async (
  { name, version }: Projection,
  { db, backoff, stalledAt }: Pick<GroupOptions, 'db' | 'backoff' | 'stalledAt'>,
): Promise<void> => {
  stalledAt.clear();
  for (const stall of await listStalls(db)) {
    if (stall.projection === name && stall.version === version)
      stalledAt.set(stall.partition, stall.position);
  }
  backoff.reset(stalledAt.keys());
};

/**
 * Maintains partitions of a build. Those that have caught up share one transaction per page; each one that is stalled or far behind
 * works by itself until it has caught up with the others. Returns when that changes the grouping, when the build or its dead-letter
 * queue has changed, or when the signal fires. Call it again then.
 */
const followInGroups = async (
  projection: Projection,
  partitions: readonly string[],
  options: GroupOptions,
): Promise<void> => {
  const { db, log, logger, backoff, stalledAt } = options;
  const preparing = { ...options, signal: options.stopping };
  const schema = await prepareBuild(projection, logPartitions(projection), preparing);
  await dropAbandoned(db, projection);
  const checkpoints = await checkpointsOf(db, schema);
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  const near = NEAR_EVENTS * (log.positionsPerEvent ?? 1n);
  const positionOf = (partition: string) => checkpoints.get(partition) ?? 0n;
  const ready = partitions.filter((partition) => !backoff.has(partition));
  /** The position of the furthest partition that is not stalled. */
  let front = ready.map(positionOf).reduce((a, b) => (a > b ? a : b), 0n);
  const isNear = (position: bigint) => position + near >= front;

  const stall = async (stalled: Stalled): Promise<void> => {
    for (const [partition, error] of stalled) {
      stalledAt.set(partition, error.event.position);
      await reportStall(projection, error, backoff.delay(partition), { db, logger }, partition);
    }
  };

  const together = ready.filter((partition) => isNear(positionOf(partition)));
  const followTogether = async () => {
    const onMoved = (position: bigint) => {
      front = position > front ? position : front;
      options.onMoved();
    };
    await stall(await follow(projection, schema, together, { ...options, signal }, onMoved));
  };

  /** @returns whether the partition has caught up; otherwise the signal has fired, or the build has changed. */
  const catchUp = async (partition: string): Promise<boolean> => {
    for (;;) {
      await pause(backoff.leftMs(partition), signal);
      if (signal.aborted) return false;
      const caughtUp = new AbortController();
      const mustPass = stalledAt.get(partition) ?? -1n;
      const onMoved = (position: bigint) => {
        options.onMoved();
        if (position >= mustPass && isNear(position)) caughtUp.abort();
      };
      const until = AbortSignal.any([signal, caughtUp.signal]);
      const stalled = await follow(projection, schema, [partition], { ...options, signal: until }, onMoved);
      if (stalled.size === 0) return caughtUp.signal.aborted;
      await stall(stalled);
    }
  };

  const followAlone = async (partition: string): Promise<void> => {
    if (!(await catchUp(partition)) || !backoff.release(partition)) return;
    await clearStall(db, projection, stalledAt.get(partition) ?? 0n, partition);
    stalledAt.delete(partition);
    logger.info({ projection: projection.name, partition }, 'partition resumed');
  };

  const alone = partitions.filter((partition) => !together.includes(partition));
  const running = [
    ...(together.length > 0 ? [followTogether()] : []),
    ...alone.map((partition) => followAlone(partition)),
  ].map((group) => group.finally(() => over.abort()));
  const ended = await Promise.allSettled(running);
  for (const group of ended) if (group.status === 'rejected') throw group.reason;
};

interface Attempt extends RunnerOptions {
  /** Called when a checkpoint has advanced. */
  readonly onMoved: () => void;
}

/** Maintains a projection whose order is that of the log: the lease holder writes, the others stand by. */
const maintainWhole = (projection: Projection, options: Attempt): Promise<void> =>
  withLease(options.connectionString, leaseOf(projection), options.signal, async (signal) => {
    const leased = { ...options, signal };
    await dropAbandoned(options.db, projection);
    while (!signal.aborted) {
      const schema = await prepareBuild(projection, [UNPARTITIONED], leased);
      const stalled = await follow(projection, schema, [UNPARTITIONED], leased, options.onMoved);
      for (const error of stalled.values()) throw error;
    }
  });

/** Maintains the platforms that this process holds the leases of. */
const maintainPlatforms = async (projection: Projection, options: Attempt): Promise<void> => {
  const backoff = createPartitionBackoff();
  const stalledAt: StalledAt = new Map();
  const lease = { ...leaseOf(projection), parts: PLATFORMS };
  await withLeaseShare(options.connectionString, lease, options.signal, async (held, signal) => {
    await loadStalls(projection, { ...options, backoff, stalledAt });
    while (!signal.aborted) {
      await followInGroups(projection, held, {
        ...options,
        signal,
        stopping: options.signal,
        backoff,
        stalledAt,
      });
    }
  });
};

/**
 * Maintains one projection. Any number of processes may run it. If the projection relies on no order beyond that of a platform,
 * they share its platforms; otherwise one process writes and the others stand by. Each writer is fenced by its checkpoints.
 */
export const runProjection = async (projection: Projection, options: RunnerOptions): Promise<void> => {
  const { signal, db } = options;
  const logger = options.logger.child({ projection: projection.name });
  const maintain = isSharedByPlatform(projection) ? maintainPlatforms : maintainWhole;
  await keepRunning(
    signal,
    (onMoved) => maintain(projection, { ...options, logger, onMoved }),
    async (error, delay) => {
      if (error instanceof EventDeserializationError || error instanceof ApplyEventError) {
        return reportStall(projection, error, delay, { db, logger });
      }
      const level = error instanceof CheckpointConflictError ? 'info' : levelOf(error, 'error');
      logger[level]({ err: error, delay }, 'projection runner failed; restarting');
    },
  );
};

const DUE = Symbol('due');

/**
 * Pages of a subscription, and null whenever a deadline passes before the next page.
 * @param dueMs the deadline by the steady clock; null if there is none. Asked before each wait.
 */
export async function* pagesOrDue(
  source: AsyncIterable<EventPage>,
  dueMs: () => number | null,
): AsyncGenerator<EventPage | null, void> {
  const pages = source[Symbol.asyncIterator]();
  let next = pages.next();
  try {
    for (;;) {
      const due = dueMs();
      const timer = new AbortController();
      const first =
        due === null
          ? await next
          : await Promise.race([
              next,
              sleep(Math.max(0, due - steadyMs()), DUE, { signal: timer.signal }).catch(() => DUE),
            ]).finally(() => timer.abort());
      if (typeof first === 'symbol') {
        yield null;
        continue;
      }
      if (first.done === true) return;
      yield first.value;
      next = pages.next();
    }
  } finally {
    // The reader is abandoned, and its failure with it.
    next.catch(() => undefined);
    await pages.return?.();
  }
}
