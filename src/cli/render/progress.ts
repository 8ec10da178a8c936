import type { SingleBar } from 'cli-progress';
import { writeError } from '../../kernel/terminal.ts';
import type { Runtime } from '../../runtime/open-runtime.ts';

/** Progress of long work: a bar with rate and ETA on a terminal, otherwise a line every few seconds. */
export interface Progress {
  update(done: number, total: number): void;
  end(): void;
}

/**
 * @param what names the work, such as `rebuild directory`.
 * @param unit what is counted, such as `events`.
 * @param options.isEstimate prints `about 7 events`.
 */
export const createProgress = (
  what: string,
  unit: string,
  { stream = process.stderr, isEstimate = false }: { stream?: NodeJS.WriteStream; isEstimate?: boolean } = {},
): Progress => {
  const startedAt = Date.now();
  const about = isEstimate ? 'about ' : '';
  const rate = (done: number) => done / Math.max(0.001, (Date.now() - startedAt) / 1_000);
  if (stream.isTTY === true) {
    let bar: SingleBar | undefined;
    let ended = false;
    let at = { done: 0, total: 0 };
    const draw = () => {
      bar?.setTotal(at.total);
      bar?.update(at.done, { speed: Math.round(rate(at.done)).toLocaleString('en') });
    };
    const start = async () => {
      const { SingleBar: Bar } = await import('cli-progress');
      if (ended) return;
      bar = new Bar({
        stream,
        format: `${what} [{bar}] {percentage}% ${about}{value}/{total} ${unit}, {speed}/s, ETA {eta_formatted}`,
        hideCursor: true,
        etaBuffer: 50,
      });
      bar.start(at.total, 0, { speed: 0 });
      draw();
    };
    let isStarting = false;
    return {
      update: (done, total) => {
        at = { done, total };
        if (isStarting) draw();
        else void start();
        isStarting = true;
      },
      end: () => {
        ended = true;
        bar?.stop();
      },
    };
  }
  let printedAt = startedAt;
  return {
    update: (done, total) => {
      if (Date.now() - printedAt < LINE_MS) return;
      printedAt = Date.now();
      const left = Math.max(0, total - done) / Math.max(1, rate(done));
      stream.write(
        `${what}: ${about}${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} ${unit} (${Math.floor((100 * done) / Math.max(1, total))} %), ${Math.round(rate(done)).toLocaleString('en-US')}/s, ${duration(left)} left\n`,
      );
    },
    end: () => undefined,
  };
};

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

/**
 * @param out the file for the output; without one it goes to standard output, and no bar is drawn if that is a
 * terminal.
 */
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
      if (!quiet) writeError(`${done}; it took ${((Date.now() - startedAt) / 1_000).toFixed(1)} s.\n`);
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
    // Ctrl-C also reaches an embedded Postgres, so that a query may fail first.
    if (!signal.aborted) throw error;
    writeError(out === undefined ? 'Stopped.\n' : `Stopped. ${out} is as it was.\n`);
    process.exitCode = 130;
  }
};

const LINE_MS = 3_000;

const duration = (s: number): string => (s < 90 ? `${Math.round(s)} s` : `${Math.round(s / 60)} min`);
