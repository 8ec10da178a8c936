import cron, { type TaskOptions } from 'node-cron';
import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';

/**
 * Runs jobs on their schedules, without overlaps. @returns a function that stops them and waits for those in
 * flight.
 */
export const schedule = (jobs: readonly Job[], logger: Logger): (() => Promise<void>) => {
  const inFlight = new Map<string, Promise<void>>();
  const tasks = jobs.map((job) =>
    cron.schedule(
      job.at,
      () => {
        if (inFlight.has(job.name)) return;
        const run = job
          .run()
          .catch((error: unknown) =>
            logger.warn({ job: job.name, err: errorMessage(error) }, 'scheduled job failed'),
          )
          .finally(() => inFlight.delete(job.name));
        inFlight.set(job.name, run);
      },
      { logger: cronLogger(job.name, logger) },
    ),
  );
  return async () => {
    for (const task of tasks) await task.destroy();
    await Promise.all(inFlight.values());
  };
};

/** A scheduled job. */
interface Job {
  readonly name: string;
  /** A cron expression, with seconds first. */
  readonly at: string;
  readonly run: () => Promise<void>;
}

/** Logs the messages of node-cron, such as missed executions of a busy process, which it would print as plain text. */
const cronLogger = (job: string, logger: Logger): NonNullable<TaskOptions['logger']> => {
  const line = (level: 'debug' | 'info' | 'warn' | 'error') => (detail: string | Error) =>
    logger[level]({ job, detail: errorMessage(detail) }, 'schedule of a job');
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
};
