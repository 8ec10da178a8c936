import type { Standing } from '../../write/fanout/standing.ts';

/** What the relay has sent and has not come by then is read from the log. */
const LATE_MS = 5_000;

/** What is to be done about places that nothing comes for. */
export interface Quiet {
  /** All that was sent to them is in their rows: they have come as far as the relay has. */
  readonly upToDate: readonly string[];
  /** Something was sent to them and has not come for a while. */
  readonly late: readonly string[];
}

export interface Lateness {
  /** Looks at where places stand, and how far the relay has come. */
  look(at: ReadonlyMap<string, bigint>, standing: Standing): Quiet;
  reset(): void;
}

export const createLateness = (): Lateness => {
  const since = new Map<string, { readonly position: bigint; readonly ms: number }>();
  return {
    look: (at, { position, tails, origin }) => {
      const upToDate: string[] = [];
      const late: string[] = [];
      for (const [place, reached] of at) {
        if (reached >= (tails.get(place) ?? origin)) {
          since.delete(place);
          if (reached < position) upToDate.push(place);
          continue;
        }
        const before = since.get(place);
        if (before?.position !== reached) since.set(place, { position: reached, ms: Date.now() });
        else if (Date.now() - before.ms > LATE_MS) late.push(place);
      }
      return { upToDate, late };
    },
    reset: () => since.clear(),
  };
};
