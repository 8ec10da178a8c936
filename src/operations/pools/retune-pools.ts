import type { OperationsContext } from '../context.ts';
import { tunePool } from './change-pool.ts';
import { outdatedThresholds } from './forecast.ts';

/**
 * Adjusts the refresh thresholds of pools with a target of requests per day: to their size, to how fast their accounts
 * change, and to the requests that a reading takes.
 * @returns the pools that were tuned.
 */
export const retunePools = async (context: OperationsContext): Promise<readonly string[]> => {
  const outdated = await outdatedThresholds(context);
  for (const [pool, refresh_threshold] of outdated) await tunePool(context, pool, { refresh_threshold });
  return [...outdated.keys()];
};
