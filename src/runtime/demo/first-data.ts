import type { PastReading } from '../../../infra/simulator/thread-messages.ts';
import { isoOf } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import { importListings } from '../../operations/marketplace/import-listings.ts';
import { NEW_POOL } from '../../operations/pools/change-pool.ts';
import { accountStream, recordSighting } from '../../write/accounts/account.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog } from '../../write/log/port.ts';
import { createPool, poolDecider, poolStream } from '../../write/pools/pool.ts';
import type { Runtime } from '../open-runtime.ts';

/** Accounts that seeds mention are read before those that are further away, and discover more: a finding of the first minute. */
const SHARE = 4;
/** Platforms on which they have a pool of their own, so that research has pools to compare. */
const COMPARED: readonly Platform[] = ['x', 'instagram', 'tiktok', 'bluesky'];

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
 * Records readings of weeks before the demo began, so that growth has a past. An account that was read before keeps its own.
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
