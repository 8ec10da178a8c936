import { adapterOf } from '../../crawlers/platforms/registry.ts';
import { ensureSeedPool, seedPool } from '../../crawlers/pools/choose-pool.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { OperationsContext } from '../context.ts';
import { addMembers } from '../pools/pools.ts';
import { parseHandles, parsePlatform } from './read-accounts.ts';

/**
 * Recruits accounts into a platform's seed pool.
 * @returns how many were named, and how many of them are in no pool yet, as far as the frontier knows.
 * @throws {OperatorError} `platform_unknown`, `handle_invalid`
 */
export const addSeeds = async (
  context: Pick<OperationsContext, 'log' | 'db' | 'logger'>,
  platform: string,
  names: readonly string[],
): Promise<{ readonly named: number; readonly recruited: number }> => {
  const name = parsePlatform(platform);
  const handles = parseHandles(adapterOf(name), names);
  await ensureSeedPool(context.log, name, systemClock.now());
  const recruited = await addMembers(context, { platform: name, pool: seedPool(name) }, handles);
  return { named: handles.length, recruited };
};
