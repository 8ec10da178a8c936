import type { ShadowBuildOptions } from '../../../projections/builds/shadow-build.ts';
import type { Projection } from '../../../projections/projection.ts';
import type { Runtime } from '../../../runtime/open-runtime.ts';
import { createProgress, type Progress } from '../../render/progress.ts';
import { logProgress } from '../../render/progress-report.ts';
import { stopSignal } from '../../with-runtime.ts';

/** Work that builds something aside: what it needs, and how long it has taken. */
export interface Making {
  readonly options: ShadowBuildOptions;
  /** Progress of what comes after the log was folded. */
  next(what: string, unit: string): Progress;
  seconds(): string;
}

/**
 * Does such work with its progress on standard error. Ctrl-C ends it, whatever the work fails with then: the process
 * exits with 130, when all that was half made is gone. An event that can't be taken in is named, with the way past it.
 * @param what the work's name, as `rebuild`.
 * @param stopped what is said after Ctrl-C.
 */
export const withMaking = async (
  { db, log, logger }: Pick<Runtime, 'db' | 'log' | 'logger'>,
  { name }: Projection,
  what: string,
  stopped: string,
  work: (making: Making) => Promise<void>,
): Promise<void> => {
  const { skipCommand, ApplyEventError } = await import('../../../projections/stalls/apply-event-error.ts');
  const { EventDeserializationError } = await import('../../../write/log/codec/decoder.ts');
  const signal = stopSignal();
  const startedAt = Date.now();
  let progress = await logProgress(`${what} ${name}`, log);
  const making: Making = {
    options: {
      db,
      log,
      logger,
      signal,
      onProgress: (done, total) => progress.update(Number(done), Number(total)),
    },
    next: (next, unit) => {
      progress.end();
      progress = createProgress(`${next} ${name}`, unit);
      return progress;
    },
    seconds: () => ((Date.now() - startedAt) / 1_000).toFixed(1),
  };
  try {
    await work(making);
  } catch (error) {
    progress.end();
    if (signal.aborted) {
      console.log(stopped);
      process.exitCode = 130;
    } else if (error instanceof ApplyEventError || error instanceof EventDeserializationError) {
      process.stderr.write(
        `sightline: ${error.message}\nTo do without it: ${skipCommand(name, error.event.position)}\n`,
      );
      process.exitCode = 1;
    } else {
      throw error;
    }
  } finally {
    progress.end();
  }
};
