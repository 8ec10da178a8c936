import { setTimeout as sleep } from 'node:timers/promises';

/** How long a locked holder is retried. */
const DEADLINE_MS = 5_000;
const PAUSE_MS = 10;

/** Retries while another process has locked the holder. @returns the outcome, or `locked` if it took too long. */
export const retryWhileLocked = async <T>(ask: () => Promise<T | 'locked'>): Promise<T | 'locked'> => {
  const until = performance.now() + DEADLINE_MS;
  for (;;) {
    const outcome = await ask();
    if (outcome !== 'locked' || performance.now() > until) return outcome;
    await sleep(PAUSE_MS);
  }
};
