import cron from 'node-cron';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import type { Logger } from '../../kernel/logger.ts';

/** A scheduled job. */
export interface Job {
  readonly name: string;
  /** A cron expression, with seconds first. */
  readonly at: string;
  readonly run: () => Promise<void>;
}

/**
 * Runs jobs on their schedules, without overlaps. @returns a function that stops them and waits for those in
 * flight.
 */
export const schedule = (jobs: readonly Job[], logger: Logger): (() => Promise<void>) => {
  const inFlight = new Map<string, Promise<void>>();
  const tasks = jobs.map((job) =>
    cron.schedule(job.at, () => {
      if (inFlight.has(job.name)) return;
      const run = job
        .run()
        .catch((error: unknown) =>
          logger.warn({ job: job.name, err: errorMessage(error) }, 'scheduled job failed'),
        )
        .finally(() => inFlight.delete(job.name));
      inFlight.set(job.name, run);
    }),
  );
  return async () => {
    for (const task of tasks) await task.destroy();
    await Promise.all(inFlight.values());
  };
};
