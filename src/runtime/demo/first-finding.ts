import { errorMessage } from '../../kernel/errors/error-message.ts';
import { pause, steadyMs } from '../../kernel/retry.ts';
import { runOnce } from '../../operations/research/research.ts';
import type { Runtime } from '../open-runtime.ts';

interface Patience {
  readonly everyMs: number;
  readonly forMs: number;
}

/** A small world is too even for a finding: from then on the schedule is enough. */
const PATIENCE: Patience = { everyMs: 5_000, forMs: 600_000 };

/**
 * Runs research until there is a finding, or for ten minutes: the schedule alone would take longer than the demo's first minute.
 * @param onFinding is called with what was found.
 */
export const runUntilFound = async (
  runtime: Runtime,
  stop: AbortSignal,
  onFinding: (summary: string) => void,
  { everyMs, forMs } = PATIENCE,
): Promise<void> => {
  const untilMs = steadyMs() + forMs;
  do {
    await pause(everyMs, stop);
    if (stop.aborted) return;
    try {
      const { findings } = await runOnce(runtime, { trigger: 'operator' });
      for (const { summary } of findings) onFinding(summary);
      if (findings.length > 0) return;
    } catch (error) {
      // On a busy machine a read model can take longer than a run waits: the demo tries again.
      if (!stop.aborted) runtime.logger.debug({ err: errorMessage(error) }, 'research could not run yet');
    }
  } while (steadyMs() < untilMs);
};
