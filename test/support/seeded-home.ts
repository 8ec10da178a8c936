import { seedsOf } from '../../infra/simulator/ground-truth.ts';
import type { Simulator } from '../../infra/simulator/server.ts';
import { issue } from '../../src/cli/commands/keys.ts';
import { recruitSeeds } from '../../src/crawlers/pools.ts';
import { isoOf } from '../../src/kernel/clock.ts';
import { parseConfig } from '../../src/kernel/config/parse-config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { openRuntime } from '../../src/runtime/open-runtime.ts';
import { holderDecider } from '../../src/write/holders/decide.ts';
import { holderStream } from '../../src/write/holders/events.ts';
import { registerHolder } from '../../src/write/holders/holder-commands.ts';
import { handleCommand } from '../../src/write/log/command-handler.ts';
import { publishedPlans } from '../../src/write/metering/published-plans.ts';

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
    const plans = publishedPlans('A');
    const register = registerHolder(
      { holder: 'tester', name: 'Tester', plan: 'growth' },
      plans,
      isoOf(nowMs),
    );
    await handleCommand(program.log, holderDecider, holderStream('tester'), register, { nowMs });
    const { key } = await issue(program, plans, 'tester', null, null);
    return key;
  } finally {
    await program.close();
  }
};
