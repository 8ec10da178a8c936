import type { OperationsContext } from '../context.ts';
import { tunePool } from './change-pool.ts';
import { outdatedThresholds } from './forecast.ts';

/**
 * Lets pools keep to their requests a day: as they grow, as their accounts change faster or slower and as readings cost other
 * numbers of requests, their thresholds follow. @returns the pools that were tuned.
 */
export const retunePools = async (context: OperationsContext): Promise<readonly string[]> => {
  const outdated = await outdatedThresholds(context);
  for (const [pool, refresh_threshold] of outdated) await tunePool(context, pool, { refresh_threshold });
  return [...outdated.keys()];
};
