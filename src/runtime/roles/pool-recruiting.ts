import { setTimeout as sleep } from 'node:timers/promises';
import type { CurrentPools } from '../../crawlers/pools/current-pools.ts';
import { recruitDemand } from '../../crawlers/pools/recruit-demand.ts';
import { recruitFollows } from '../../crawlers/pools/recruit-follows.ts';
import type { Recruiter } from '../../crawlers/recruiter.ts';
import { systemClock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import { retunePools } from '../../operations/pools/retune-pools.ts';
import type { Builds } from '../../read/active-builds.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Running } from './lifecycle.ts';

const LEASE = { kind: ADVISORY_LOCKS.RECRUITING_LEASE, name: 'recruiting' };
/** How often demand and new parts of follower lists are looked at. */
const LOOK_MS = 5_000;
const AGAIN_MS = 1_000;
/** How often thresholds of pools with requests a day are looked at. */
const RETUNE_MS = 600_000;

/**
 * Recruits out of follower lists and demand for the pools with such rules, and lets pools keep to their requests a day, in the
 * process that has the lease.
 */
export const startPoolRecruiting = (
  runtime: Runtime,
  builds: Builds,
  pools: CurrentPools,
  recruiter: Recruiter,
): Running => {
  const { asyncCommitDb: db, url, log, availability, logger } = runtime;
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number, until: AbortSignal) =>
    sleep(ms, undefined, { signal: until }).catch(() => undefined);

  const look = async (until: AbortSignal): Promise<void> => {
    if (availability.isUnavailable()) return;
    const nowMs = systemClock.now();
    await recruitDemand(db, pools, recruiter, nowMs);
    await recruitFollows({ db, builds, log, pools, recruiter }, nowMs, until);
  };
  let retuneAtMs = systemClock.now() + RETUNE_MS;
  const retune = async (): Promise<void> => {
    if (availability.isUnavailable() || systemClock.now() < retuneAtMs) return;
    retuneAtMs = systemClock.now() + RETUNE_MS;
    for (const pool of await retunePools(runtime))
      logger.info({ pool }, 'the refresh threshold of the pool follows its requests a day');
  };
  const work = async (until: AbortSignal): Promise<void> => {
    while (!until.aborted) {
      await look(until).catch((error: unknown) =>
        logger.warn(
          { err: errorMessage(error) },
          'recruiting out of follower lists and demand failed; it is tried again',
        ),
      );
      await retune().catch((error: unknown) =>
        logger.warn({ err: errorMessage(error) }, 'refresh thresholds stay: they could not be computed'),
      );
      await pause(LOOK_MS, until);
    }
  };
  const keepRunning = async () => {
    while (!signal.aborted) {
      await withLease(url, LEASE, signal, work).catch((error: unknown) =>
        logger.warn({ err: errorMessage(error) }, 'the lease of recruiting was lost; waiting for it'),
      );
      await pause(AGAIN_MS, signal);
    }
  };
  const running = keepRunning();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
