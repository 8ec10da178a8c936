import { errorMessage } from '../../kernel/errors/error-message.ts';
import { pause, steadyMs } from '../../kernel/retry.ts';
import { computeLadders } from '../../operations/insights/compute-ladders.ts';
import type { Runtime } from '../open-runtime.ts';

/** From then on the schedule is enough. */
const PATIENCE = { everyMs: 5_000, forMs: 120_000 };
/** Accounts with figures from which on more change little. */
const ENOUGH = 200;

/** Computes ladders until the population of X is large enough, or for two minutes: the schedule alone would take hours. */
export const computeUntilEnough = async (
  runtime: Pick<Runtime, 'db' | 'log' | 'logger'>,
  stop: AbortSignal,
  { everyMs, forMs } = PATIENCE,
): Promise<void> => {
  const untilMs = steadyMs() + forMs;
  do {
    await pause(everyMs, stop);
    if (stop.aborted) return;
    try {
      const found = (await computeLadders(runtime)).find(({ platform }) => platform === 'x');
      if ((found?.with_figures ?? 0) >= ENOUGH) return;
    } catch (error) {
      // On a busy machine a read model can still be missing: the demo tries again.
      if (!stop.aborted)
        runtime.logger.debug({ err: errorMessage(error) }, 'ladders could not be computed yet');
    }
  } while (steadyMs() < untilMs);
};
