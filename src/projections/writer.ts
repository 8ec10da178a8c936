import type { Db } from '../kernel/postgres/pool.ts';
import type { EventLog, EventPage } from '../write/log/port.ts';
import { UnreadableEvent } from '../write/log/read-door.ts';
import { LostPlace, wholeAgain } from './checkpoints.ts';
import { lateRetries } from './dead-letters/late-retries.ts';
import { type ParkedChange, type ParkedStream, parkedStreams } from './dead-letters/parked-rows.ts';
import type { Parking } from './dead-letters/parking.ts';
import { isRetry, type Plan, planPage } from './dead-letters/plan.ts';
import { checkpointsOf, placeIn, WHOLE } from './places.ts';
import type { Projection } from './projection.ts';
import { openSteps, type Run } from './steps.ts';
import type { UnhandledEvent } from './unhandled.ts';

/** Folds pages of the log into one build, and knows how far it came. */
export interface Writer {
  readonly schema: string;
  /** Last position up to which all is in the rows. */
  position(): bigint;
  /** Whether what a stream says is left in the dead-letter queue. */
  isParked(stream: string): boolean;
  /**
   * @throws {LostPlace} where another writer was faster; nothing was written then.
   * @throws {UnhandledEvent} where an event can't be taken in and its stream can't be parked; those before it were.
   */
  write(page: EventPage): Promise<void>;
}

/** The way to park streams, and the log that their events are read from again. */
export interface WriterParking {
  readonly log: EventLog;
  readonly parking: Parking;
}

/**
 * Opens a build for writing where its checkpoints stand. One that Kafka's workers wrote to has many: its places are
 * caught up with each from where it is, and are one again from then on.
 * @param deadLetters where it is not given, no stream is parked.
 */
export const openWriter = async (
  db: Db,
  projection: Projection,
  schema: string,
  deadLetters?: WriterParking,
): Promise<Writer> => {
  const reached = new Map(await checkpointsOf(db, schema));
  if (reached.size === 0) throw new LostPlace(schema);
  const steps = openSteps(db, projection, schema);
  const parked = new Map<string, ParkedStream>(await parkedStreams(db, schema));

  const isDone = (stream: string, position: bigint): boolean =>
    position <= (reached.get(placeIn(stream, reached)) ?? -1n);

  const plan = async (page: EventPage): Promise<Plan> => {
    if (deadLetters === undefined) return { events: page.events, changes: [] };
    const { log, parking } = deadLetters;
    // What is retried may be so without an event that is skipped since.
    const control = page.events.some(isRetry) ? await parking.reload() : parking.control();
    return planPage(page, { log, projection, control, parked, isDone });
  };

  /** What of a page is new, by place. Delivered again, from before a checkpoint: already in the rows. */
  const runsOf = ({ events, changes }: Plan, through: bigint): Run[] =>
    [...reached].flatMap(([place, from]) => {
      if (from >= through) return [];
      const isOf = (stream: string, position: bigint) =>
        position > from && placeIn(stream, reached) === place;
      const own = events.filter((event) => isOf(event.stream, event.appliedAt ?? event.position));
      return [
        { place, from, through, events: own, changes: changes.filter(({ stream, at }) => isOf(stream, at)) },
      ];
    });

  const remember = (changes: readonly ParkedChange[] = []) => {
    for (const { stream, row } of changes) {
      if (row === null) parked.delete(stream);
      else parked.set(stream, row);
    }
  };

  /** What was retried while workers kept the build, each place a little later than the log says. */
  const lateRuns = async (): Promise<Run[]> => {
    if (deadLetters === undefined || parked.size === 0) return [];
    const context = { log: deadLetters.log, projection, control: deadLetters.parking.control() };
    const late = await lateRetries(
      context,
      parked,
      (stream) => reached.get(placeIn(stream, reached)) ?? null,
    );
    return late.map(({ stream, position, ...rest }) => {
      return { place: placeIn(stream, reached), from: position, through: position, ...rest };
    });
  };

  /** @returns what it stopped at; null where all of it is in the rows. */
  const tryWrite = async (page: EventPage): Promise<UnhandledEvent | null> => {
    for (const run of await lateRuns()) {
      const failure = await take([run]);
      if (failure !== null) return failure;
    }
    const runs = runsOf(await plan(page), page.through);
    return runs.length === 0 ? null : take(runs);
  };

  const take = async (runs: readonly Run[]): Promise<UnhandledEvent | null> => {
    const taken = await steps.take(runs);
    for (const { place, changes = [] } of runs) {
      const position = taken.get(place)?.reached ?? 0n;
      remember(changes.filter(({ at }) => at <= position));
    }
    for (const [place, { reached: position }] of taken) reached.set(place, position);
    return [...taken.values()].find(({ failure }) => failure !== null)?.failure ?? null;
  };

  const write = async (page: EventPage): Promise<void> => {
    for (;;) {
      const failure = await tryWrite(page).catch((error: unknown) => {
        if (error instanceof UnreadableEvent) return error;
        throw error;
      });
      if (failure === null) return;
      if ((await deadLetters?.parking.park(failure)) !== true) throw failure;
    }
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
    isParked: (stream) => parked.has(stream),
    write: async (page) => {
      await write(page);
      await join();
    },
  };
};
