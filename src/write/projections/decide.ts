import type { Decider } from '../command.ts';
import type { ProjectionEvent } from './events.ts';

export interface ProjectionState {
  /** Ids of the events that the projection does without. */
  readonly skipped: ReadonlySet<string>;
}

export const projectionDecider: Decider<ProjectionState, ProjectionEvent> = {
  initial: { skipped: new Set() },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ProjectionEventSkipped':
        return { skipped: new Set(state.skipped).add(event.data.event_id) };
    }
  },
};

/** An event is skipped once: the same command again, with whatever reason, changes nothing. */
export const skip =
  (data: Extract<ProjectionEvent, { type: 'ProjectionEventSkipped' }>['data']) =>
  (state: ProjectionState): readonly ProjectionEvent[] =>
    state.skipped.has(data.event_id) ? [] : [{ type: 'ProjectionEventSkipped', data }];
