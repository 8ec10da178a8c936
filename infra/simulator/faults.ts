import type { Source } from '../../src/kernel/platform.ts';
import { FAULT_KINDS, type FaultKind, supports } from './fault-kinds.ts';
import type { PlannedFault } from './fault-plan.ts';
import { isSimulated, PLATFORMS } from './simulated-platforms.ts';
import { mix, unit } from './world/hash.ts';

export { FAULT_KINDS, type FaultKind, supports } from './fault-kinds.ts';

export interface Fault {
  readonly platform: Source;
  readonly kind: FaultKind;
  /** Fraction of the platform's requests, 0 to 1. */
  readonly share: number;
  readonly retryAfterS: number;
  /** Target of `redirect_away`. */
  readonly location: string;
}

export type FaultOptions = Partial<Pick<Fault, 'share' | 'retryAfterS' | 'location'>>;

/** What a planned fault is limited to. */
export interface Struck {
  readonly at: number;
  readonly surface: string;
  readonly session: string;
  readonly proxy: string;
}

export interface Faults {
  /** @throws {RangeError} for a share outside [0, 1] or an unsupported fault. */
  set(platform: Source, kind: FaultKind, options?: FaultOptions): void;
  clear(platform?: Source, kind?: FaultKind): void;
  list(): readonly Fault[];
  /** Faults that begin and end by themselves. */
  readonly plan: readonly PlannedFault[];
  /** The fault of the platform's next request, if any. Counts that request. */
  strike(platform: Source, request?: Struck): Fault | null;
}

const ELSEWHERE = 'http://169.254.169.254/latest/meta-data/';

const strikes = (fault: PlannedFault, platform: Source, { at, surface, session, proxy }: Struck): boolean =>
  at >= fault.from &&
  at < fault.to &&
  fault.platforms.some((name) => name === platform) &&
  (fault.surfaces?.includes(surface) ?? true) &&
  (fault.sessions?.includes(session) ?? true) &&
  (fault.proxies?.includes(proxy) ?? true);

/** Faults by platform; the requests affected are drawn from the seed, so that runs are reproducible. */
export const createFaults = (seed: number, plan: readonly PlannedFault[] = []): Faults => {
  const active = new Map<string, Fault>();
  const counts = new Map<Source, number>();
  return {
    set: (platform, kind, options = {}) => {
      const fault: Fault = {
        platform,
        kind,
        share: options.share ?? 1,
        retryAfterS: options.retryAfterS ?? 30,
        location: options.location ?? ELSEWHERE,
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
    plan,
    strike: (platform, request) => {
      const n = counts.get(platform) ?? 0;
      counts.set(platform, n + 1);
      const site = isSimulated(platform) ? PLATFORMS.indexOf(platform) : PLATFORMS.length;
      const key = mix(mix(seed, 600 + site), n);
      for (const [number, fault] of request ? plan.entries() : []) {
        if (request && strikes(fault, platform, request) && unit(key, 100 + number) < fault.share) {
          const { kind, share, retryAfterS } = fault;
          return { platform, kind, share, retryAfterS, location: ELSEWHERE };
        }
      }
      for (const fault of active.values()) {
        if (fault.platform === platform && unit(key, FAULT_KINDS.indexOf(fault.kind)) < fault.share)
          return fault;
      }
      return null;
    },
  };
};
