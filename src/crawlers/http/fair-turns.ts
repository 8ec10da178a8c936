import { unlessFired } from './port.ts';

interface Turn {
  readonly begin: () => void;
  readonly fail: (error: unknown) => void;
}

/** Turns at something scarce that holders share. */
export interface FairTurns<Subject extends string> {
  /** Resolves when it is the holder's turn. @throws what taking throws, or what the signal is fired with. */
  take(subject: Subject, holder: string, signal?: AbortSignal): Promise<void>;
}

/**
 * Gives what is taken one by one to the holders that wait, in rotation: one who asks for much waits for itself.
 * @param take takes one of a subject; called one at a time, while anyone waits.
 */
export const createFairTurns = <Subject extends string>(
  take: (subject: Subject, signal: AbortSignal) => Promise<void>,
): FairTurns<Subject> => {
  /** By subject, holders in the order of their turns. */
  const waiting = new Map<Subject, Map<string, Set<Turn>>>();

  const next = (subject: Subject): Turn | undefined => {
    const holders = waiting.get(subject);
    const [holder, turns] = holders?.entries().next().value ?? [];
    if (holders === undefined || holder === undefined || turns === undefined) return undefined;
    const [turn] = turns;
    holders.delete(holder);
    if (turn !== undefined) turns.delete(turn);
    // The holder goes to the end.
    if (turns.size > 0) holders.set(holder, turns);
    return turn;
  };

  /** Ends what is being taken for holders that have all gone. */
  const stops = new Map<Subject, AbortController>();

  const pump = async (subject: Subject, holders: ReadonlyMap<string, unknown>): Promise<void> => {
    while (holders.size > 0) {
      const stop = new AbortController();
      stops.set(subject, stop);
      try {
        await take(subject, stop.signal);
        next(subject)?.begin();
      } catch (error) {
        if (stop.signal.aborted) continue;
        for (let turn = next(subject); turn !== undefined; turn = next(subject)) turn.fail(error);
      }
    }
    waiting.delete(subject);
    stops.delete(subject);
  };

  return {
    take: async (subject, holder, signal) => {
      let turn: Turn | undefined;
      const turned = new Promise<void>((resolve, reject) => {
        turn = { begin: resolve, fail: reject };
      });
      const isFirst = !waiting.has(subject);
      const holders = waiting.get(subject) ?? new Map<string, Set<Turn>>();
      waiting.set(subject, holders);
      const turns = holders.get(holder) ?? new Set<Turn>();
      holders.set(holder, turns);
      turns.add(turn as Turn);
      if (isFirst) void pump(subject, holders);
      try {
        await unlessFired(signal, turned);
      } catch (error) {
        turns.delete(turn as Turn);
        if (turns.size === 0 && holders.get(holder) === turns) holders.delete(holder);
        if (holders.size === 0 && waiting.get(subject) === holders) stops.get(subject)?.abort();
        throw error;
      }
    },
  };
};
