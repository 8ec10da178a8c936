import type { Decider } from '../log/command-handler.ts';
import type { ProjectionEvent } from './events.ts';

export interface ProjectionState {
  /** IDs of the skipped events. */
  readonly skipped: ReadonlySet<string>;
  /** The event that a stream is parked for, by version and stream; absent once retried. */
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

/** Skips an event. Idempotent: a second skip, for whatever reason, changes nothing. */
export const skip =
  (data: DataOf<'ProjectionEventSkipped'>) =>
  (state: ProjectionState): readonly ProjectionEvent[] =>
    state.skipped.has(data.event_id) ? [] : [{ type: 'ProjectionEventSkipped', data }];

/** Parks a stream, unless it is parked already, for whichever event. */
export const parkStream =
  (data: DataOf<'ProjectionStreamParked'>) =>
  (state: ProjectionState): readonly ProjectionEvent[] =>
    state.parkedFor.has(keyOf(data.version, data.stream)) ? [] : [{ type: 'ProjectionStreamParked', data }];

/** Retries a stream only if it is parked for that event, so that a repeated retry changes nothing. */
export const retryStream =
  (data: DataOf<'ProjectionStreamRetried'>) =>
  (state: ProjectionState): readonly ProjectionEvent[] =>
    state.parkedFor.get(keyOf(data.version, data.stream)) === data.event_id
      ? [{ type: 'ProjectionStreamRetried', data }]
      : [];
