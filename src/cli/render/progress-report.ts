import type { EventLog } from '../../write/log/port.ts';
import { createProgress, type Progress } from './progress.ts';

/** Progress of work that ends with a word, all of it on standard error. */
export interface WorkProgress extends Progress {
  /** Says what was done, and how long it took. */
  say(what: string): void;
}

/** What is counted on the way through a log: events, or positions where these have gaps. */
export const unitOf = (log: EventLog): string => (log.canSeekAnyPosition === false ? 'positions' : 'events');

/** @param out the file that output goes to; where it goes to a terminal itself, no bar is drawn between its lines. */
export const workProgress = (what: string, out: string | undefined, log: EventLog): WorkProgress => {
  const startedAt = Date.now();
  const quiet = out === undefined && process.stdout.isTTY === true;
  const progress: Progress = quiet
    ? { update: () => undefined, end: () => undefined }
    : createProgress(what, unitOf(log));
  return {
    ...progress,
    say: (done) => {
      if (!quiet)
        process.stderr.write(`${done}; it took ${((Date.now() - startedAt) / 1_000).toFixed(1)} s.\n`);
    },
  };
};

/** `1 event`, `39,993 events`. */
export const eventCount = (n: number): string => `${n.toLocaleString('en-US')} event${n === 1 ? '' : 's'}`;

/** Does what Ctrl-C may end; says what became of the file then, and has the process exit with 130. */
export const unlessInterrupted = async (
  signal: AbortSignal,
  out: string | undefined,
  work: () => Promise<void>,
): Promise<void> => {
  try {
    await work();
  } catch (error) {
    // Ctrl-C reaches an embedded Postgres too, so what fails first may be a query.
    if (!signal.aborted) throw error;
    process.stderr.write(out === undefined ? 'Stopped.\n' : `Stopped. ${out} is as it was.\n`);
    process.exitCode = 130;
  }
};
