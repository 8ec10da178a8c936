import { schedule } from '../../crawlers/engine/cron-jobs.ts';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { Check } from '../../kernel/health-check.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { computeLadders } from '../../operations/insights/compute-ladders.ts';
import { runOnce } from '../../operations/research/research.ts';
import type { Runtime } from '../open-runtime.ts';
import { whileLeased } from './leased.ts';
import type { Running } from './lifecycle.ts';

/** Runs research and computes ladders by schedule, in one of the processes with the role. */
export const startResearch = (runtime: Runtime): Running & { check(): Check } => {
  const { url, availability, logger, config } = runtime;
  const stopping = new AbortController();
  const { signal } = stopping;
  const state: State = { isScheduling: false, lastMs: null, failure: null };

  const run = async (): Promise<void> => {
    if (availability.isUnavailable()) return;
    try {
      const { findings, applied } = await runOnce(runtime, { trigger: 'schedule' });
      Object.assign(state, { lastMs: systemClock.now(), failure: null });
      logger.info({ findings: findings.length, changes: applied }, 'research completed');
    } catch (error) {
      state.failure = errorMessage(error);
      throw error;
    }
  };
  const ladders = async (): Promise<void> => {
    if (availability.isUnavailable()) return;
    const computed = await computeLadders(runtime);
    logger.info({ ladders: computed.reduce((sum, each) => sum + each.ladders, 0) }, 'ladders computed');
  };
  const keepSchedule = async (until: AbortSignal): Promise<void> => {
    const jobs = [
      { name: 'research', at: config.RESEARCH_CRON, run },
      { name: 'ladders', at: config.LADDERS_CRON, run: ladders },
    ];
    const stop = schedule(jobs, logger);
    state.isScheduling = true;
    await new Promise<void>((resolve) => {
      if (until.aborted) resolve();
      until.addEventListener('abort', () => resolve(), { once: true });
    });
    state.isScheduling = false;
    await stop();
  };
  const running = whileLeased(url, LEASE, signal, logger, keepSchedule);
  return {
    check: () => checkOf(state),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

/** The process that holds it keeps the schedule. Runs on demand take turns with scheduled ones. */
const LEASE = { kind: ADVISORY_LOCKS.RESEARCH_LEASE, name: 'research schedule', of: 'research' };

interface State {
  isScheduling: boolean;
  lastMs: number | null;
  failure: string | null;
}

/** The check never fails: a failed run is logged, and the schedule tries again. */
const checkOf = ({ isScheduling, lastMs, failure }: State): Check => {
  const name = 'research';
  if (!isScheduling) return { name, ok: true, detail: 'standby: another process has the lease' };
  if (failure !== null) return { name, ok: true, detail: 'the last run failed, see the log' };
  const last = lastMs === null ? 'no run yet' : `last run at ${isoOf(lastMs)}`;
  return { name, ok: true, detail: `has the lease; ${last}` };
};
