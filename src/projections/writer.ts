import type { Db } from '../kernel/postgres/pool.ts';
import { inTransaction } from '../kernel/postgres/pool.ts';
import type { EventPage } from '../write/log/port.ts';
import { checkpointOf, moveCheckpoint } from './builds.ts';
import type { Projection } from './projection.ts';

/** Folds pages of the log into one build, and knows how far it came. */
export interface Writer {
  readonly schema: string;
  /** Last position that is in the rows. */
  position(): bigint;
  /** @throws {LostPlace} where another writer was faster; nothing was written then. */
  write(page: EventPage): Promise<void>;
}

/** Opens a build for writing where its checkpoint stands. */
export const openWriter = async (db: Db, projection: Projection, schema: string): Promise<Writer> => {
  let position = await checkpointOf(db, schema);
  const fold = projection.open(schema);
  return {
    schema,
    position: () => position,
    write: async (page) => {
      if (page.through <= position) return;
      // Delivered again, from before the checkpoint: already in the rows.
      const events = page.events.filter((event) => event.position > position);
      try {
        await inTransaction(db, async (client) => {
          await moveCheckpoint(client, schema, position, page.through);
          if (events.length === 0) return;
          await fold.load(client, events);
          for (const event of events) fold.apply(event);
          await fold.store(client);
        });
      } catch (error) {
        fold.reset();
        throw error;
      }
      position = page.through;
    },
  };
};
