import type { Db } from '../kernel/postgres/pool.ts';
import type { EventPage } from '../write/log/port.ts';
import { LostPlace, wholeAgain } from './checkpoints.ts';
import { checkpointsOf, placeIn, WHOLE } from './places.ts';
import type { Projection } from './projection.ts';
import { openSteps, type Run } from './steps.ts';

/** Folds pages of the log into one build, and knows how far it came. */
export interface Writer {
  readonly schema: string;
  /** Last position up to which all is in the rows. */
  position(): bigint;
  /**
   * @throws {LostPlace} where another writer was faster; nothing was written then.
   * @throws {UnhandledEvent} where an event can't be taken in; those before it were.
   */
  write(page: EventPage): Promise<void>;
}

/**
 * Opens a build for writing where its checkpoints stand. One that Kafka's workers wrote to has many: its places are
 * caught up with each from where it is, and are one again from then on.
 */
export const openWriter = async (db: Db, projection: Projection, schema: string): Promise<Writer> => {
  const reached = new Map(await checkpointsOf(db, schema));
  if (reached.size === 0) throw new LostPlace(schema);
  const steps = openSteps(db, projection, schema);

  /** What of a page is new, by place. Delivered again, from before a checkpoint: already in the rows. */
  const runsOf = ({ events, through }: EventPage): Run[] => {
    const runs = [...reached].flatMap(([place, from]) =>
      from < through ? [{ place, from, through, events }] : [],
    );
    return runs.map((run) => ({
      ...run,
      events: events.filter(
        ({ position, stream }) => position > run.from && placeIn(stream, reached) === run.place,
      ),
    }));
  };

  const write = async (page: EventPage): Promise<void> => {
    const runs = runsOf(page);
    if (runs.length === 0) return;
    const taken = await steps.take(runs);
    for (const [place, { reached: position }] of taken) reached.set(place, position);
    for (const { failure } of taken.values()) if (failure !== null) throw failure;
  };

  const join = async (): Promise<void> => {
    const positions = new Set(reached.values());
    const [position] = positions;
    if (reached.has(WHOLE) || positions.size > 1 || position === undefined) return;
    await wholeAgain(db, schema, reached.size, position);
    reached.clear();
    reached.set(WHOLE, position);
  };

  return {
    schema,
    position: () => [...reached.values()].reduce((least, position) => (position < least ? position : least)),
    write: async (page) => {
      await write(page);
      await join();
    },
  };
};
