/** Work that takes longer than a page: it goes on when the page is gone, and the screens show how far it is. */

import { isoOf, systemClock } from '../kernel/clock.ts';
import { errorMessage } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { OnProgress } from '../operations/context.ts';

export interface Job {
  readonly name: string;
  readonly startedAt: string;
  readonly done: number;
  readonly total: number;
  /** Null while it runs. */
  readonly result: { readonly isGood: boolean; readonly text: string } | null;
}

export interface Jobs {
  list(): readonly Job[];
  /** Starts a job. @returns false if one of the name runs already. */
  start(name: string, work: (signal: AbortSignal, onProgress: OnProgress) => Promise<string>): boolean;
  /** Ends all, and waits for that. */
  stop(): Promise<void>;
}

/** Jobs that are remembered. */
const KEPT = 20;

export const createJobs = (logger: Logger): Jobs => {
  const stopping = new AbortController();
  let jobs: readonly Job[] = [];
  const running = new Map<string, Promise<void>>();
  const update = (name: string, startedAt: string, change: Partial<Job>): void => {
    jobs = jobs.map((job) =>
      job.name === name && job.startedAt === startedAt ? { ...job, ...change } : job,
    );
  };
  return {
    list: () => jobs,
    start: (name, work) => {
      if (running.has(name)) return false;
      const startedAt = isoOf(systemClock.now());
      jobs = [{ name, startedAt, done: 0, total: 0, result: null }, ...jobs].slice(0, KEPT);
      const end = (isGood: boolean, text: string) => update(name, startedAt, { result: { isGood, text } });
      const ending = work(stopping.signal, (done, total) => update(name, startedAt, { done, total }))
        .then(
          (text) => end(true, text),
          (error: unknown) => {
            logger.warn({ err: errorMessage(error), job: name }, 'work of the console failed');
            end(false, errorMessage(error));
          },
        )
        .finally(() => running.delete(name));
      running.set(name, ending);
      return true;
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(running.values());
    },
  };
};
