import { systemClock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import { pause, steadyMs } from '../../kernel/retry.ts';
import { carryOut, forgetAnnounced, hasOpenErasures } from '../../operations/subjects/erase.ts';
import { showReleased } from '../../operations/subjects/release.ts';
import { applyRetention } from '../../operations/subjects/retention.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Running } from './lifecycle.ts';

/** Who hides an account by hand waits for it. */
const LOOK_MS = 1_000;
/** Read models are made anew at most as often, whoever undoes what. */
const SHOWN_AFTER_MS = 86_400_000;

/** How often is looked for what is not kept, and after which time an attempt that failed is repeated. */
const RETENTION_MS = 86_400_000;
const RETRY_MS = 60_000;

/**
 * Goes on with erasures whose command ended before they did, begins those that are due, shows who was released, forgets the names
 * that feeds have told for long enough, and removes what is not kept.
 */
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
  const keep = async (): Promise<void> => {
    let nextMs = 0;
    while (!signal.aborted) {
      await pause(RETRY_MS, signal);
      if (signal.aborted || steadyMs() < nextMs) continue;
      try {
        const events = await applyRetention(runtime, { signal });
        if (events !== null) logger.info({ events }, 'what is not kept was removed');
        nextMs = steadyMs() + RETENTION_MS;
      } catch (error) {
        if (!signal.aborted)
          logger.warn({ err: errorMessage(error) }, 'retention could not be applied; it will be retried');
      }
    }
  };
  const running = Promise.all([run(), keep()]);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
