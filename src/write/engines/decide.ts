import type { Decider } from '../log/command-handler.ts';
import type { EngineEvent } from './events.ts';

/** What an engine's stream says of it, whichever worker wrote it. */
export interface EngineState {
  /** The alarm that was raised and has not ended; null if there is none. */
  readonly alarm: { readonly reason: string; readonly detail: string } | null;
  readonly paused: boolean;
  /** Requests a second; null if no operator set a rate. */
  readonly ratePerS: number | null;
}

const noEngine: EngineState = { alarm: null, paused: false, ratePerS: null };

const evolveEngine = (state: EngineState, event: EngineEvent): EngineState => {
  switch (event.type) {
    case 'CrawlBatchCompleted':
      return state;
    case 'EngineDegraded':
      return { ...state, alarm: { reason: event.data.reason, detail: event.data.detail } };
    case 'EngineRecovered':
      return { ...state, alarm: null };
    case 'EnginePaused':
      return { ...state, paused: true };
    case 'EngineResumed':
      return { ...state, paused: false };
    case 'EngineTuned':
      return { ...state, ratePerS: event.data.rate_per_s };
  }
};

/** Of a long stream the end decides. */
const WINDOW = 2_000;

export const engineDecider: Decider<EngineState, EngineEvent> = {
  initial: noEngine,
  evolve: evolveEngine,
  window: WINDOW,
};

const changes = (state: EngineState, event: EngineEvent): boolean => {
  switch (event.type) {
    case 'CrawlBatchCompleted':
      return true;
    case 'EngineDegraded':
      return state.alarm === null;
    case 'EngineRecovered':
      return state.alarm !== null;
    case 'EnginePaused':
      return !state.paused;
    case 'EngineResumed':
      return state.paused;
    case 'EngineTuned':
      return state.ratePerS !== event.data.rate_per_s;
  }
};

/** An event that changes the engine's state, and nothing otherwise: workers and restarts agree on one history. */
export const changeEngine =
  (event: EngineEvent) =>
  (state: EngineState): readonly EngineEvent[] =>
    changes(state, event) ? [event] : [];

/** The same for a recovery that says nothing of some alarms: they last. @param except their reasons. */
export const recoverEngine =
  (event: EngineEvent, except: ReadonlySet<string>) =>
  (state: EngineState): readonly EngineEvent[] =>
    state.alarm !== null && except.has(state.alarm.reason) ? [] : changeEngine(event)(state);
