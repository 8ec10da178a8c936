import type { Runtime } from '../../runtime/open-runtime.ts';
import { createProgress, type Progress } from './progress.ts';

/** Progress with a closing line, on standard error. */
export interface WorkProgress extends Progress {
  /** Prints what was done and the time it took. */
  say(what: string): void;
}

/**
 * Progress along the log, in events. Positions are reported, which are converted by the log's density where they have
 * gaps.
 */
export const logProgress = async (what: string, context: Pick<Runtime, 'log'>): Promise<Progress> => {
  const { eventScale } = await import('../../operations/events/event-scale.ts');
  const { positionsPerEvent, isEstimate } = await eventScale(context);
  const progress = createProgress(what, 'events', { isEstimate });
  if (!isEstimate) return progress;
  return {
    update: (done, total) =>
      progress.update(
        Math.round(done / positionsPerEvent),
        Math.max(1, Math.round(total / positionsPerEvent)),
      ),
    end: progress.end,
  };
};

/** @param out the file that output goes to; where it goes to a terminal itself, no bar is drawn between its lines. */
export const workProgress = async (
  what: string,
  out: string | undefined,
  context: Pick<Runtime, 'log'>,
): Promise<WorkProgress> => {
  const startedAt = Date.now();
  const quiet = out === undefined && process.stdout.isTTY === true;
  const progress: Progress = quiet
    ? { update: () => undefined, end: () => undefined }
    : await logProgress(what, context);
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

/** Runs work that Ctrl-C can abort; then reports the state of the file and exits with 130. */
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
