import { Worker } from 'node:worker_threads';
import type { Platform } from '../../kernel/platform.ts';
import type { LogSettings } from '../../write/log/open-event-log.ts';
import { LogUnavailableError } from '../../write/log/port.ts';

/** The work of one writer of a build, in a form that can be sent to another thread. */
export interface BuildTask {
  readonly projection: string;
  readonly schema: string;
  readonly platforms: readonly Platform[];
  /** The last position to apply. */
  readonly to: bigint;
}

/** Where the writers find the database and the log. */
export interface BuildSource {
  readonly connectionString: string;
  readonly logSettings: LogSettings;
}

/** What a writer reports. */
export type BuildReport =
  | { readonly is: 'at'; readonly position: bigint }
  | { readonly is: 'done' }
  | {
      readonly is: 'failed';
      readonly name: string;
      readonly message: string;
      readonly isCausedByEvent: boolean;
    };

/** A writer of a build failed. */
export class BuildWriterError extends Error {
  override readonly name = 'BuildWriterError';
  /** Whether an event caused the failure. Building page by page then identifies the event. */
  readonly isCausedByEvent: boolean;
  constructor(message: string, isCausedByEvent: boolean) {
    super(message);
    this.isCausedByEvent = isCausedByEvent;
  }
}

/** Writers of builds, each a thread of its own. */
export interface BuildWriters {
  /** Maximum number of writers at a time, of all builds in this process. */
  readonly count: number;
  /** A build of fewer events is not worth starting threads. */
  readonly leastEvents: bigint;
  /**
   * Folds a share of a build; waits while all writers are busy.
   * @throws {BuildWriterError | LogUnavailableError}
   */
  fold(task: BuildTask, onReached: (position: bigint) => void, signal: AbortSignal): Promise<void>;
}

const LEAST_EVENTS = 20_000n;
/** Grace period of a writer to finish its transaction when it is stopped. */
const STOP_MS = 5_000;

const failureOf = ({ name, message, isCausedByEvent }: Extract<BuildReport, { is: 'failed' }>): Error =>
  name === 'LogUnavailableError'
    ? new LogUnavailableError(message)
    : new BuildWriterError(message, isCausedByEvent);

/** Waits for a turn, unless the signal fires first. */
const turn = (waiting: (() => void)[], signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const take = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      waiting.splice(waiting.indexOf(take), 1);
      reject(signal.reason as Error);
    };
    waiting.push(take);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });

/** Runs one writer to its end. When this settles, its thread has ended. */
const runWriter = async (
  task: BuildTask & BuildSource,
  onReached: (position: bigint) => void,
  signal: AbortSignal,
): Promise<void> => {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./build-worker.ts', import.meta.url), {
    workerData: task,
    execArgv: [],
  });
  let failure: Error | null = new BuildWriterError('a writer of the build ended early', false);
  const exited = Promise.withResolvers<void>();
  worker.on('message', (report: BuildReport) => {
    if (report.is === 'at') onReached(report.position);
    else failure = report.is === 'done' ? null : failureOf(report);
  });
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', () => exited.resolve());
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    worker.postMessage('stop');
    timer = setTimeout(() => void worker.terminate(), STOP_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  await exited.promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (failure !== null) throw failure;
};

export const createBuildWriters = (
  source: BuildSource,
  { count, leastEvents = LEAST_EVENTS }: { readonly count: number; readonly leastEvents?: bigint },
): BuildWriters => {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    count,
    leastEvents,
    fold: async (task, onReached, signal) => {
      if (free > 0) free -= 1;
      else await turn(waiting, signal);
      try {
        await runWriter({ ...task, ...source }, onReached, signal);
      } finally {
        // The next writer takes over the turn.
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
};
