import type { BuildOptions } from '../../../operations/projections/builds.ts';
import type { Runtime } from '../../../runtime/open-runtime.ts';
import { createProgress, type Progress } from '../../render/progress.ts';
import { logProgress } from '../../render/progress-report.ts';
import { stopSignal } from '../../with-runtime.ts';

/** A build in progress: what the operation needs, and how long it has taken. */
export interface RunningBuild {
  readonly options: BuildOptions;
  /** Progress of a second step, after the log was folded. */
  next(what: string, unit: string): Progress;
  seconds(): string;
}

/**
 * Runs an operation that folds the log, with its progress on standard error. After Ctrl-C the process exits with 130,
 * once everything half built is dropped. An event that can't be applied is named, with the command that skips it.
 * @param what the operation, as `rebuild`.
 * @param aborted printed after Ctrl-C.
 */
export const runBuild = async (
  runtime: Runtime,
  name: string,
  what: string,
  aborted: () => string,
  work: (build: RunningBuild) => Promise<void>,
): Promise<void> => {
  const signal = stopSignal();
  const startedAt = Date.now();
  let progress = await logProgress(`${what} ${name}`, runtime);
  const build: RunningBuild = {
    options: { signal, onProgress: (done, total) => progress.update(done, total) },
    next: (next, unit) => {
      progress.end();
      progress = createProgress(`${next} ${name}`, unit);
      return progress;
    },
    seconds: () => ((Date.now() - startedAt) / 1_000).toFixed(1),
  };
  try {
    await work(build);
  } catch (error) {
    progress.end();
    if (signal.aborted) {
      console.log(aborted());
      process.exitCode = 130;
      return;
    }
    const { failedEventOf } = await import('../../../operations/projections/builds.ts');
    const event = failedEventOf(error);
    if (event === null) throw error;
    process.stderr.write(
      `sightline: ${(error as Error).message}\n` +
        `To skip this event: sightline projections skip ${event.position} --projection ${name} --reason "…"\n`,
    );
    process.exitCode = 1;
  } finally {
    progress.end();
  }
};
