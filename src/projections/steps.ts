import type { Db, Queryable } from '../kernel/postgres/pool.ts';
import { inTransaction } from '../kernel/postgres/pool.ts';
import { moveCheckpoints } from './checkpoints.ts';
import { type ParkedChange, storeParked } from './dead-letters/parked-rows.ts';
import type { AppliedEvent, Projection } from './projection.ts';
import { mayBeOfTheEvents, UnhandledEvent, watched } from './unhandled.ts';

/** A run of one place's events. */
export interface Run {
  readonly place: string;
  /** Where the writer thinks that the place's checkpoint stands. */
  readonly from: bigint;
  readonly through: bigint;
  readonly events: readonly AppliedEvent[];
  /** Streams that become parked on the way, or are so no more. */
  readonly changes?: readonly ParkedChange[];
  /** Where Kafka has what comes after. */
  readonly offset?: bigint;
}

export interface Taken {
  readonly reached: bigint;
  readonly failure: UnhandledEvent | null;
}

/** The steps by which a build's rows and its checkpoints move, always together. */
export interface Steps {
  /**
   * Takes runs of different places in, all in one transaction; where an event can't be taken in, each run by itself,
   * up to the event, which is named.
   * @returns how far each place came, and what it stopped at: null where it took all in.
   * @throws {LostPlace} where another writer was faster; whatever it throws, what was written is in the checkpoints.
   */
  take(runs: readonly Run[]): Promise<ReadonlyMap<string, Taken>>;
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
const groupsOf = ({ events, changes = [] }: Pick<Run, 'events' | 'changes'>): readonly Group[] => {
  const effect = (event: AppliedEvent) => event.appliedAt ?? event.position;
  const byPosition = Map.groupBy(events, effect);
  const changed = Map.groupBy(changes, ({ at }) => at);
  return [...new Set([...byPosition.keys(), ...changed.keys()])]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((at) => ({ at, events: byPosition.get(at) ?? [], changes: changed.get(at) ?? [] }));
};

/** @param guard is asked in each transaction before anything of it is written. */
export const openSteps = (
  db: Db,
  projection: Projection,
  schema: string,
  guard: (db: Queryable) => Promise<void> = async () => undefined,
): Steps => {
  const fold = projection.open(schema);

  const step = async (connection: Queryable, runs: readonly Run[]): Promise<void> => {
    const client = watched(connection);
    await guard(client);
    await moveCheckpoints(
      client,
      schema,
      runs.map(({ through, ...run }) => ({ ...run, to: through })),
    );
    const changes = runs.flatMap((run) => run.changes ?? []);
    if (changes.length > 0) await storeParked(client, schema, changes);
    const events = runs.length === 1 ? (runs[0] as Run).events : runs.flatMap((run) => run.events);
    if (events.length === 0) return;
    await fold.load(client, events);
    for (const event of events) fold.apply(event);
    await fold.store(client);
  };

  /** @returns what a step fails with that its events may be the cause of; null where it is done. */
  const tryStep = async (client: Queryable, run: Run): Promise<{ readonly cause: unknown } | null> => {
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
      if (!mayBeOfTheEvents(error)) throw error;
      return { cause: error };
    }
  };

  /** Of events that take effect together, and fail together, the first with which they do. */
  const culpritOf = async (client: Queryable, run: Run, cause: unknown): Promise<UnhandledEvent> => {
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
    return new UnhandledEvent(projection.name, events[bad - 1] as AppliedEvent, found);
  };

  /** Event by event; all of them where it was only together that they failed. */
  const takeSingly = ({ place, from, through, offset, ...run }: Run): Promise<Taken> =>
    inTransaction(db, async (client) => {
      let reached = from;
      for (const { at, events, changes } of groupsOf(run)) {
        await client.query('savepoint before_group');
        const group = { place, from: reached, through: at, events, changes };
        const failed = await tryStep(client, group);
        if (failed !== null) {
          // Without an event it is what was parked that can't be recorded: nobody's fault but the server's.
          if (events.length === 0) throw failed.cause;
          return { reached, failure: await culpritOf(client, group, failed.cause) };
        }
        await client.query('release savepoint before_group');
        reached = at;
      }
      const rest = { place, from: reached, through, events: [], ...(offset === undefined ? {} : { offset }) };
      if (reached < through) await step(client, [rest]);
      return { reached: through, failure: null };
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

  const take: Steps['take'] = async (runs) => {
    try {
      await orReset(inTransaction(db, (client) => step(client, runs)));
      return new Map(runs.map(({ place, through }) => [place, { reached: through, failure: null }]));
    } catch (error) {
      if (!mayBeOfTheEvents(error)) throw error;
    }
    const taken = new Map<string, Taken>();
    for (const run of runs) taken.set(run.place, await orReset(takeSingly(run)));
    return taken;
  };

  return { take, reset: () => fold.reset() };
};
