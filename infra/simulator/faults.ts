import { PLATFORMS, type Platform } from '../../src/kernel/platform.ts';
import { mix, unit } from './world/hash.ts';

export const FAULT_KINDS = [
  'rate_limited',
  'server_error',
  'timeout',
  'slow_drip',
  'login_wall',
  'challenge',
  'truncated',
  'cut_short',
  'layout_changed',
  'oversized',
  'gzip_bomb',
  'redirect_away',
  'empty',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly platform: Platform;
  readonly kind: FaultKind;
  /** Fraction of the platform's requests, 0 to 1. */
  readonly share: number;
  readonly retryAfterS: number;
  /** Target of `redirect_away`. */
  readonly location: string;
}

export type FaultOptions = Partial<Pick<Fault, 'share' | 'retryAfterS' | 'location'>>;

/** Faults that a platform does not have: Telegram has no wall, and neither it nor Bluesky a challenge. */
const NEVER: Readonly<Partial<Record<Platform, readonly FaultKind[]>>> = {
  telegram: ['login_wall', 'challenge'],
  bluesky: ['challenge'],
};

export const supports = (platform: Platform, kind: FaultKind): boolean => !NEVER[platform]?.includes(kind);

export interface Faults {
  /** @throws {RangeError} for a share outside [0, 1] or an unsupported fault. */
  set(platform: Platform, kind: FaultKind, options?: FaultOptions): void;
  clear(platform?: Platform, kind?: FaultKind): void;
  list(): readonly Fault[];
  /** The fault of the platform's next request, if any. Counts that request. */
  strike(platform: Platform): Fault | null;
}

/** Faults by platform; the requests affected are drawn from the seed, so that runs are reproducible. */
export const createFaults = (seed: number): Faults => {
  const active = new Map<string, Fault>();
  const counts = new Map<Platform, number>();
  return {
    set: (platform, kind, options = {}) => {
      const fault: Fault = {
        platform,
        kind,
        share: options.share ?? 1,
        retryAfterS: options.retryAfterS ?? 30,
        location: options.location ?? 'http://169.254.169.254/latest/meta-data/',
      };
      if (!(fault.share >= 0 && fault.share <= 1))
        throw new RangeError(`share is ${fault.share}; allowed: 0 to 1`);
      if (!supports(platform, kind)) throw new RangeError(`${platform} does not support ${kind}`);
      active.set(`${platform} ${kind}`, fault);
    },
    clear: (platform, kind) => {
      for (const [key, fault] of active) {
        if ((!platform || fault.platform === platform) && (!kind || fault.kind === kind)) active.delete(key);
      }
    },
    list: () => [...active.values()],
    strike: (platform) => {
      const n = counts.get(platform) ?? 0;
      counts.set(platform, n + 1);
      if (active.size === 0) return null;
      const key = mix(mix(seed, 600 + PLATFORMS.indexOf(platform)), n);
      for (const fault of active.values()) {
        if (fault.platform === platform && unit(key, FAULT_KINDS.indexOf(fault.kind)) < fault.share)
          return fault;
      }
      return null;
    },
  };
};
