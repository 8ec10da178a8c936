import { adapterOf } from '../../crawlers/platforms/registry.ts';
import { recruitSeeds } from '../../crawlers/seed-pool.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { OperationsContext } from '../context.ts';
import { parseHandles, parsePlatform } from './handles.ts';

/**
 * Recruits accounts into a platform's seed pool.
 * @returns how many were named, and how many of them are new to the pool.
 * @throws {OperatorError} `platform_unknown`, `handle_invalid`
 */
export const addSeeds = async (
  { log }: Pick<OperationsContext, 'log'>,
  platform: string,
  names: readonly string[],
): Promise<{ readonly named: number; readonly recruited: number }> => {
  const name = parsePlatform(platform);
  const handles = parseHandles(adapterOf(name), names);
  return { named: handles.length, recruited: await recruitSeeds(log, name, handles, systemClock.now()) };
};
