import { systemClock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import { pause } from '../../kernel/retry.ts';
import { carryOut, forgetAnnounced, hasOpenErasures } from '../../operations/subjects/erase.ts';
import { showReleased } from '../../operations/subjects/release.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Running } from './lifecycle.ts';

/** Who hides an account by hand waits for it. */
const LOOK_MS = 1_000;
/** Read models are made anew at most as often, whoever undoes what. */
const SHOWN_AFTER_MS = 86_400_000;

/** Goes on with erasures whose command ended before they did, begins those that are due, shows who was released, and forgets the names that feeds have told for long enough. */
export const startErasures = (runtime: Runtime): Running => {
  const { logger } = runtime;
  const stopping = new AbortController();
  const { signal } = stopping;
  const look = async (): Promise<void> => {
    await forgetAnnounced(runtime);
    if (await hasOpenErasures(runtime)) {
      const done = await carryOut(runtime, { signal });
      if (done > 0) logger.info({ erasures: done }, 'accounts were erased or hidden');
    }
    const shown = await showReleased(runtime, systemClock.now() - SHOWN_AFTER_MS, { signal });
    if (shown > 0) logger.info({ accounts: shown }, 'released accounts are shown again');
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await look().catch((error: unknown) => {
        if (!signal.aborted)
          logger.warn({ err: errorMessage(error) }, 'an erasure could not go on; it will be retried');
      });
      await pause(LOOK_MS, signal);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
