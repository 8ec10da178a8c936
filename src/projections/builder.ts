import type { Db } from '../kernel/postgres/pool.ts';
import { inTransaction } from '../kernel/postgres/pool.ts';
import type { EventPage, RecordedEvent } from '../write/log/port.ts';
import { checkpointOf, moveCheckpoints } from './checkpoints.ts';
import { WHOLE } from './places.ts';
import type { Projection } from './projection.ts';
import { UnhandledEvent } from './unhandled.ts';

/**
 * Folds the log into a new build. Since nobody reads the build yet and a broken off one is dropped, rows may wait in
 * memory: what later events change again is written once, and pages are folded while the one before is written.
 */
export interface Builder {
  /** @throws {UnhandledEvent} where the event's handler fails. */
  write(page: EventPage): Promise<void>;
  /** Writes all that waited. Not before this are the rows those of the checkpoint. */
  finish(): Promise<void>;
  /** Settles, whatever came of it, when nothing is being written any more. */
  idle(): Promise<void>;
}

/** Opens a new build for folding the log into it. */
export const openBuilder = async (db: Db, projection: Projection, schema: string): Promise<Builder> => {
  let position = await checkpointOf(db, schema);
  const fold = projection.open(schema);
  const { building } = fold;
  let writing: Promise<void> = Promise.resolve();

  const applyNamed = (event: RecordedEvent): void => {
    try {
      fold.apply(event);
    } catch (error) {
      throw new UnhandledEvent(projection.name, event, error);
    }
  };

  const write = async (page: EventPage): Promise<void> => {
    if (building?.isFull() === true) {
      await writing;
      await inTransaction(db, (client) => fold.store(client));
    }
    await fold.load(db, page.events);
    for (const event of page.events) applyNamed(event);
    await writing;
    const from = position;
    position = page.through;
    writing = inTransaction(db, async (client) => {
      await moveCheckpoints(client, schema, [{ place: WHOLE, from, to: page.through }]);
      await (building === undefined ? fold.store(client) : building.spill(client));
    });
    // A failure is met at the next page, not as an unhandled rejection before.
    writing.catch(() => undefined);
    if (building === undefined) await writing;
  };

  return {
    write,
    finish: async () => {
      await writing;
      await inTransaction(db, (client) => fold.store(client));
    },
    idle: () => writing.catch(() => undefined),
  };
};
