import type { Db, Queryable } from '../kernel/postgres/pool.ts';
import { inTransaction } from '../kernel/postgres/pool.ts';
import type { EventPage, RecordedEvent } from '../write/log/port.ts';
import { checkpointOf, moveCheckpoint } from './builds.ts';
import type { Projection } from './projection.ts';
import { mayBeOfTheEvents, UnhandledEvent } from './unhandled.ts';

/** Folds pages of the log into one build, and knows how far it came. */
export interface Writer {
  readonly schema: string;
  /** Last position that is in the rows. */
  position(): bigint;
  /**
   * @throws {LostPlace} where another writer was faster; nothing was written then.
   * @throws {UnhandledEvent} where an event can't be taken in; those before it were.
   */
  write(page: EventPage): Promise<void>;
}

/** Opens a build for writing where its checkpoint stands. */
export const openWriter = async (db: Db, projection: Projection, schema: string): Promise<Writer> => {
  let position = await checkpointOf(db, schema);
  const fold = projection.open(schema);

  const step = async (
    client: Queryable,
    from: bigint,
    events: readonly RecordedEvent[],
    through: bigint,
  ): Promise<void> => {
    await moveCheckpoint(client, schema, from, through);
    if (events.length === 0) return;
    await fold.load(client, events);
    for (const event of events) fold.apply(event);
    await fold.store(client);
  };

  /** Folds events up to one that can't be, which is named; all of them where it was only together that they failed. */
  const stepByStep = (events: readonly RecordedEvent[], through: bigint) =>
    inTransaction(db, async (client) => {
      let reached = position;
      for (const event of events) {
        await client.query('savepoint before_event');
        try {
          await step(client, reached, [event], event.position);
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
      if (reached < through) await moveCheckpoint(client, schema, reached, through);
      return { reached: through, failure: null };
    });

  const write = async (page: EventPage): Promise<void> => {
    // Delivered again, from before the checkpoint: already in the rows.
    const events = page.events.filter((event) => event.position > position);
    try {
      await inTransaction(db, (client) => step(client, position, events, page.through));
      position = page.through;
      return;
    } catch (error) {
      fold.reset();
      if (!mayBeOfTheEvents(error)) throw error;
    }
    const { reached, failure } = await stepByStep(events, page.through);
    position = reached;
    if (failure !== null) throw failure;
  };

  return {
    schema,
    position: () => position,
    write: async (page) => {
      if (page.through <= position) return;
      try {
        await write(page);
      } catch (error) {
        fold.reset();
        throw error;
      }
    },
  };
};
