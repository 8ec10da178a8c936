/** Applies pages of the log to a build, in transactions with its checkpoints. */

import { type Db, inTransaction, type Queryable } from '../kernel/postgres/pool.ts';
import { sql } from '../kernel/postgres/statement.ts';
import { EventDeserializationError } from '../write/log/codec.ts';
import type { EventLog, EventPage } from '../write/log/port.ts';
import {
  advanceCheckpoints,
  CheckpointConflictError,
  checkpointsOf,
  deliveriesOf,
  minPosition,
  partitionIn,
  partitionOf,
  positionIn,
} from './checkpoints.ts';
import {
  isRetry,
  lateRetries,
  type ParkedChange,
  type ParkedStream,
  type Parking,
  type Plan,
  parkedStreams,
  planPage,
  storeParked,
} from './dead-letters/parking.ts';
import { type AppliedEvent, type Fold, type Projection, UNPARTITIONED } from './projection.ts';
import { ApplyEventError, isCausedByEvent, withConnectionErrors } from './stalls.ts';

/** Poison events by the partition that stalls at them: their streams can't be parked. */
export type Stalled = ReadonlyMap<string, ApplyEventError | EventDeserializationError>;

/** Applies pages of the log to partitions of one build and tracks their checkpoints. */
export interface Writer {
  readonly schema: string;
  /** The last position up to which every event is applied. */
  position(): bigint;
  /** Whether the stream is in the dead-letter queue. */
  isParked(stream: string): boolean;
  /**
   * Applies a page to every partition, in one transaction unless an event fails.
   * @returns the partitions that stall at an event of the page; the others have all of it, unless an event of a
   * retried stream can't be decoded.
   * @throws {CheckpointConflictError} if another writer moved a checkpoint; nothing was written then.
   */
  advance(page: EventPage): Promise<Stalled>;
  /**
   * The same for a caller that can't continue without one of the partitions.
   * @throws {ApplyEventError | EventDeserializationError} for a partition that stalls.
   */
  write(page: EventPage): Promise<void>;
}

/** Access to the dead-letter queue, and to the log to read queued events again. */
export interface WriterParking {
  readonly log: EventLog;
  readonly parking: Parking;
}

/**
 * Opens partitions of a build for writing at their checkpoints. Partitions at different positions are caught up from
 * their own.
 * @param deadLetters without it, no stream is parked.
 * @param partitions by default all that the build has.
 * @throws {CheckpointConflictError} if the build does not have these partitions, or is gone.
 */
