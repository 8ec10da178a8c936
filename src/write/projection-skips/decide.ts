import type { Decider } from '../log/command-handler.ts';
import type { ProjectionEvent } from './events.ts';

export interface ProjectionState {
  /** Ids of the events that the projection does without. */
  readonly skipped: ReadonlySet<string>;
  /** The event that a stream is parked for, by version and stream; none where it was retried since. */
  readonly parkedFor: ReadonlyMap<string, string>;
}

const keyOf = (version: number, stream: string): string => `${version} ${stream}`;

export const projectionDecider: Decider<ProjectionState, ProjectionEvent> = {
  initial: { skipped: new Set(), parkedFor: new Map() },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ProjectionEventSkipped':
        return { ...state, skipped: new Set(state.skipped).add(event.data.event_id) };
      case 'ProjectionStreamParked': {
        const { version, stream, event_id } = event.data;
        return { ...state, parkedFor: new Map(state.parkedFor).set(keyOf(version, stream), event_id) };
      }
      case 'ProjectionStreamRetried': {
        const parkedFor = new Map(state.parkedFor);
        parkedFor.delete(keyOf(event.data.version, event.data.stream));
        return { ...state, parkedFor };
      }
    }
  },
};

type DataOf<Type extends ProjectionEvent['type']> = Extract<ProjectionEvent, { type: Type }>['data'];

/** An event is skipped once: the same command again, with whatever reason, changes nothing. */
export const skip =
  (data: DataOf<'ProjectionEventSkipped'>) =>
  (state: ProjectionState): readonly ProjectionEvent[] =>
    state.skipped.has(data.event_id) ? [] : [{ type: 'ProjectionEventSkipped', data }];

/** A stream that is parked already, for whichever event, stays as it is. */
export const parkStream =
  (data: DataOf<'ProjectionStreamParked'>) =>
  (state: ProjectionState): readonly ProjectionEvent[] =>
    state.parkedFor.has(keyOf(data.version, data.stream)) ? [] : [{ type: 'ProjectionStreamParked', data }];

/** Only what is parked for the very event is retried: a retry that is asked for twice is one. */
export const retryStream =
  (data: DataOf<'ProjectionStreamRetried'>) =>
  (state: ProjectionState): readonly ProjectionEvent[] =>
    state.parkedFor.get(keyOf(data.version, data.stream)) === data.event_id
      ? [{ type: 'ProjectionStreamRetried', data }]
      : [];
