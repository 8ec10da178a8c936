import { seedsOf } from '../../infra/simulator/ground-truth.ts';
import type { Simulator } from '../../infra/simulator/server.ts';
import { PLATFORMS } from '../../infra/simulator/simulated-platforms.ts';
import { recruitSeeds } from '../../src/crawlers/pools/choose-pool.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { addHolder } from '../../src/operations/holders/holders.ts';
import { issueKey } from '../../src/operations/holders/keys.ts';
import { openRuntime } from '../../src/runtime/open-runtime.ts';

const SEEDS_PER_PLATFORM = 6;

/**
 * Registers the holder `tester` and seeds of every platform in a home that no program runs in. Commands would start the
 * home's Postgres once each.
 * @returns the holder's key.
 */
export const seedHome = async (env: Record<string, string>, { world }: Simulator): Promise<string> => {
  const program = await openRuntime(parseConfig({ LOG_LEVEL: 'silent', ...env }), 'command', silentLogger);
  try {
    const nowMs = Date.now();
    for (const platform of PLATFORMS) {
      await recruitSeeds(program.log, platform, seedsOf(world, platform, SEEDS_PER_PLATFORM, nowMs), nowMs);
    }
    await addHolder(program, { name: 'Tester', id: 'tester', plan: 'growth' });
    const { key } = await issueKey(program, { holder: 'tester', scopes: null, label: null });
    return key;
  } finally {
    await program.close();
  }
};
