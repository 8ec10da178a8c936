import type { Decider } from '../log/command-handler.ts';
import type { ResearchEvent } from './events.ts';
import type { Decision } from './policy/policy.ts';

type DataOf<Type extends ResearchEvent['type']> = Extract<ResearchEvent, { type: Type }>['data'];

export type RunStarted = DataOf<'ResearchRunStarted'>;
export type PoolEvaluated = DataOf<'PoolEvaluated'>;
export type FindingRecorded = DataOf<'FindingRecorded'>;
export type ExpansionDecided = DataOf<'ExpansionDecided'>;

/** What became of a finding. */
export type FindingStatus = 'open' | 'confirmed' | 'dismissed' | 'superseded';

/** A run, as its stream has it. */
export interface RunState {
  /** Null before its first event. */
  readonly started: RunStarted | null;
  readonly pools: readonly PoolEvaluated[];
  readonly found: readonly FindingRecorded[];
  readonly decided: readonly ExpansionDecided[];
  readonly ended: 'completed' | 'failed' | null;
  readonly reviews: ReadonlyMap<string, FindingStatus>;
}

const noRun: RunState = { started: null, pools: [], found: [], decided: [], ended: null, reviews: new Map() };

const reviewed = (state: RunState, finding: string, status: FindingStatus): RunState => ({
  ...state,
  reviews: new Map([...state.reviews, [finding, status]]),
});

const evolveRun = (state: RunState, event: ResearchEvent): RunState => {
  switch (event.type) {
    case 'ResearchRunStarted':
      return { ...state, started: event.data };
    case 'PoolEvaluated':
      return { ...state, pools: [...state.pools, event.data] };
    case 'FindingRecorded':
      return reviewed({ ...state, found: [...state.found, event.data] }, event.data.finding, 'open');
    case 'ExpansionDecided':
      return { ...state, decided: [...state.decided, event.data] };
    case 'ResearchRunCompleted':
      return { ...state, ended: 'completed' };
    case 'ResearchRunFailed':
      return { ...state, ended: 'failed' };
    case 'FindingConfirmed':
      return reviewed(state, event.data.finding, 'confirmed');
    case 'FindingDismissed':
      return reviewed(state, event.data.finding, 'dismissed');
    case 'FindingSuperseded':
      return reviewed(state, event.data.finding, 'superseded');
    case 'ResearchLimitsSet':
      return state;
  }
};

export const runDecider: Decider<RunState, ResearchEvent> = { initial: noRun, evolve: evolveRun };

/** Ends a run that its process did not end. Idempotent. */
export const failRun =
  (at: string, reason: string, detail: string) =>
  ({ started, ended }: RunState): readonly ResearchEvent[] =>
    started === null || ended !== null ? [] : [{ type: 'ResearchRunFailed', data: { at, reason, detail } }];

/** What an operator, or a newer finding, says of a finding. */
export type Review =
  | { readonly status: 'confirmed' | 'dismissed'; readonly reason: string }
  | { readonly status: 'superseded'; readonly reason: string; readonly successor: string };

const reviewEvent = (at: string, finding: string, review: Review): ResearchEvent => {
  const data = { at, finding, reason: review.reason };
  switch (review.status) {
    case 'confirmed':
      return { type: 'FindingConfirmed', data };
    case 'dismissed':
      return { type: 'FindingDismissed', data };
    case 'superseded':
      return { type: 'FindingSuperseded', data: { ...data, successor: review.successor } };
  }
};

/** Reviews a finding of the run. Idempotent; the last review counts. */
export const reviewFinding =
  (at: string, finding: string, review: Review) =>
  ({ reviews }: RunState): readonly ResearchEvent[] => {
    const before = reviews.get(finding);
    return before === undefined || before === review.status ? [] : [reviewEvent(at, finding, review)];
  };

/** Gives findings of the run that are open successors. What an operator said of one stays. @param successors by finding. */
export const supersedeFindings =
  (at: string, successors: ReadonlyMap<string, string>) =>
  ({ reviews }: RunState): readonly ResearchEvent[] =>
    [...successors]
      .filter(([finding]) => reviews.get(finding) === 'open')
      .map(([finding, successor]) =>
        reviewEvent(at, finding, {
          status: 'superseded',
          reason: 'A newer finding says the same.',
          successor,
        }),
      );

/** A decision as its event has it. */
export const decisionEvent = (at: string, { decision, pool, action, tuning }: Decision): ResearchEvent => ({
  type: 'ExpansionDecided',
  data: { at, decision, pool, action, tuning, heir: null },
});
