import { systemClock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Db, Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { type EventDecoder, EventDeserializationError } from '../../write/log/codec.ts';
import type { EventLog, EventPage, RecordedEvent } from '../../write/log/port.ts';
import type { StartFrom } from '../../write/messaging/port.ts';
import { checkLogId, type RelayCheckpoint, readRelayCheckpoint } from '../../write/messaging/relay.ts';
import { startsSequence } from '../../write/projection-control.ts';
import { type Checkpoints, partitionIn, positionIn, repartition, topicPartitions } from '../checkpoints.ts';
import {
  lateRetries,
  type ParkedStream,
  type Parking,
  parkedStreams,
  planPage,
} from '../dead-letters/parking.ts';
import type { RunnerOptions } from '../engine/prepare-build.ts';
import { type Projection, UNPARTITIONED } from '../projection.ts';
import {
  type ApplyEventError,
  clearStall,
  createPartitionBackoff,
  type PartitionBackoff,
  reportStall,
  stalledPartitions,
} from '../stalls.ts';
import { subscription } from '../subscription.ts';
import { type BatchApplier, openBatchApplier, type PartitionBatch } from '../writer.ts';
import { decodeMessages, type Incoming, type ReceivedMessage } from './messages.ts';

/** Called with the position that a partition reached, and whether that completes its batch. */
type OnReached = (partition: string, reached: bigint, isDone: boolean) => Promise<void>;

/** Applies batches of the assigned partitions together with their dead-letter queue. */
interface ParkedPartitions {
  /** Loads the parked streams of the assigned partitions. */
  reload(db: Queryable, at: Checkpoints): Promise<void>;
  isParked(event: RecordedEvent): boolean;
  /** @returns the partitions that stalled at poison events whose streams can't be parked. */
  apply(runs: readonly PartitionBatch[], onReached: OnReached): Promise<ReadonlyMap<string, ApplyEventError>>;
  /** Applies retried streams once their partitions are past the retry: retries are not published to Kafka. */
  applyRetried(at: Checkpoints): Promise<void>;
}

const createParkedPartitions = (
  schema: string,
  applier: BatchApplier,
  { log, projection, parking }: { log: EventLog; projection: Projection; parking: Parking },
): ParkedPartitions => {
  const parked = new Map<string, ParkedStream>();
  const context = () => ({ log, projection, control: parking.control() });

  const remember = ({ changes = [] }: PartitionBatch, reached: bigint): void => {
    for (const { at, stream, row } of changes) {
      if (at > reached) continue;
      if (row === null) parked.delete(stream);
      else parked.set(stream, row);
    }
  };

  const planned = async (run: PartitionBatch): Promise<PartitionBatch> => ({
    ...run,
    ...(await planPage(run, { ...context(), parked })),
  });

  const apply: ParkedPartitions['apply'] = async (runs, onReached) => {
    const failures = new Map<string, ApplyEventError>();
    for (let rest = runs; rest.length > 0; ) {
      const all = await Promise.all(rest.map(planned));
      const results = await applier.apply(all);
      const again: PartitionBatch[] = [];
      for (const run of all) {
        const { reached, failure } = results.get(run.partition) ?? { reached: run.from, failure: null };
        remember(run, reached);
        await onReached(run.partition, reached, failure === null);
        if (failure === null) continue;
        const events = run.events.filter(({ position }) => position > reached);
        if (await parking.park(failure)) again.push({ ...run, from: reached, events });
        else failures.set(run.partition, failure);
      }
      rest = again;
    }
    return failures;
  };

  const applyRetried = async (at: Checkpoints): Promise<void> => {
    const late = await lateRetries(context(), parked, (stream) => positionIn(stream, at));
    for (const { stream, position, ...rest } of late) {
      const partition = partitionIn(stream, at) ?? UNPARTITIONED;
      const run = { partition, from: position, endPosition: position, ...rest };
      const { failure } = (await applier.apply([run])).get(run.partition) ?? { failure: null };
      if (failure === null) remember(run, position);
      // If an event fails again, the next periodic check retries the rest.
      else if (!(await parking.park(failure))) throw failure;
    }
  };

  return {
    reload: async (db, at) => {
      parked.clear();
      for (const row of (await parkedStreams(db, schema)).values()) {
        if (partitionIn(row.stream, at) !== null) parked.set(row.stream, row);
      }
    },
    isParked: (event) => parked.has(event.stream) || startsSequence(parking.control(), event),
    apply,
    applyRetried: async (at) => {
      if (parked.size === 0) return;
      await applyRetried(at).catch(async (error: unknown) => {
        if (!(error instanceof EventDeserializationError) || !(await parking.park(error))) throw error;
      });
    },
  };
};

/** Bound on the clock skew between nodes. If it is exceeded, the gap is read from the log. */
const CLOCKS_MS = 60_000;

/** Where to start in a partition without a committed offset: shortly before the first event after a position. */
const startAfter = async (log: EventLog, position: bigint): Promise<{ readonly fromMs: number }> => {
  for await (const { events } of log.readAll(position, { pageSize: 1, raw: true })) {
    const [event] = events;
    if (event !== undefined) return { fromMs: Date.parse(event.recorded_at) - CLOCKS_MS };
  }
  return { fromMs: systemClock.now() - CLOCKS_MS };
};

interface ResumePosition {
  readonly position: bigint;
  /** Kafka offset of the next message; null if the partition was never consumed. */
  readonly offset: bigint | null;
}

/** Checkpoints of a build's partitions. Partitions without a row are absent. */
const resumePositions = async (
  db: Queryable,
  schema: string,
  partitions: readonly string[],
): Promise<ReadonlyMap<string, ResumePosition>> => {
  const { rows } = await db.query<{ partition: string; position: string; kafka_offset: string | null }>(sql`
    select partition, position, kafka_offset from projections.checkpoints
    where schema_name = ${schema} and partition = any(${partitions})`);
  return new Map(
    rows.map((row) => [
      row.partition,
      {
        position: BigInt(row.position),
        offset: row.kafka_offset === null ? null : BigInt(row.kafka_offset),
      },
    ]),
  );
};

/** The checkpoints of the assigned partitions, as this consumer last read or advanced them. */
interface CheckpointSync {
  /** Position by partition. */
  readonly positions: Map<string, bigint>;
  /** Whether every assigned partition has a checkpoint. */
  isComplete(): boolean;
  assign(partitions: readonly string[]): void;
  /** Reads the stored checkpoints. @returns the Kafka offsets to resume at; null where none is known. */
  reload(): Promise<ReadonlyMap<string, bigint | null>>;
  /** Where Kafka should start each assigned partition, in their order. */
  startFrom(offsets: ReadonlyMap<string, bigint | null>): Promise<readonly StartFrom[]>;
}

const createCheckpointSync = (
  { db, log }: { readonly db: Db; readonly log: EventLog },
  projection: Projection,
  schema: string,
): CheckpointSync => {
  let assigned: readonly string[] = [];
  const positions = new Map<string, bigint>();
  return {
    positions,
    isComplete: () => positions.size >= assigned.length,
    assign: (partitions) => {
      assigned = partitions;
    },
    reload: async () => {
      positions.clear();
      let found = await resumePositions(db, schema, assigned);
      // A runner that follows the log directly merges the checkpoints into one, so they are split again.
      if (found.size < assigned.length && (await repartition(db, schema, topicPartitions(projection)))) {
        found = await resumePositions(db, schema, assigned);
      }
      for (const [partition, { position }] of found) positions.set(partition, position);
      return new Map([...found].map(([partition, { offset }]) => [partition, offset]));
    },
    startFrom: (offsets) => {
      const starts = new Map<bigint, Promise<StartFrom>>();
      return Promise.all(
        assigned.map((partition) => {
          const offset = offsets.get(partition) ?? null;
          if (offset !== null) return { offset };
          const position = positions.get(partition) ?? 0n;
          const start = starts.get(position) ?? startAfter(log, position);
          starts.set(position, start);
          return start;
        }),
      );
    },
  };
};

export interface PartitionConsumerOptions extends RunnerOptions {
  readonly projection: Projection;
  readonly schema: string;
  readonly decoder: EventDecoder;
  readonly parking: Parking;
}

/** Messages of partitions, in order. */
export type Batch = ReadonlyMap<string, readonly ReceivedMessage[]>;

type Poison = ApplyEventError | EventDeserializationError;

/** The result of a batch: the offsets up to which messages are done. */
export type Completed = ReadonlyMap<string, bigint>;

/**
 * Applies messages to the assigned partitions, and reads from the log what messages lack.
 * Decision: `docs/adr/0003-kafka-as-transport.md`.
 */
export class PartitionApplier {
  readonly #options: PartitionConsumerOptions;
  readonly #logger: Logger;
  readonly #applier: ReturnType<typeof openBatchApplier>;
  readonly #checkpoints: CheckpointSync;
  readonly #parked: ParkedPartitions;
  /** Called with the delay of a partition that is postponed. */
  readonly #onPostponed: (delayMs: number) => void;
  #generation = 0;
  #relayCheckpoint: RelayCheckpoint | null = null;
  /** Partitions that are stalled at a poison event, or postponed because of a gap. */
  readonly backoff: PartitionBackoff = createPartitionBackoff();

  constructor(options: PartitionConsumerOptions, onPostponed: (delayMs: number) => void) {
    const { db, log, projection, schema, parking } = options;
    this.#options = options;
    this.#logger = options.logger;
    this.#onPostponed = onPostponed;
    // A log restored from a backup has another ID and reuses positions for other events.
    this.#applier = openBatchApplier(db, projection, schema, async (client) => {
      if (this.#relayCheckpoint !== null) await checkLogId(client, this.#relayCheckpoint.logId);
    });
    this.#checkpoints = createCheckpointSync({ db, log }, projection, schema);
    this.#parked = createParkedPartitions(schema, this.#applier, { log, projection, parking });
  }

  /** The positions of the assigned partitions. */
  get positions(): ReadonlyMap<string, bigint> {
    return this.#checkpoints.positions;
  }

  /** Whether every assigned partition has a checkpoint. */
  isComplete(): boolean {
    return this.#checkpoints.isComplete();
  }

  /** Ends what is in progress for the present assignment. */
  endGeneration(): void {
    this.#generation += 1;
  }

  /** Captures the current assignment. @returns a function that tells whether that assignment is over. */
  watchAssignment(): () => boolean {
    const own = this.#generation;
    return () => own !== this.#generation || this.#options.signal.aborted;
  }

  /** Takes over other partitions. @returns where Kafka should start each. */
  async assign(partitions: readonly string[]): ReturnType<CheckpointSync['startFrom']> {
    const { db, projection } = this.#options;
    this.#checkpoints.assign(partitions);
    const offsets = await this.reload();
    const stalled = await stalledPartitions(db, projection);
    this.backoff.reset(stalled.filter((partition) => this.positions.has(partition)));
    return this.#checkpoints.startFrom(offsets);
  }

  /** Discards what is held in memory and reads the checkpoints again. @returns the Kafka offsets to resume at. */
  async reload(): Promise<ReadonlyMap<string, bigint | null>> {
    this.#applier.reset();
    const offsets = await this.#checkpoints.reload();
    await this.#parked.reload(this.#options.db, this.positions);
    return offsets;
  }

  /** Forgets the log whose messages it applied: the log has another ID. */
  forgetLog(): void {
    this.#relayCheckpoint = null;
  }

  /** Reads the relay's checkpoint, and applies streams whose retry the partitions have passed. */
  async refresh(): Promise<RelayCheckpoint | null> {
    this.#relayCheckpoint = await readRelayCheckpoint(this.#options.db);
    if (this.#relayCheckpoint !== null) await this.#parked.applyRetried(this.positions);
    return this.#relayCheckpoint;
  }

  /** @returns the partitions that stalled. */
  apply(runs: readonly PartitionBatch[]): Promise<ReadonlyMap<string, ApplyEventError>> {
    return this.#parked.apply(runs, async (partition, reached, isDone) => {
      const moved = reached > (this.positions.get(partition) ?? 0n);
      this.#checkpoints.positions.set(partition, reached);
      if (isDone && moved && this.backoff.release(partition)) await this.#reportResumed(partition, reached);
    });
  }

  /** Catches partitions up with the log, some pages at a time. */
  async readFromLog(partitions: readonly string[]): Promise<void> {
    const { log, projection, parking } = this.#options;
    const from = new Map(partitions.map((partition) => [partition, this.positions.get(partition) ?? 0n]));
    const failures = await catchUpFromLog(from, {
      log,
      projection,
      parking,
      isParked: this.#parked.isParked,
      apply: (runs) => this.apply(runs),
      isOver: this.watchAssignment(),
    });
    for (const [partition, failure] of failures) await this.#stall(partition, failure);
  }

  /** Applies messages; gaps before them are filled from the log first. */
  async applyMessages(batch: Batch): Promise<Completed> {
    const { parking } = this.#options;
    const before = new Map(this.positions);
    const incoming = await this.#decodeAll(batch);
    const runs = [...incoming].map(([partition, { events, endPosition, next }]) => {
      return { partition, from: this.positions.get(partition) as bigint, endPosition, events, offset: next };
    });
    const failures = await this.apply(runs.filter((run) => run.endPosition > run.from));
    const completed = new Map<string, bigint>();
    for (const [partition, { left, next }] of incoming) {
      const poison = failures.get(partition);
      if (poison !== undefined) {
        // The next decode drops messages that are already applied.
        await this.#stall(partition, poison);
        continue;
      }
      completed.set(partition, next);
      if (left === 'gap') {
        // If the log did not close the gap either, a stall was reported or a log node lags.
        const isStuck = this.positions.get(partition) === before.get(partition);
        if (isStuck && this.backoff.isDue(partition)) this.#postpone(partition);
      } else if (left !== null && !(await parking.park(left))) await this.#stall(partition, left);
    }
    return completed;
  }

  async #decodeAll(batch: Batch): Promise<ReadonlyMap<string, Incoming>> {
    const { db, decoder, parking, projection } = this.#options;
    this.#relayCheckpoint ??= await readRelayCheckpoint(db);
    const excludeIds = parking.control().skipped;
    const logId = this.#relayCheckpoint?.logId ?? null;
    const context = { decoder, excludeIds, isParked: this.#parked.isParked, logId };
    const decode = (partition: string): Incoming =>
      decodeMessages(batch.get(partition) ?? [], this.positions.get(partition) ?? 0n, context);
    const incoming = new Map([...batch.keys()].map((partition) => [partition, decode(partition)]));
    const gaps = [...incoming].flatMap(([partition, { left }]) => (left === 'gap' ? [partition] : []));
    if (gaps.length === 0) return incoming;
    this.#logger.warn(
      { projection: projection.name, partitions: gaps },
      'gap in the messages from Kafka; reading the missing events from the log',
    );
    await this.readFromLog(gaps);
    for (const partition of gaps) incoming.set(partition, decode(partition));
    return incoming;
  }

  #postpone(partition: string): number {
    const delayMs = this.backoff.delay(partition);
    this.#onPostponed(delayMs);
    return delayMs;
  }

  #stall(partition: string, error: Poison): Promise<void> {
    return reportStall(this.#options.projection, error, this.#postpone(partition), this.#options, partition);
  }

  async #reportResumed(partition: string, endPosition: bigint): Promise<void> {
    const { db, projection } = this.#options;
    await clearStall(db, projection, endPosition, partition);
    this.#logger.info({ projection: projection.name, partition }, 'partition resumed');
  }
}

