import { parentPort, workerData } from 'node:worker_threads';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { seedsOf } from './ground-truth.ts';
import { startSimulator } from './server.ts';
import { MARKETPLACE } from './sites/marketplace.ts';
import type { SimulatorData, SimulatorReport } from './thread-messages.ts';

/** The program of a thread that runs a simulator until it is terminated. */

const { seeds, ...options } = workerData as SimulatorData;
const { url, world } = await startSimulator(options);
parentPort?.postMessage({
  url,
  marketplaceUrl: `https://${MARKETPLACE}/api/v1/listings`,
  seeds: Object.fromEntries(
    PLATFORMS.map((platform) => [platform, seedsOf(world, platform, seeds, Date.now())]),
  ),
} as SimulatorReport);
