import { adapterOf } from '../../crawlers/platforms/registry.ts';
import { recruitSeeds } from '../../crawlers/seed-pool.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import { watchBuilds } from '../../read/active-builds.ts';
import { readMembers } from '../../read/frontier/frontier.ts';
import type { OperationsContext } from '../context.ts';
import { parseHandles, parsePlatform } from './handles.ts';

type SeedsContext = Pick<OperationsContext, 'log' | 'db' | 'logger'>;

/** The handles that no pool has, as far as the frontier knows; all of them before its first build. */
const withoutMembers = async (
  { db, logger }: SeedsContext,
  platform: Platform,
  handles: readonly string[],
): Promise<readonly string[]> => {
  const builds = await watchBuilds(db, logger);
  try {
    if (builds.progress('frontier') === null) return handles;
    const accounts = handles.map((handle) => ({ platform, handle }));
    const known = await readMembers(db, builds, accounts);
    return handles.filter((handle) => !known.has(`${platform}:${handle}`));
  } finally {
    builds.close();
  }
};

/**
 * Recruits accounts into a platform's seed pool.
 * @returns how many were named, and how many of them are in no pool yet, as far as the frontier knows.
 * @throws {OperatorError} `platform_unknown`, `handle_invalid`
 */
export const addSeeds = async (
  context: SeedsContext,
  platform: string,
  names: readonly string[],
): Promise<{ readonly named: number; readonly recruited: number }> => {
  const name = parsePlatform(platform);
  const handles = parseHandles(adapterOf(name), names);
  const recruited = await withoutMembers(context, name, handles);
  await recruitSeeds(context.log, name, recruited, systemClock.now());
  return { named: handles.length, recruited: recruited.length };
};
