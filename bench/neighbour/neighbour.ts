import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../support/child.ts';
import { openWire } from '../support/wire.ts';

/** Another holder, who reads one entry and one list in turn, from a process of his own. */
export interface NeighbourQuestion {
  readonly url: string;
  readonly key: string;
  readonly ms: number;
  /** Entries to be read: handles of X. */
  readonly handles: readonly string[];
  readonly list: string;
}

export interface NeighbourAnswer {
  /** Milliseconds from when each was to be sent until its answer was there. */
  readonly entry: readonly number[];
  readonly list: readonly number[];
}

const EVERY_MS = 25;

/** Reads one thing every 25 ms; what is late is measured from when it was due, so that a stall counts in full. */
const probe = async (
  { url, key, ms }: Pick<NeighbourQuestion, 'url' | 'key' | 'ms'>,
  path: () => string,
): Promise<number[]> => {
  const taken: number[] = [];
  const wire = await openWire(url, key);
  const began = performance.now();
  for (let due = began; due < began + ms; due += EVERY_MS) {
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    // A timer that comes late is this process's, not the service's.
    const from = wait > 0 ? performance.now() : due;
    const status = await wire.ask(path());
    if (status !== 200) throw new Error(`the neighbour got ${status}`);
    taken.push(performance.now() - from);
  }
  wire.close();
  return taken;
};

const live = async (question: NeighbourQuestion): Promise<NeighbourAnswer> => {
  const { handles, list } = question;
  const [entry, listed] = await Promise.all([
    probe(question, () => `/v2/directory/x/${handles[Math.floor(Math.random() * handles.length)]}`),
    probe(question, () => list),
  ]);
  return { entry, list: listed };
};

if (import.meta.main) serve(live);
