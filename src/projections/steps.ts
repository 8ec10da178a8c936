import type { Db, Queryable } from '../kernel/postgres/pool.ts';
import { inTransaction } from '../kernel/postgres/pool.ts';
import type { RecordedEvent } from '../write/log/port.ts';
import { moveCheckpoints } from './checkpoints.ts';
import type { Projection } from './projection.ts';
import { mayBeOfTheEvents, UnhandledEvent } from './unhandled.ts';

/** A run of one place's events. */
export interface Run {
  readonly place: string;
  /** Where the writer thinks that the place's checkpoint stands. */
  readonly from: bigint;
  readonly through: bigint;
  readonly events: readonly RecordedEvent[];
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

/** @param guard is asked in each transaction before anything of it is written. */
export const openSteps = (
  db: Db,
  projection: Projection,
  schema: string,
  guard: (db: Queryable) => Promise<void> = async () => undefined,
): Steps => {
  const fold = projection.open(schema);

  const step = async (client: Queryable, runs: readonly Run[]): Promise<void> => {
    await guard(client);
    await moveCheckpoints(
      client,
      schema,
      runs.map(({ through, ...run }) => ({ ...run, to: through })),
    );
    const events = runs.length === 1 ? (runs[0] as Run).events : runs.flatMap((run) => run.events);
    if (events.length === 0) return;
    await fold.load(client, events);
    for (const event of events) fold.apply(event);
    await fold.store(client);
  };

  /** Event by event; all of them where it was only together that they failed. */
  const takeSingly = ({ place, from, through, events, offset }: Run): Promise<Taken> =>
    inTransaction(db, async (client) => {
      let reached = from;
      for (const event of events) {
        await client.query('savepoint before_event');
        try {
          await step(client, [{ place, from: reached, through: event.position, events: [event] }]);
          await client.query('release savepoint before_event');
          reached = event.position;
        } catch (error) {
          fold.reset();
          // What a connection fails with is no event's fault: it can't go back either.
          await client.query('rollback to savepoint before_event').catch(() => {
            throw error;
          });
          if (!mayBeOfTheEvents(error)) throw error;
          return { reached, failure: new UnhandledEvent(projection.name, event, error) };
        }
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
