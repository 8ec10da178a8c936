import type { EventLog } from '../../write/log/port.ts';
import { createProgress, type Progress } from './progress.ts';

/** Progress of work that ends with a word, all of it on standard error. */
export interface WorkProgress extends Progress {
  /** Says what was done, and how long it took. */
  say(what: string): void;
}

/**
 * Progress along a log, in events: who reports it counts positions, which are as many where they have no gaps, and are
 * converted by the log's density otherwise.
 */
export const logProgress = async (what: string, log: EventLog): Promise<Progress> => {
  if ((log.positionsPerEvent ?? 1n) === 1n) return createProgress(what, 'events');
  const { eventsBetween } = await import('../../write/log/events-between.ts');
  const head = await log.head();
  const { events } = await eventsBetween(log, 0n, head);
  const perEvent = events === 0n ? 1 : Number(head) / Number(events);
  const progress = createProgress(what, 'events', { isEstimate: true });
  return {
    update: (done, total) =>
      progress.update(Math.round(done / perEvent), Math.max(1, Math.round(total / perEvent))),
    end: progress.end,
  };
};

/** @param out the file that output goes to; where it goes to a terminal itself, no bar is drawn between its lines. */
export const workProgress = async (
  what: string,
  out: string | undefined,
  log: EventLog,
): Promise<WorkProgress> => {
  const startedAt = Date.now();
  const quiet = out === undefined && process.stdout.isTTY === true;
  const progress: Progress = quiet
    ? { update: () => undefined, end: () => undefined }
    : await logProgress(what, log);
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
