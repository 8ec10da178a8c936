import type { Handler } from '../../src/operations/events/handler.ts';

interface Jump {
  readonly account: string;
  readonly at: string;
  readonly before: number;
  readonly after: number;
  readonly percent: number;
}

interface State {
  /** Followers at the last reading that showed them, by stream. */
  readonly followers: Map<string, number>;
  jumps: Jump[];
}

/** Number of jumps in the output. */
const MAX = 5;
/** Accounts with fewer followers than this are excluded: their percentages jump too easily. */
const MIN_FOLLOWERS = 1_000;

/** The biggest steps, up or down, from one reading of an account's followers to the next. */
const biggestJumps: Handler<State, Jump[]> = {
  initial: { followers: new Map(), jumps: [] },
  apply: (state, event) => {
    if (event.type !== 'AccountSighted' && event.type !== 'AccountUnchanged') return state;
    const after = event.type === 'AccountSighted' ? event.data.profile.followers : event.data.moved.followers;
    // Not shown, or not moved.
    if (after === null || after === undefined) return state;
    const before = state.followers.get(event.stream);
    state.followers.set(event.stream, after);
    if (before === undefined || before < MIN_FOLLOWERS || after === before) return state;
    state.jumps.push({
      account: event.stream.slice('account-'.length),
      at: event.data.observed_at,
      before,
      after,
      percent: Number(((100 * (after - before)) / before).toFixed(2)),
    });
    state.jumps = state.jumps.sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent)).slice(0, MAX);
    return state;
  },
  result: (state) => state.jumps,
};

export default biggestJumps;