const PAGE = 2_000;

export interface CatchUp {
  readonly log: EventLog;
  readonly projection: Projection;
  readonly parking: Parking;
  /** Whether an event's stream is parked. */
  readonly isParked: (event: RecordedEvent) => boolean;
  /**
   * Applies batches and advances their partitions.
   * @returns the partitions that stalled, with their poison events.
   */
  readonly apply: (runs: readonly PartitionBatch[]) => Promise<ReadonlyMap<string, ApplyEventError>>;
  /** Whether to stop early because the assignment was revoked. */
  readonly isOver: () => boolean;
}

/** Pages read before the other partitions are served again. */
const MAX_PAGES = 20;

/**
 * Catches partitions up by reading the log directly, for events that Kafka did not deliver.
 * @param from the partitions and their positions.
 * @returns the partitions that stalled, with their poison events.
 */
export const catchUpFromLog = async (
  from: ReadonlyMap<string, bigint>,
  { log, projection, parking, isParked, apply, isOver }: CatchUp,
): Promise<ReadonlyMap<string, ApplyEventError | EventDeserializationError>> => {
  const at = new Map(from);
  const stopped = new Map<string, ApplyEventError | EventDeserializationError>();
  const passed = new Set(parking.control().skipped);

  const runsOf = (events: readonly RecordedEvent[], endPosition: bigint): PartitionBatch[] => {
    const byPartition = Map.groupBy(events, ({ stream }) => partitionIn(stream, from));
    return [...at].flatMap(([partition, position]) => {
      if (position >= endPosition || stopped.has(partition)) return [];
      const own = (byPartition.get(partition) ?? []).filter((event) => event.position > position);
      return [{ partition, from: position, endPosition, events: own }];
    });
  };

  const min = () =>
    [...at].reduce<bigint | null>(
      (low, [partition, position]) =>
        stopped.has(partition) || (low !== null && low <= position) ? low : position,
      null,
    );

  let pages = 0;
  /** Applies a page to the partitions that it advances. */
  const applyPage = async ({ events, endPosition }: EventPage): Promise<void> => {
    const runs = runsOf(events, endPosition);
    if (runs.length === 0) return;
    const failures = await apply(runs);
    for (const { partition } of runs) if (!failures.has(partition)) at.set(partition, endPosition);
    for (const [partition, failure] of failures) stopped.set(partition, failure);
    pages += 1;
  };

  /**
   * Reads and applies pages.
   * @returns the event that can't be decoded, if it stopped at one. Such an event blocks only its own partition.
   */
  const pass = async (after: bigint): Promise<EventDeserializationError | null> => {
    const wanted = { ...subscription(projection), excludeIds: passed, opaque: isParked, pageSize: PAGE };
    try {
      for await (const page of log.readAll(after, wanted)) {
        if (isOver()) return null;
        await applyPage(page);
        if (pages === MAX_PAGES || min() === null) return null;
      }
      return null;
    } catch (error) {
      if (error instanceof EventDeserializationError) return error;
      throw error;
    }
  };

  for (let after = min(); after !== null; after = min()) {
    const unreadable = await pass(after);
    if (unreadable === null) return stopped;
    const partition = partitionIn(unreadable.event.stream, from);
    // The event belongs to another partition, whose owner reports it.
    if (partition !== null) {
      if (await parking.park(unreadable)) continue;
      stopped.set(partition, unreadable);
    }
    passed.add(unreadable.event.id);
  }
  return stopped;
};
