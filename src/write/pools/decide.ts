import type { Decider } from '../log/command-handler.ts';
import type { PoolEvent } from './events.ts';

export interface PoolState {
  readonly exists: boolean;
  readonly paused: boolean;
}

export const poolDecider: Decider<PoolState, PoolEvent> = {
  initial: { exists: false, paused: false },
  evolve: (state, event) => {
    switch (event.type) {
      case 'PoolCreated':
        return { exists: true, paused: false };
      case 'PoolTuned':
        return state;
      case 'PoolPaused':
        return { ...state, paused: true };
      case 'PoolResumed':
        return { ...state, paused: false };
    }
  },
};

/** Creates a pool. Idempotent. */
export const createPool =
  (data: Extract<PoolEvent, { type: 'PoolCreated' }>['data']) =>
  (state: PoolState): readonly PoolEvent[] =>
    state.exists ? [] : [{ type: 'PoolCreated', data }];
