import type { Standing } from '../../write/fanout/standing.ts';

/** While nothing comes at all, what the relay has sent is read from the log after so long. */
const LATE_MS = 5_000;
/** While other places' messages come, Kafka is being drained, and a place waits longer for its turn. */
const LATE_AMONG_OTHERS_MS = 60_000;

/** What is to be done about places that nothing comes for. */
export interface Quiet {
  /** All that was sent to them is in their rows: they have come as far as the relay has. */
  readonly upToDate: readonly string[];
  /** Something was sent to them and has not come for a while. */
  readonly late: readonly string[];
}

export interface Lateness {
  /** Messages of a place have come. */
  heard(place: string): void;
  /** Looks at where places stand, and how far the relay has come. */
  look(at: ReadonlyMap<string, bigint>, standing: Standing): Quiet;
  reset(): void;
}

/** @param nowMs the time, for tests. */
export const createLateness = (nowMs: () => number = Date.now): Lateness => {
  /** Where places stood when they last moved or were heard of, and when that was. */
  const since = new Map<string, { readonly position: bigint; readonly ms: number }>();
  let heardMs = 0;
  return {
    heard: (place) => {
      heardMs = nowMs();
      since.delete(place);
    },
    look: (at, { position, tails, origin }) => {
      const now = nowMs();
      const patience = now - heardMs > LATE_MS ? LATE_MS : LATE_AMONG_OTHERS_MS;
      const upToDate: string[] = [];
      const late: string[] = [];
      for (const [place, reached] of at) {
        if (reached >= (tails.get(place) ?? origin)) {
          since.delete(place);
          if (reached < position) upToDate.push(place);
          continue;
        }
        const before = since.get(place);
        if (before?.position !== reached) since.set(place, { position: reached, ms: now });
        else if (now - before.ms > patience) late.push(place);
      }
      return { upToDate, late };
    },
    reset: () => {
      since.clear();
      heardMs = 0;
    },
  };
};