export const openWriter = async (
  db: Db,
  projection: Projection,
  schema: string,
  deadLetters?: WriterParking,
  partitions?: readonly string[],
): Promise<Writer> => {
  const reached = new Map(await checkpointsOf(db, schema));
  if (partitions !== undefined) {
    for (const partition of reached.keys()) if (!partitions.includes(partition)) reached.delete(partition);
  }
  if (reached.size === 0 || reached.size < (partitions?.length ?? 0)) {
    throw new CheckpointConflictError(schema);
  }
  const applier = openBatchApplier(db, projection, schema);
  const parked = new Map<string, ParkedStream>(
    [...(await parkedStreams(db, schema))].filter(([stream]) => partitionIn(stream, reached) !== null),
  );

  const isDone = (stream: string, position: bigint): boolean =>
    position <= (positionIn(stream, reached) ?? -1n);

  const plan = async (page: EventPage): Promise<Plan> => {
    if (deadLetters === undefined) return { events: page.events, changes: [] };
    const { log, parking } = deadLetters;
    // A retry may exclude an event that has been skipped since.
    const control = page.events.some(isRetry) ? await parking.reload() : parking.control();
    return planPage(page, { log, projection, control, parked, isDone });
  };

  /**
   * The new events of a page, by partition. Events at or before a checkpoint were delivered again and are dropped.
   */
  const runsOf = ({ events, changes }: Plan, endPosition: bigint, stalled: Stalled): PartitionBatch[] => {
    const runs = new Map<string, { from: bigint; events: AppliedEvent[]; changes: ParkedChange[] }>();
    for (const [partition, from] of reached) {
      if (from < endPosition && !stalled.has(partition)) {
        runs.set(partition, { from, events: [], changes: [] });
      }
    }
    const runOf = (partition: string | null) => (partition === null ? undefined : runs.get(partition));
    for (const event of events) {
      const at = event.appliedAt ?? event.position;
      for (const delivery of deliveriesOf(event, reached)) {
        const run = runOf(partitionOf(delivery, reached));
        if (run !== undefined && at > run.from) run.events.push(delivery);
      }
    }
    for (const change of changes) {
      const run = runOf(partitionIn(change.stream, reached));
      if (run !== undefined && change.at > run.from) run.changes.push(change);
    }
    return [...runs].map(([partition, run]) => ({ partition, endPosition, ...run }));
  };

  const remember = (changes: readonly ParkedChange[] = []) => {
    for (const { stream, row } of changes) {
      if (row === null) parked.delete(stream);
      else parked.set(stream, row);
    }
  };

  /**
   * Streams retried while Kafka consumers maintained the build; each partition applies them later than the log
   * does.
   */
  const lateRuns = async (): Promise<PartitionBatch[]> => {
    if (deadLetters === undefined || parked.size === 0) return [];
    const context = { log: deadLetters.log, projection, control: deadLetters.parking.control() };
    const late = await lateRetries(context, parked, (stream) => positionIn(stream, reached));
    return late.map(({ stream, position, ...rest }) => ({
      partition: partitionIn(stream, reached) ?? UNPARTITIONED,
      from: position,
      endPosition: position,
      ...rest,
    }));
  };

  const apply = async (runs: readonly PartitionBatch[]): Promise<Stalled> => {
    const results = await applier.apply(runs);
    for (const { partition, changes = [] } of runs) {
      const position = results.get(partition)?.reached ?? 0n;
      remember(changes.filter(({ at }) => at <= position));
    }
    for (const [partition, { reached: position }] of results) reached.set(partition, position);
    return new Map(
      [...results].flatMap(([partition, { failure }]) => (failure === null ? [] : [[partition, failure]])),
    );
  };

  /** @param stalled partitions to leave out. @returns those that can't apply an event of the page. */
  const tryAdvance = async (page: EventPage, stalled: Stalled): Promise<Stalled> => {
    for (const run of await lateRuns()) {
      const failures = stalled.has(run.partition) ? new Map() : await apply([run]);
      if (failures.size > 0) return failures;
    }
    const runs = runsOf(await plan(page), page.endPosition, stalled);
    return runs.length === 0 ? new Map() : apply(runs);
  };

  const advance: Writer['advance'] = async (page) => {
    const stalled = new Map<string, ApplyEventError | EventDeserializationError>();
    for (;;) {
      try {
        const failures = await tryAdvance(page, stalled);
        if (failures.size === 0) return stalled;
        for (const [partition, failure] of failures) {
          if ((await deadLetters?.parking.park(failure)) !== true) stalled.set(partition, failure);
        }
      } catch (error) {
        // An event of a retried stream: without it the page can't be planned.
        if (!(error instanceof EventDeserializationError)) throw error;
        if ((await deadLetters?.parking.park(error)) !== true) {
          return stalled.set(partitionIn(error.event.stream, reached) ?? UNPARTITIONED, error);
        }
      }
    }
  };

  return {
    schema,
    position: () => minPosition(reached),
    isParked: (stream) => parked.has(stream),
    advance,
    write: async (page) => {
      for (const failure of (await advance(page)).values()) throw failure;
    },
  };
};

/** Consecutive events of one partition. */
export interface PartitionBatch {
  readonly partition: string;
  /** The partition's checkpoint as the writer expects it. */
  readonly from: bigint;
  readonly endPosition: bigint;
  readonly events: readonly AppliedEvent[];
  /** Streams that are parked or unparked within the batch. */
  readonly changes?: readonly ParkedChange[];
  /** Kafka offset of the next message. */
  readonly offset?: bigint;
}

export interface BatchResult {
  readonly reached: bigint;
  readonly failure: ApplyEventError | null;
}

/** Applies batches to a build. Rows and checkpoints always advance in the same transaction. */
export interface BatchApplier {
  /**
   * Applies batches of different partitions in one transaction. If an event fails, each batch is applied on its
   * own, up to its poison event.
   * @returns per partition the position reached, and the failure that stopped it or null.
   * @throws {CheckpointConflictError} if another writer moved a checkpoint; whatever it throws, the rows match the
   * checkpoints.
   */
  apply(runs: readonly PartitionBatch[]): Promise<ReadonlyMap<string, BatchResult>>;
  /** Discards rows cached in memory, which another writer may have changed. */
  reset(): void;
}

/** The events and changes that take effect at one position of the log. */
interface Group {
  readonly at: bigint;
  readonly events: readonly AppliedEvent[];
  readonly changes: readonly ParkedChange[];
}

/** A batch's events and parked-stream changes grouped by the position at which they take effect, in order. */
const groupsOf = ({ events, changes = [] }: Pick<PartitionBatch, 'events' | 'changes'>): readonly Group[] => {
  const effect = (event: AppliedEvent) => event.appliedAt ?? event.position;
  const byPosition = Map.groupBy(events, effect);
  const changed = Map.groupBy(changes, ({ at }) => at);
  return [...new Set([...byPosition.keys(), ...changed.keys()])]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((at) => ({ at, events: byPosition.get(at) ?? [], changes: changed.get(at) ?? [] }));
};

