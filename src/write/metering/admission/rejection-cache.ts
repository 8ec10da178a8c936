import type { AdmissionRequest } from '../entitlements.ts';
import { type Admitted, afterRefund, type Charge, type QuotaState } from '../quota-state.ts';
import type { Reason } from './admit-batch.ts';
import type { RejectionCount } from './rejection-count.ts';

/** Whom the metering has turned away of late, so that a flood of refused requests is no flood of statements. */
export interface RejectionCache {
  /** What a request is turned away with, where that is known without asking; it is counted as refused. */
  find(ask: AdmissionRequest): Admitted | null;
  /** Remembers a decision where it turned the request away. */
  learn(ask: AdmissionRequest, deciding: Promise<Admitted>): Promise<Admitted>;
  /** Whether a holder was turned away in the running minute, for whatever reason. */
  holds(holder: string): boolean;
  /** A charge was taken back, which the holder's standing tells from now on. */
  refunded(charge: Charge): void;
  /** Writes down what was refused from memory. */
  close(): Promise<void>;
}

interface Refusal {
  readonly reason: Reason;
  readonly quota: QuotaState;
  readonly atMs: number;
}

const MAX_HOLDERS = 10_000;

/**
 * The window's seconds are rounded up: it may end this much earlier. What is left of it then is for the database to
 * decide, so that nobody is refused from memory whom it would let in.
 */
const ROUNDING_S = 1;

/** The standing of a refusal some time later. */
const later = (quota: QuotaState, passedS: number): QuotaState => {
  const { plan } = quota;
  const isNewMinute = passedS >= quota.liveResetS;
  return {
    ...quota,
    burstResetS: Math.max(1, Math.ceil(quota.burstResetS - passedS)),
    liveLeft: isNewMinute ? plan.live_per_minute : quota.liveLeft,
    liveResetS: isNewMinute ? 60 : Math.max(1, Math.ceil(quota.liveResetS - passedS)),
  };
};

/**
 * Remembers refusals until their minute ends, or the holders' terms change. Only a spent burst is refused from memory:
 * nothing but time or other terms ends that. What a budget refuses is decided anew, since it counts in the burst, which
 * bounds it; but nothing is begun for it any more before it is decided.
 * @param terms names the state of all holders' terms that this process has seen.
 * @param count records each request that is refused from memory.
 */
export const createRejectionCache = (
  terms: () => string,
  count: RejectionCount,
  nowMs: () => number = () => performance.now(),
): RejectionCache => {
  const refused = new Map<string, Refusal>();
  let seen = '';

  const forgetOfOtherTerms = (): void => {
    const now = terms();
    if (now !== seen) refused.clear();
    seen = now;
  };

  const find = (holder: string): Refusal | null => {
    forgetOfOtherTerms();
    const found = refused.get(holder);
    if (found === undefined) return null;
    const passedMs = nowMs() - found.atMs;
    // A clock that was set back says nothing of the window.
    if (passedMs >= 0 && passedMs < (found.quota.burstResetS - ROUNDING_S) * 1_000) return found;
    refused.delete(holder);
    return null;
  };

  const remember = (ask: AdmissionRequest, refusal: Refusal): void => {
    if (refused.size >= MAX_HOLDERS) {
      for (const holder of [...refused.keys()]) find(holder);
      if (refused.size >= MAX_HOLDERS) refused.clear();
    }
    if (find(ask.holder)?.reason !== 'burst' || refusal.reason === 'burst') refused.set(ask.holder, refusal);
  };

  return {
    find: (ask) => {
      const found = find(ask.holder);
      if (found?.reason !== 'burst') return null;
      count.add(ask);
      const quota = later(found.quota, (nowMs() - found.atMs) / 1_000);
      return { charge: null, refused: 'burst', quota };
    },
    learn: async (ask, deciding) => {
      // From before it was decided: then its window is not taken to last longer than it does, nor its terms for newer.
      const atMs = nowMs();
      const asked = terms();
      const admitted = await deciding;
      if (admitted.refused !== null && asked === terms()) {
        remember(ask, { reason: admitted.refused, quota: admitted.quota, atMs });
      }
      return admitted;
    },
    holds: (holder) => find(holder) !== null,
    refunded: (charge) => {
      const found = find(charge.holder);
      if (found !== null) {
        refused.set(charge.holder, { ...found, quota: afterRefund(found.quota, charge) });
      }
    },
    close: () => count.flush(),
  };
};
