import type { Platform } from '../../src/kernel/platform.ts';
import type { Parameters } from './world/parameters.ts';

/** What a simulator's thread is started with. */
export interface SimulatorData {
  readonly seed: number;
  /** Accounts per platform. */
  readonly size: number;
  readonly parameters: Parameters;
  /** Seeds of each platform that it names. */
  readonly seeds: number;
}

/** What it reports once it serves. */
export interface SimulatorReport {
  readonly url: string;
  /** The feed of its marketplace, as crawlers of the real one would be given it. */
  readonly marketplaceUrl: string;
  /** Handles to begin a crawl with. */
  readonly seeds: Readonly<Record<Platform, readonly string[]>>;
}
