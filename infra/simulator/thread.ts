import { parentPort, workerData } from 'node:worker_threads';
import { useCompileCache } from '../../src/kernel/process-settings.ts';
import type { SimulatorData, SimulatorReport } from './thread-messages.ts';

/** The program of a thread that runs a simulator until it is terminated. */

// A thread does not inherit it: without, it loads the compiler of types, which takes more memory than the world.
useCompileCache();
const [{ systemClock }, { PLATFORMS }, { pastOf, seedsOf }, { startSimulator }, { MARKETPLACE }] =
  await Promise.all([
    import('../../src/kernel/clock.ts'),
    import('./simulated-platforms.ts'),
    import('./ground-truth.ts'),
    import('./server.ts'),
    import('./sites/marketplace.ts'),
  ]);

const { seeds, ...options } = workerData as SimulatorData;
const { url, world } = await startSimulator(options);
const nowMs = systemClock.now();
const seedsByPlatform = Object.fromEntries(
  PLATFORMS.map((platform) => [platform, seedsOf(world, platform, seeds, nowMs)]),
) as SimulatorReport['seeds'];
parentPort?.postMessage({
  url,
  marketplaceUrl: `https://${MARKETPLACE}/api/v1/listings`,
  seeds: seedsByPlatform,
  past: pastOf(world, 'x', seedsByPlatform.x, nowMs),
} as SimulatorReport);
