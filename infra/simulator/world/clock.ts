import { type Clock, systemClock } from '../../../src/kernel/clock.ts';

/** A clock that can be set and run fast. */
export interface SimClock extends Clock {
  readonly speed: number;
  /** Jumps to `now` and runs on from there at `speed`; what is left out stays. Speed 0 stands still. */
  set(change: { now?: number; speed?: number }): void;
}

/** @param base real time; the simulated time starts at it. */
export const createSimClock = (options: { base?: Clock; now?: number; speed?: number } = {}): SimClock => {
  const base = options.base ?? systemClock;
  let speed = options.speed ?? 1;
  let from = base.now();
  let start = options.now ?? from;
  const now = () => Math.floor(start + (base.now() - from) * speed);
  return {
    now,
    get speed() {
      return speed;
    },
    set: (change) => {
      start = change.now ?? now();
      from = base.now();
      speed = change.speed ?? speed;
    },
  };
};
