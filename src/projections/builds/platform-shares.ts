import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { EventLog } from '../../write/log/port.ts';
import { platformOf } from '../../write/stream-platform.ts';
import type { Projection } from '../projection.ts';

/** Platforms that one writer of a build folds, and which part of the events they are. */
export interface PlatformShare {
  readonly platforms: readonly Platform[];
  /** The shares' weights add up to 1. */
  readonly weight: number;
}

/** Samples of the log, evenly spaced, and events of each. */
const SAMPLES = 20n;
const SAMPLE_EVENTS = 200;

/** Estimates how many events a projection has to apply of each platform, from samples of the log. */
export const sampleLoad = async (
  log: Pick<EventLog, 'readAll' | 'canSeekAnyPosition'>,
  { types }: Projection,
  to: bigint,
): Promise<ReadonlyMap<Platform, number>> => {
  const wanted: ReadonlySet<string> = new Set(types);
  const load = new Map<Platform, number>();
  // A log that can't be read from any position is sampled at its start only.
  const samples = log.canSeekAnyPosition === false ? 1n : SAMPLES;
  for (let n = 0n; n < samples; n++) {
    const options = { to, raw: true, pageSize: SAMPLE_EVENTS };
    for await (const page of log.readAll((to * n) / samples, options)) {
      for (const { stream, type } of page.events) {
        const platform = platformOf(stream);
        if (platform == null || !wanted.has(type)) continue;
        load.set(platform, (load.get(platform) ?? 0) + 1);
      }
      break;
    }
  }
  return load;
};

/** Divides the platforms among writers so that their loads differ little: the largest first, to the least loaded. */
export const dividePlatforms = (
  load: ReadonlyMap<Platform, number>,
  writers: number,
): readonly PlatformShare[] => {
  // Platforms without a sample have events as well.
  const loadOf = (platform: Platform) => (load.get(platform) ?? 0) + 1;
  const shares = Array.from({ length: Math.max(1, Math.min(writers, PLATFORMS.length)) }, () => {
    return { platforms: [] as Platform[], load: 0 };
  });
  for (const platform of PLATFORMS.toSorted((a, b) => loadOf(b) - loadOf(a))) {
    const least = shares.reduce((a, b) => (b.load < a.load ? b : a));
    least.platforms.push(platform);
    least.load += loadOf(platform);
  }
  const total = shares.reduce((sum, share) => sum + share.load, 0);
  return shares.map(({ platforms, load: own }) => ({ platforms, weight: own / total }));
};
