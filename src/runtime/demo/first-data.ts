import type { PastReading } from '../../../infra/simulator/thread-messages.ts';
import { isoOf } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import { pause, steadyMs } from '../../kernel/retry.ts';
import { computeLadders } from '../../operations/insights/compute-ladders.ts';
import { importListings } from '../../operations/marketplace/import-listings.ts';
import { NEW_POOL } from '../../operations/pools/change-pool.ts';
import { listFindings } from '../../operations/research/findings.ts';
import { runOnce } from '../../operations/research/research.ts';
import { accountStream, recordSighting } from '../../write/accounts/account.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog } from '../../write/log/port.ts';
import { createPool, poolDecider, poolStream } from '../../write/pools/pool.ts';
import type { Runtime } from '../open-runtime.ts';

/** Creates the demo's pools unless they exist. What accounts of its mention pools mention goes to the seed pools. */
export const createDemoPools = async (log: EventLog, nowMs: number): Promise<void> => {
  const plain = { ...NEW_POOL, at: isoOf(nowMs), share: SHARE, seeds: null, sources: [] };
  const pools = [
    ...COMPARED.map((platform) => ({
      ...plain,
      ...{ pool: `mentioned-${platform}`, platform, rule: 'mention' as const, depth: 1 },
    })),
    // The demo has one holder.
    ...PLATFORMS.map((platform) => ({
      ...plain,
      ...{ pool: `demanded-${platform}`, platform, rule: 'demand' as const, depth: null, min_holders: 1 },
    })),
  ];
  for (const each of pools)
    await handleCommand(log, poolDecider, poolStream(each.pool), createPool(each), { nowMs });
};

/**
 * Records readings of weeks before the demo began, so that growth has a past. An account that was read before keeps its
 * own.
 * @param readings of accounts of X, the oldest first.
 */
export const recordPast = async (
  log: EventLog,
  readings: readonly PastReading[],
  nowMs: number,
): Promise<void> => {
  const ofAccount = async (handle: string, own: readonly PastReading[]): Promise<void> => {
    const stream = await log.readStream(accountStream('x', handle), { limit: 1 });
    if (stream.length > 0) return;
    for (const { at, surface, profile } of own) {
      const links = [...profile.links];
      const found = { status: 'active' as const, profile: { ...profile, links }, posts: null, measured: [] };
      await recordSighting(
        log,
        'x',
        handle,
        { observedAt: at, source: 'crawler', surface, found },
        { nowMs },
      );
    }
  };
  const byHandle = Map.groupBy(readings, ({ profile }) => profile.handle);
  await Promise.all([...byHandle].map(([handle, own]) => ofAccount(handle, own)));
};

/** Imports the paid posts that the marketplace has a file of: its feed shows accounts for sale only. */
export const importPlacements = async (
  runtime: Runtime,
  feedUrl: string,
  stop: AbortSignal,
): Promise<void> => {
  try {
    await importListings(runtime, new URL('/dumps/placements.ndjson', feedUrl).href, { signal: stop });
  } catch (error) {
    if (!stop.aborted) runtime.logger.warn({ err: errorMessage(error) }, 'paid posts could not be imported');
  }
};

/**
 * Runs research until there is a finding, or for ten minutes: the schedule alone would take longer than the demo's
 * first minute.
 * @param onFinding is called with the newest findings, whichever run they are from: one by schedule, or one that failed
 * later on.
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

/**
 * Share of the mention pools: accounts that seeds mention are read early and discover more, a finding of the first
 * minute.
 */
const SHARE = 4;
/** Platforms on which they have a pool of their own, so that research has pools to compare. */
const COMPARED: readonly Platform[] = ['x', 'instagram', 'tiktok', 'bluesky'];

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
      if (!stop.aborted)
        logger.debug({ err: errorMessage(error) }, 'a step of the demo failed; it will be retried');
    }
  } while (steadyMs() < untilMs);
};

/** A small world is too even for a finding: after this time the schedule is enough. */
const UNTIL_FOUND: Patience = { everyMs: 5_000, forMs: 600_000 };
/** Newest findings that are printed. */
const TOLD = 3;

/** After this time the schedule is enough. */
const UNTIL_ENOUGH: Patience = { everyMs: 5_000, forMs: 120_000 };
/** Accounts with figures beyond which more change little. */
const ENOUGH = 200;
