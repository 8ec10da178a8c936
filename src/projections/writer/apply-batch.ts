import type { Db, Queryable } from '../../kernel/postgres/pool.ts';
import { inTransaction } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { advanceCheckpoints } from '../checkpoints/checkpoint-store.ts';
import { type ParkedChange, storeParked } from '../dead-letters/parked-rows.ts';
import type { AppliedEvent, Fold, Projection } from '../projection.ts';
import { ApplyEventError, isCausedByEvent, withConnectionErrors } from '../stalls/apply-event-error.ts';

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
