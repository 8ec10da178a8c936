import type { VisibleProfile } from './platforms/site.ts';
import type { Platform } from './simulated-platforms.ts';
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

/** What a page of X showed at a time. */
export interface PastReading {
  readonly at: string;
  readonly surface: string;
  readonly profile: VisibleProfile;
}

/** What it reports once it serves. */
export interface SimulatorReport {
  readonly url: string;
  /** The feed of its marketplace, as crawlers of the real one would be given it. */
  readonly marketplaceUrl: string;
  /** Handles to begin a crawl with. */
  readonly seeds: Readonly<Record<Platform, readonly string[]>>;
  /** What pages of X's seeds showed every week before, the oldest first. */
  readonly past: readonly PastReading[];
}
