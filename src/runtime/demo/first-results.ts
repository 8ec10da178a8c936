import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { pause, steadyMs } from '../../kernel/retry.ts';
import { computeLadders } from '../../operations/insights/compute-ladders.ts';
import { listFindings } from '../../operations/research/findings.ts';
import { runOnce } from '../../operations/research/research.ts';
import type { Runtime } from '../open-runtime.ts';

interface Patience {
  readonly everyMs: number;
  readonly forMs: number;
}

/** Repeats an attempt until it returns true, the time is over, or the demo stops. An attempt that fails counts as false. */
const repeat = async (
  attempt: () => Promise<boolean>,
  { everyMs, forMs }: Patience,
  stop: AbortSignal,
  logger: Logger,
): Promise<void> => {
  const untilMs = steadyMs() + forMs;
  do {
    await pause(everyMs, stop);
    if (stop.aborted) return;
    try {
      if (await attempt()) return;
    } catch (error) {
      // On a busy machine a read model can be missing, or behind, for longer than an attempt waits.
      if (!stop.aborted) logger.debug({ err: errorMessage(error) }, 'the demo tries again');
    }
  } while (steadyMs() < untilMs);
};

/** A small world is too even for a finding: after this time the schedule is enough. */
const UNTIL_FOUND: Patience = { everyMs: 5_000, forMs: 600_000 };
/** Findings that are told of. */
const TOLD = 3;

/**
 * Runs research until there is a finding, or for ten minutes: the schedule alone would take longer than the demo's first minute.
 * @param onFinding is called with the newest findings, whichever run they are from: one by schedule, or one that failed later on.
 */
export const runUntilFound = (
  runtime: Runtime,
  stop: AbortSignal,
  onFinding: (summary: string) => void,
  patience = UNTIL_FOUND,
): Promise<void> =>
  repeat(
    async () => {
      const tellFindings = async (): Promise<boolean> => {
        const findings = await listFindings(runtime, TOLD);
        for (const { summary } of findings) onFinding(summary);
        return findings.length > 0;
      };
      if (await tellFindings()) return true;
      await runOnce(runtime, { trigger: 'operator' });
      return tellFindings();
    },
    patience,
    stop,
    runtime.logger,
  );

/** After this time the schedule is enough. */
const UNTIL_ENOUGH: Patience = { everyMs: 5_000, forMs: 120_000 };
/** Accounts with figures from which on more change little. */
const ENOUGH = 200;

/** Computes ladders until the population of X is large enough, or for two minutes: the schedule alone would take hours. */
export const computeUntilEnough = (runtime: Runtime, stop: AbortSignal): Promise<void> =>
  repeat(
    async () => {
      const found = (await computeLadders(runtime)).find(({ platform }) => platform === 'x');
      return (found?.with_figures ?? 0) >= ENOUGH;
    },
    UNTIL_ENOUGH,
    stop,
    runtime.logger,
  );
