import type { Decider } from '../log/command-handler.ts';
import { type PoolEvent, type PoolTuning, TUNABLE } from './events.ts';

export interface PoolState {
  readonly exists: boolean;
  readonly paused: boolean;
  readonly retired: boolean;
  /** Current settings; null before the pool exists. */
  readonly tuning: PoolTuning | null;
  /** The last decisions of the research engine that were carried out, the newest last. */
  readonly decisions: readonly string[];
}

/** Decisions that a pool remembers: one is carried out again by the next run at the latest. */
const REMEMBERED = 100;

const noPool: PoolState = {
  exists: false,
  paused: false,
  retired: false,
  tuning: null,
  decisions: [],
};

const tuned = (before: PoolTuning | null, data: Partial<PoolTuning>): PoolTuning | null => {
  if (before === null) return null;
  const changed = TUNABLE.filter((name) => data[name] !== undefined).map((name) => [name, data[name]]);
  return { ...before, ...Object.fromEntries(changed) };
};

const carriedOut = (state: PoolState, decision: string | null): readonly string[] =>
  decision === null ? state.decisions : [...state.decisions.slice(1 - REMEMBERED), decision];

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
    return decision !== null && state.decisions.includes(decision) ? [] : [event];
  };

/**
 * A change that the research engine decided on. Adds nothing if the pool is paused, or has not the share and the cap any more that were
 * evaluated: the decision has absolute values, and would undo what an operator set since.
 */
export const carryOut =
  (event: Exclude<PoolEvent, { type: 'PoolCreated' }>, evaluated: Pick<PoolTuning, 'share' | 'size_cap'>) =>
  (state: PoolState): readonly PoolEvent[] => {
    const { paused, tuning } = state;
    const isSame = tuning?.share === evaluated.share && tuning.size_cap === evaluated.size_cap;
    return paused || !isSame ? [] : changePool(event)(state);
  };
