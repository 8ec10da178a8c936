import type { Db, Queryable } from '../../kernel/postgres/pool.ts';
import { inTransaction } from '../../kernel/postgres/pool.ts';
import { type ParkedChange, storeParked } from '../dead-letters/parked-rows.ts';
import type { AppliedEvent, Projection } from '../projection.ts';
import { ApplyEventError, isCausedByEvent, withConnectionErrors } from '../stalls/apply-event-error.ts';
import { advanceCheckpoints } from './checkpoint-store.ts';

/** A run of one partition's events. */
export interface PartitionBatch {
  readonly partition: string;
  /** Where the writer thinks that the partition's checkpoint stands. */
  readonly from: bigint;
  readonly endPosition: bigint;
  readonly events: readonly AppliedEvent[];
  /** Streams that become parked on the way, or are so no more. */
  readonly changes?: readonly ParkedChange[];
  /** Where Kafka has what comes after. */
  readonly offset?: bigint;
}

export interface BatchResult {
  readonly reached: bigint;
  readonly failure: ApplyEventError | null;
}

/** The steps by which a build's rows and its checkpoints move, always together. */
export interface BatchApplier {
  /**
   * Takes runs of different partitions in, all in one transaction; where an event can't be taken in, each run by itself,
   * up to the event, which is named.
   * @returns how far each partition came, and what it stopped at: null where it took all in.
   * @throws {CheckpointConflictError} where another writer was faster; whatever it throws, what was written is in the checkpoints.
   */
  apply(runs: readonly PartitionBatch[]): Promise<ReadonlyMap<string, BatchResult>>;
  /** Forgets the rows in memory: somebody else may have been here. */
  reset(): void;
}

/** What takes effect at one position of the log. */
interface Group {
  readonly at: bigint;
  readonly events: readonly AppliedEvent[];
  readonly changes: readonly ParkedChange[];
}

/** The events of a run with the changes of what is parked, by the positions that they take effect at, in order. */
const groupsOf = ({ events, changes = [] }: Pick<PartitionBatch, 'events' | 'changes'>): readonly Group[] => {
  const effect = (event: AppliedEvent) => event.appliedAt ?? event.position;
  const byPosition = Map.groupBy(events, effect);
  const changed = Map.groupBy(changes, ({ at }) => at);
  return [...new Set([...byPosition.keys(), ...changed.keys()])]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((at) => ({ at, events: byPosition.get(at) ?? [], changes: changed.get(at) ?? [] }));
};

/** @param guard is asked in each transaction before anything of it is written. */
export const openBatchApplier = (
  db: Db,
  projection: Projection,
  schema: string,
  guard: (db: Queryable) => Promise<void> = async () => undefined,
): BatchApplier => {
  const fold = projection.open(schema);

  const step = async (connection: Queryable, runs: readonly PartitionBatch[]): Promise<void> => {
    const client = withConnectionErrors(connection);
    await guard(client);
    await advanceCheckpoints(
      client,
      schema,
      runs.map(({ endPosition, ...run }) => ({ ...run, to: endPosition })),
    );
    const changes = runs.flatMap((run) => run.changes ?? []);
    if (changes.length > 0) await storeParked(client, schema, changes);
    const events = runs.length === 1 ? (runs[0] as PartitionBatch).events : runs.flatMap((run) => run.events);
    if (events.length === 0) return;
    await fold.load(client, events);
    for (const event of events) fold.apply(event);
    await fold.store(client);
  };

  /** @returns what a step fails with that its events may be the cause of; null where it is done. */
  const tryStep = async (
    client: Queryable,
    run: PartitionBatch,
  ): Promise<{ readonly cause: unknown } | null> => {
    await client.query('savepoint before_event');
    try {
      await step(client, [run]);
      await client.query('release savepoint before_event');
      return null;
    } catch (error) {
      fold.reset();
      // What a connection fails with is no event's fault: it can't go back either.
      await client.query('rollback to savepoint before_event').catch(() => {
        throw error;
      });
      if (!isCausedByEvent(error)) throw error;
      return { cause: error };
    }
  };

  /** Of events that take effect together, and fail together, the first with which they do. */
  const culpritOf = async (
    client: Queryable,
    run: PartitionBatch,
    cause: unknown,
  ): Promise<ApplyEventError> => {
    const { events } = run;
    let [good, bad, found] = [0, events.length, cause];
    while (bad - good > 1) {
      const middle = good + Math.floor((bad - good) / 2);
      const failed = await tryStep(client, { ...run, events: events.slice(0, middle), changes: [] });
      if (failed === null) {
        await client.query('rollback to savepoint before_group');
        fold.reset();
        good = middle;
      } else {
        [bad, found] = [middle, failed.cause];
      }
    }
    return new ApplyEventError(projection.name, events[bad - 1] as AppliedEvent, found);
  };

  /** Event by event; all of them where it was only together that they failed. */
  const applyOneByOne = ({
    partition,
    from,
    endPosition,
    offset,
    ...run
  }: PartitionBatch): Promise<BatchResult> =>
    inTransaction(db, async (client) => {
      let reached = from;
      for (const { at, events, changes } of groupsOf(run)) {
        await client.query('savepoint before_group');
        const group = { partition, from: reached, endPosition: at, events, changes };
        const failed = await tryStep(client, group);
        if (failed !== null) {
          // Without an event it is what was parked that can't be recorded: nobody's fault but the server's.
          if (events.length === 0) throw failed.cause;
          return { reached, failure: await culpritOf(client, group, failed.cause) };
        }
        await client.query('release savepoint before_group');
        reached = at;
      }
      const rest = {
        partition,
        from: reached,
        endPosition,
        events: [],
        ...(offset === undefined ? {} : { offset }),
      };
      if (reached < endPosition) await step(client, [rest]);
      return { reached: endPosition, failure: null };
    });

  /** What a failed step left in memory is worth nothing. */
  const orReset = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      fold.reset();
      throw error;
    }
  };

  const apply: BatchApplier['apply'] = async (runs) => {
    try {
      await orReset(inTransaction(db, (client) => step(client, runs)));
      return new Map(
        runs.map(({ partition, endPosition }) => [partition, { reached: endPosition, failure: null }]),
      );
    } catch (error) {
      if (!isCausedByEvent(error)) throw error;
    }
    const results = new Map<string, BatchResult>();
    for (const run of runs) results.set(run.partition, await orReset(applyOneByOne(run)));
    return results;
  };

  return { apply, reset: () => fold.reset() };
};
