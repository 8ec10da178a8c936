import type { IncomingMessage } from '../../write/fanout/port.ts';

/** Messages of one place that wait; who brings more waits too. */
const ENOUGH_A_PLACE = 1_000;
/** Messages that one transaction takes in, at the most. */
const MOST_AT_ONCE = 16_000;

/** Messages that came and are not in the rows yet, by place. They are taken away when they are. */
export interface Backlog {
  add(place: string, messages: readonly IncomingMessage[]): void;
  isFull(place: string): boolean;
  /** Settles when the place may have room for more, or something else has changed: look again. */
  change(place: string): Promise<void>;
  /** Has all look again. */
  stir(): void;
  /** What waits at the places that are due, some of it where it is very much. */
  due(isDue: (place: string) => boolean): ReadonlyMap<string, readonly IncomingMessage[]>;
  /** Takes away the messages of a place before an offset. */
  done(place: string, next: bigint): void;
  clear(): void;
}

export const createBacklog = (): Backlog => {
  const waiting = new Map<string, IncomingMessage[]>();
  const waiters = new Map<string, PromiseWithResolvers<void>>();
  const isFull = (place: string) => (waiting.get(place)?.length ?? 0) >= ENOUGH_A_PLACE;
  const tell = (place: string) => {
    waiters.get(place)?.resolve();
    waiters.delete(place);
  };
  const stir = () => {
    for (const place of [...waiters.keys()]) tell(place);
  };
  return {
    add: (place, messages) => {
      const there = waiting.get(place);
      if (there === undefined) waiting.set(place, [...messages]);
      else for (const message of messages) there.push(message);
    },
    isFull,
    change: (place) => {
      const change = waiters.get(place) ?? Promise.withResolvers<void>();
      waiters.set(place, change);
      return change.promise;
    },
    stir,
    due: (isDue) => {
      const batch = new Map<string, readonly IncomingMessage[]>();
      let count = 0;
      for (const [place, messages] of waiting) {
        if (count >= MOST_AT_ONCE) break;
        if (!isDue(place)) continue;
        batch.set(place, messages.slice());
        count += messages.length;
      }
      return batch;
    },
    done: (place, next) => {
      const left = waiting.get(place)?.filter(({ offset }) => offset >= next) ?? [];
      // At the end of the row, so that each gets its turn.
      waiting.delete(place);
      if (left.length > 0) waiting.set(place, left);
      if (!isFull(place)) tell(place);
    },
    clear: () => {
      waiting.clear();
      stir();
    },
  };
};
