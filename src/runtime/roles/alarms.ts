import { systemClock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { pause } from '../../kernel/retry.ts';
import { EVALUATE_MS, evaluateAlarms, type Held } from '../../operations/health/evaluate.ts';
import { readFacts } from '../../operations/health/facts.ts';
import { measure } from '../../operations/health/measures.ts';
import { forgetProcesses } from '../../operations/health/processes.ts';
import type { Builds } from '../../read/active-builds.ts';
import { openReadPool } from '../../read/read-pool.ts';
import { keyringOf } from '../crawler-http.ts';
import type { Runtime } from '../open-runtime.ts';
import { whileLeased } from './leased.ts';
import type { Running } from './lifecycle.ts';

/** Evaluates the alarms every 15 s, in one of all processes. */
export const startAlarms = async (runtime: Runtime, builds: Builds): Promise<Running> => {
  const { asyncCommitDb: db, url, log, logger, config } = runtime;
  const stopping = new AbortController();
  const { signal } = stopping;
  const lists = await openReadPool(url, 2);
  const keyring = keyringOf(config);

  const evaluate = async (held: Held): Promise<void> => {
    const measured = measure(await readFacts({ db, log, builds, lists, keyring }));
    for (const { type, data } of await evaluateAlarms({ db, log }, measured, held, systemClock.now())) {
      if (type === 'AlarmRaised') logger.error({ subject: data.subject }, `alarm: ${data.detail}`);
      else logger.info({ subject: data.subject }, 'alarm cleared');
    }
    await forgetProcesses(db);
  };
  const work = async (until: AbortSignal): Promise<void> => {
    const held: Held = new Map();
    while (!until.aborted) {
      await evaluate(held).catch((error: unknown) =>
        logger.warn({ err: errorMessage(error) }, 'alarms could not be evaluated; it will be retried'),
      );
      await pause(EVALUATE_MS, until);
    }
  };
  const running = whileLeased(url, LEASE, signal, logger, work);
  return {
    stop: async () => {
      stopping.abort();
      await running;
      await lists.end();
    },
  };
};

const LEASE = { kind: ADVISORY_LOCKS.ALARMS_LEASE, name: 'alarms', of: 'alarms' };
