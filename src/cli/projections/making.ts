import type { Logger } from '../../kernel/logger.ts';
import type { AsideOptions } from '../../projections/aside.ts';
import { stopSignal } from '../command.ts';
import type { Program } from '../program/open.ts';
import { createProgress, type Progress } from '../progress.ts';

/** Work that builds something aside: what it needs, and how long it has taken. */
export interface Making {
  readonly options: AsideOptions;
  /** Progress of what comes after the log was folded. */
  next(what: string, unit: string): Progress;
  seconds(): string;
}

/**
 * Does such work with its progress on standard error. Ctrl-C ends it, whatever the work fails with then: the process
 * exits with 130, when all that was half made is gone.
 * @param stopped what is said in that case.
 */
export const withMaking = async (
  { db, log, logger }: Program & { readonly logger: Logger },
  what: string,
  stopped: string,
  work: (making: Making) => Promise<void>,
): Promise<void> => {
  const signal = stopSignal();
  const startedAt = Date.now();
  let progress = createProgress(what, 'events');
  try {
    await work({
      options: {
        db,
        log,
        logger,
        signal,
        onProgress: (done, total) => progress.update(Number(done), Number(total)),
      },
      next: (name, unit) => {
        progress.end();
        progress = createProgress(name, unit);
        return progress;
      },
      seconds: () => ((Date.now() - startedAt) / 1_000).toFixed(1),
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    progress.end();
    console.log(stopped);
    process.exitCode = 130;
  } finally {
    progress.end();
  }
};
