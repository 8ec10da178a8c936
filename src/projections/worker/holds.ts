import { backoffMs } from '../telling.ts';

/** Places that are left alone for a while, longer with each time in a row. */
export interface Holds {
  /** @returns for how many milliseconds. */
  hold(place: string): number;
  isDue(place: string): boolean;
  has(place: string): boolean;
  /** Milliseconds until it is due. */
  leftMs(place: string): number;
  /** @returns whether it was held. */
  release(place: string): boolean;
  /** Begins anew, with places that were held before this process had them, and are due at once. */
  reset(places: Iterable<string>): void;
}

export const createHolds = (): Holds => {
  const held = new Map<string, { readonly tries: number; readonly untilMs: number }>();
  return {
    hold: (place) => {
      const tries = held.get(place)?.tries ?? 0;
      const delay = backoffMs(tries);
      held.set(place, { tries: tries + 1, untilMs: Date.now() + delay });
      return delay;
    },
    has: (place) => held.has(place),
    leftMs: (place) => Math.max(0, (held.get(place)?.untilMs ?? 0) - Date.now()),
    isDue: (place) => (held.get(place)?.untilMs ?? 0) <= Date.now(),
    release: (place) => held.delete(place),
    reset: (places) => {
      held.clear();
      for (const place of places) held.set(place, { tries: 0, untilMs: 0 });
    },
  };
};