/** Applies batches with one fold, whose rows in memory are those of the checkpoints. */
class FoldApplier implements BatchApplier {
  readonly #db: Db;
  readonly #projection: Projection;
  readonly #schema: string;
  readonly #guard: (db: Queryable) => Promise<void>;
  readonly #fold: Fold;

  constructor(db: Db, projection: Projection, schema: string, guard: (db: Queryable) => Promise<void>) {
    this.#db = db;
    this.#projection = projection;
    this.#schema = schema;
    this.#guard = guard;
    this.#fold = projection.open(schema);
  }

  async apply(runs: readonly PartitionBatch[]): Promise<ReadonlyMap<string, BatchResult>> {
    try {
      await this.#orReset(inTransaction(this.#db, (client) => this.#step(client, runs)));
      return new Map(
        runs.map(({ partition, endPosition }) => [partition, { reached: endPosition, failure: null }]),
      );
    } catch (error) {
      if (!isCausedByEvent(error)) throw error;
    }
    const results = new Map<string, BatchResult>();
    for (const run of runs) results.set(run.partition, await this.#orReset(this.#applyOneByOne(run)));
    return results;
  }

  reset(): void {
    this.#fold.reset();
  }

  async #step(connection: Queryable, runs: readonly PartitionBatch[]): Promise<void> {
    const client = withConnectionErrors(connection);
    await this.#guard(client);
    await advanceCheckpoints(
      client,
      this.#schema,
      runs.map(({ endPosition, ...run }) => ({ ...run, to: endPosition })),
    );
    const changes = runs.flatMap((run) => run.changes ?? []);
    if (changes.length > 0) await storeParked(client, this.#schema, changes);
    const events = runs.length === 1 ? (runs[0] as PartitionBatch).events : runs.flatMap((run) => run.events);
    if (events.length === 0) return;
    await this.#fold.load(client, events);
    for (const event of events) this.#fold.apply(event);
    await this.#fold.store(client);
  }

  /** @returns the failure of a step if its events may have caused it; null if it succeeded. */
  async #tryStep(client: Queryable, run: PartitionBatch): Promise<{ readonly cause: unknown } | null> {
    await client.query(sql`savepoint before_event`);
    try {
      await this.#step(client, [run]);
      await client.query(sql`release savepoint before_event`);
      return null;
    } catch (error) {
      this.reset();
      // A connection failure is not caused by an event; the rollback fails with it.
      await client.query(sql`rollback to savepoint before_event`).catch(() => {
        throw error;
      });
      if (!isCausedByEvent(error)) throw error;
      return { cause: error };
    }
  }

  /** The first event of a group with which applying it fails. */
  async #findPoisonEvent(client: Queryable, run: PartitionBatch, cause: unknown): Promise<ApplyEventError> {
    const { events } = run;
    let [good, bad, found] = [0, events.length, cause];
    while (bad - good > 1) {
      const middle = good + Math.floor((bad - good) / 2);
      const failed = await this.#tryStep(client, { ...run, events: events.slice(0, middle), changes: [] });
      if (failed === null) {
        await client.query(sql`rollback to savepoint before_group`);
        this.reset();
        good = middle;
      } else {
        [bad, found] = [middle, failed.cause];
      }
    }
    return new ApplyEventError(this.#projection.name, events[bad - 1] as AppliedEvent, found);
  }

  /** Applies event by event. Succeeds if the events failed only in combination. */
  #applyOneByOne({ partition, from, endPosition, offset, ...run }: PartitionBatch): Promise<BatchResult> {
    return inTransaction(this.#db, async (client) => {
      let reached = from;
      for (const { at, events, changes } of groupsOf(run)) {
        await client.query(sql`savepoint before_group`);
        const group = { partition, from: reached, endPosition: at, events, changes };
        const failed = await this.#tryStep(client, group);
        if (failed !== null) {
          // No event in the group: recording a parked stream failed, which is a server failure.
          if (events.length === 0) throw failed.cause;
          return { reached, failure: await this.#findPoisonEvent(client, group, failed.cause) };
        }
        await client.query(sql`release savepoint before_group`);
        reached = at;
      }
      const rest = {
        partition,
        from: reached,
        endPosition,
        events: [],
        ...(offset === undefined ? {} : { offset }),
      };
      if (reached < endPosition) await this.#step(client, [rest]);
      return { reached: endPosition, failure: null };
    });
  }

  /** Discards the in-memory rows of a failed step. */
  async #orReset<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.reset();
      throw error;
    }
  }
}

/** @param guard runs at the start of each transaction. */
export const openBatchApplier = (
  db: Db,
  projection: Projection,
  schema: string,
  guard: (db: Queryable) => Promise<void> = async () => undefined,
): BatchApplier => new FoldApplier(db, projection, schema, guard);
