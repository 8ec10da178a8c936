import { type Clock, systemClock } from '../../../src/kernel/clock.ts';

/** A clock that can be set and sped up. */
export interface SimClock extends Clock {
  readonly speed: number;
  /** Sets `now` and/or `speed`; omitted values are kept. Speed 0 stops the clock. */
  set(change: { now?: number; speed?: number }): void;
}

/** @param options.base real clock, at whose time the simulation starts. */
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
