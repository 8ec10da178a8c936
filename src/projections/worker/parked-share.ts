import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import { UnreadableEvent } from '../../write/log/read-door.ts';
import { beginsHold } from '../dead-letters/control.ts';
import { lateRetries } from '../dead-letters/late-retries.ts';
import { type ParkedStream, parkedStreams } from '../dead-letters/parked-rows.ts';
import type { Parking } from '../dead-letters/parking.ts';
import { planPage } from '../dead-letters/plan.ts';
import { type Checkpoints, placeIn } from '../places.ts';
import type { Projection } from '../projection.ts';
import type { Run, Steps } from '../steps.ts';
import type { UnhandledEvent } from '../unhandled.ts';

/** Told how far a place came, and whether that was all of its run. */
type OnReached = (place: string, reached: bigint, isDone: boolean) => Promise<void>;

/** Applies runs of a member's share, with the streams of it whose events are left in the dead-letter queue. */
export interface ParkedShare {
  /** Looks up what is parked of the places of a share. */
  reload(db: Queryable, at: Checkpoints): Promise<void>;
  isParked(event: RecordedEvent): boolean;
  /** @returns what places stopped at: events whose streams can't be parked. */
  take(runs: readonly Run[], onReached: OnReached): Promise<ReadonlyMap<string, UnhandledEvent>>;
  /** Applies what was retried at positions that the places are past: a partition has no retries in it. */
  takeRetried(at: Checkpoints): Promise<void>;
}

export const createParkedShare = (
  schema: string,
  steps: Steps,
  { log, projection, parking }: { log: EventLog; projection: Projection; parking: Parking },
): ParkedShare => {
  const parked = new Map<string, ParkedStream>();
  const context = () => ({ log, projection, control: parking.control() });

  const remember = ({ changes = [] }: Run, reached: bigint): void => {
    for (const { at, stream, row } of changes) {
      if (at > reached) continue;
      if (row === null) parked.delete(stream);
      else parked.set(stream, row);
    }
  };

  const planned = async (run: Run): Promise<Run> => ({
    ...run,
    ...(await planPage(run, { ...context(), parked })),
  });

  const take: ParkedShare['take'] = async (runs, onReached) => {
    const failures = new Map<string, UnhandledEvent>();
    for (let rest = runs; rest.length > 0; ) {
      const all = await Promise.all(rest.map(planned));
      const taken = await steps.take(all);
      const again: Run[] = [];
      for (const run of all) {
        const { reached, failure } = taken.get(run.place) ?? { reached: run.from, failure: null };
        remember(run, reached);
        await onReached(run.place, reached, failure === null);
        if (failure === null) continue;
        const events = run.events.filter(({ position }) => position > reached);
        if (await parking.park(failure)) again.push({ ...run, from: reached, events });
        else failures.set(run.place, failure);
      }
      rest = again;
    }
    return failures;
  };

  const takeRetried = async (at: Checkpoints): Promise<void> => {
    const late = await lateRetries(context(), parked, (stream) => at.get(placeIn(stream, at)) ?? null);
    for (const { stream, position, ...rest } of late) {
      const run = { place: placeIn(stream, at), from: position, through: position, ...rest };
      const { failure } = (await steps.take([run])).get(run.place) ?? { failure: null };
      if (failure === null) remember(run, position);
      // Up to the event that failed again it is taken at the next look.
      else if (!(await parking.park(failure))) throw failure;
    }
  };

  return {
    reload: async (db, at) => {
      parked.clear();
      for (const row of (await parkedStreams(db, schema)).values()) {
        if (at.has(placeIn(row.stream, at))) parked.set(row.stream, row);
      }
    },
    isParked: (event) => parked.has(event.stream) || beginsHold(parking.control(), event),
    take,
    takeRetried: async (at) => {
      if (parked.size === 0) return;
      await takeRetried(at).catch(async (error: unknown) => {
        if (!(error instanceof UnreadableEvent) || !(await parking.park(error))) throw error;
      });
    },
  };
};
