import type { Decider } from '../log/command-handler.ts';
import { type PoolEvent, type PoolTuning, TUNABLE } from './events.ts';

export interface PoolState {
  readonly exists: boolean;
  readonly paused: boolean;
  readonly retired: boolean;
  /** Current settings; null before the pool exists. */
  readonly tuning: PoolTuning | null;
  /** Decisions of the research engine that were carried out. */
  readonly decisions: ReadonlySet<string>;
}

const noPool: PoolState = {
  exists: false,
  paused: false,
  retired: false,
  tuning: null,
  decisions: new Set(),
};

const tuned = (before: PoolTuning | null, data: Partial<PoolTuning>): PoolTuning | null => {
  if (before === null) return null;
  const changed = TUNABLE.filter((name) => data[name] !== undefined).map((name) => [name, data[name]]);
  return { ...before, ...Object.fromEntries(changed) };
};

const carriedOut = (state: PoolState, decision: string | null): ReadonlySet<string> =>
  decision === null ? state.decisions : new Set([...state.decisions, decision]);

const evolvePool = (state: PoolState, event: PoolEvent): PoolState => {
  switch (event.type) {
    case 'PoolCreated':
      return { ...noPool, exists: true, tuning: tuned(event.data, event.data) };
    case 'PoolTuned':
    case 'PoolExpanded':
      return {
        ...state,
        tuning: tuned(state.tuning, event.data as Partial<PoolTuning>),
        decisions: carriedOut(state, event.data.decision),
      };
    case 'PoolPaused':
      return { ...state, paused: true, decisions: carriedOut(state, event.data.decision) };
    case 'PoolResumed':
      return { ...state, paused: false, decisions: carriedOut(state, event.data.decision) };
    case 'PoolRetired':
      return { ...state, retired: true, decisions: carriedOut(state, event.data.decision) };
  }
};

export const poolDecider: Decider<PoolState, PoolEvent> = { initial: noPool, evolve: evolvePool };

/** Creates a pool. Idempotent. */
export const createPool =
  (data: Extract<PoolEvent, { type: 'PoolCreated' }>['data']) =>
  (state: PoolState): readonly PoolEvent[] =>
    state.exists ? [] : [{ type: 'PoolCreated', data }];

/** Whether an event would change the pool's state. */
const changes = (state: PoolState, event: PoolEvent): boolean => {
  switch (event.type) {
    case 'PoolCreated':
      return !state.exists;
    case 'PoolPaused':
      return !state.paused;
    case 'PoolResumed':
      return state.paused;
    case 'PoolRetired':
      return true;
    case 'PoolTuned':
    case 'PoolExpanded': {
      const data: Partial<PoolTuning> = event.data as Partial<PoolTuning>;
      return TUNABLE.some((name) => data[name] !== undefined && data[name] !== state.tuning?.[name]);
    }
  }
};

/**
 * A change of an existing pool. Adds nothing if the pool does not exist or is retired, if nothing would change, or
 * if the decision behind it was carried out before.
 */
export const changePool =
  (event: Exclude<PoolEvent, { type: 'PoolCreated' }>) =>
  (state: PoolState): readonly PoolEvent[] => {
    if (!state.exists || state.retired || !changes(state, event)) return [];
    const { decision } = event.data;
    return decision !== null && state.decisions.has(decision) ? [] : [event];
  };
