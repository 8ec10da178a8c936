import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import { UnreadableEvent } from '../../write/log/read-door.ts';
import type { Parking } from '../dead-letters/parking.ts';
import { placeIn } from '../places.ts';
import type { Projection } from '../projection.ts';
import { subscription } from '../skips.ts';
import type { Run } from '../steps.ts';
import type { UnhandledEvent } from '../unhandled.ts';

const PAGE = 2_000;

export interface CatchUp {
  readonly log: EventLog;
  readonly projection: Projection;
  readonly parking: Parking;
  /** Whether an event is of a stream that is parked. */
  readonly isParked: (event: RecordedEvent) => boolean;
  /**
   * Takes runs in, and moves the places on.
   * @returns the places that stopped, each at an event.
   */
  readonly take: (runs: readonly Run[]) => Promise<ReadonlyMap<string, UnhandledEvent>>;
  /** Whether it is to be given up: the places have gone to somebody else. */
  readonly isOver: () => boolean;
}

/** Pages that are read before the other places get their turn again. */
const MOST_PAGES = 20;

/**
 * Brings places towards the end of the log, as it is now, by reading the log itself: for what Kafka did not bring.
 * @param from the places and where they stand.
 * @returns the places that stopped, each at an event.
 */
export const fromLog = async (
  from: ReadonlyMap<string, bigint>,
  { log, projection, parking, isParked, take, isOver }: CatchUp,
): Promise<ReadonlyMap<string, UnhandledEvent | UnreadableEvent>> => {
  const at = new Map(from);
  const stopped = new Map<string, UnhandledEvent | UnreadableEvent>();
  const passed = new Set(parking.control().skipped);

  const runsOf = (events: readonly RecordedEvent[], through: bigint): Run[] => {
    const byPlace = Map.groupBy(events, ({ stream }) => placeIn(stream, from));
    return [...at].flatMap(([place, position]) => {
      if (position >= through || stopped.has(place)) return [];
      const own = (byPlace.get(place) ?? []).filter((event) => event.position > position);
      return [{ place, from: position, through, events: own }];
    });
  };

  const least = () =>
    [...at].reduce<bigint | null>(
      (low, [place, position]) => (stopped.has(place) || (low !== null && low <= position) ? low : position),
      null,
    );

  let pages = 0;
  /** @returns the event that can't be read, and holds up its own place only. */
  const pass = async (after: bigint): Promise<UnreadableEvent | null> => {
    const wanted = { ...subscription(projection), without: passed, opaque: isParked, pageSize: PAGE };
    try {
      for await (const { events, through } of log.readAll(after, wanted)) {
        if (isOver()) return null;
        const runs = runsOf(events, through);
        if (runs.length === 0) continue;
        const failures = await take(runs);
        for (const { place } of runs) if (!failures.has(place)) at.set(place, through);
        for (const [place, failure] of failures) stopped.set(place, failure);
        pages += 1;
        if (pages === MOST_PAGES || least() === null) return null;
      }
      return null;
    } catch (error) {
      if (error instanceof UnreadableEvent) return error;
      throw error;
    }
  };

  for (let after = least(); after !== null; after = least()) {
    const unreadable = await pass(after);
    if (unreadable === null) return stopped;
    const place = placeIn(unreadable.event.stream, from);
    // Another's is the business of whoever has it.
    if (from.has(place)) {
      if (await parking.park(unreadable)) continue;
      stopped.set(place, unreadable);
    }
    passed.add(unreadable.event.id);
  }
  return stopped;
};
