import cron from 'node-cron';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import type { Logger } from '../../kernel/logger.ts';

/** Something that is done by the clock. */
export interface Job {
  readonly name: string;
  /** A cron expression, with seconds first. */
  readonly at: string;
  readonly run: () => Promise<void>;
}

/** Runs jobs by their schedules, none twice at once. @returns what stops them, after those under way. */
export const schedule = (jobs: readonly Job[], logger: Logger): (() => Promise<void>) => {
  const underWay = new Map<string, Promise<void>>();
  const tasks = jobs.map((job) =>
    cron.schedule(job.at, () => {
      if (underWay.has(job.name)) return;
      const run = job
        .run()
        .catch((error: unknown) =>
          logger.warn({ job: job.name, err: errorMessage(error) }, 'a scheduled job failed'),
        )
        .finally(() => underWay.delete(job.name));
      underWay.set(job.name, run);
    }),
  );
  return async () => {
    for (const task of tasks) await task.destroy();
    await Promise.all(underWay.values());
  };
};
