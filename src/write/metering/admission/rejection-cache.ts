import { elapsedMs } from '../../../kernel/clock.ts';
import type { AdmissionRequest } from '../entitlements.ts';
import { type Admitted, afterRefund, type Charge, type QuotaState, quotaLater } from '../quota-state.ts';
import type { Reason } from './admit-batch.ts';
import type { RejectionCount } from './rejection-count.ts';

/** Recent rejections, so that a flood of rejected requests does not become a flood of statements. */
export interface RejectionCache {
  /** The rejection of a request, if it is known without a query; it is counted. */
  find(ask: AdmissionRequest): Admitted | null;
  /** Remembers the decision if it is a rejection. */
  learn(ask: AdmissionRequest, deciding: Promise<Admitted>): Promise<Admitted>;
  /** Whether a holder was rejected within the running minute, for any reason. */
  has(holder: string): boolean;
  /** Applies a refund to the remembered state. */
  refunded(charge: Charge): void;
  /** Flushes the counts. */
  close(): Promise<void>;
}

interface Refusal {
  readonly reason: Reason;
  readonly quota: QuotaState;
  readonly atMs: number;
}

const MAX_HOLDERS = 10_000;

/**
 * The window's seconds are rounded up, so it may end this much earlier. The database decides the rest, so that the
 * cache never rejects what it would admit.
 */
const ROUNDING_S = 1;

/**
 * Remembers rejections until their minute ends or the holders' entitlements change. Only the request rate limit is
 * enforced from memory: nothing but time or new entitlements lifts it. An exhausted quota is decided by the
 * database each time, since such requests count against the rate limit; but no work is started for them before the
 * decision.
 * @param terms identifies the version of all entitlements that this process has seen.
 * @param count records each request rejected from memory.
 */
export const createRejectionCache = (
  terms: () => string,
  count: RejectionCount,
  nowMs: () => number = elapsedMs,
): RejectionCache => {
  const refused = new Map<string, Refusal>();
  let seen = '';

  const forgetOfOtherTerms = (): void => {
    const now = terms();
    if (now !== seen) refused.clear();
    seen = now;
  };

  const find = (holder: string): Refusal | null => {
    // The usual case, several times per request.
    if (refused.size === 0) return null;
    forgetOfOtherTerms();
    const found = refused.get(holder);
    if (found === undefined) return null;
    const passedMs = nowMs() - found.atMs;
    // After the clock was set back, the window's age is unknown.
    if (passedMs >= 0 && passedMs < (found.quota.burstResetS - ROUNDING_S) * 1_000) return found;
    refused.delete(holder);
    return null;
  };

  const remember = (ask: AdmissionRequest, refusal: Refusal): void => {
    forgetOfOtherTerms();
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
      const quota = quotaLater(found.quota, (nowMs() - found.atMs) / 1_000);
      return { charge: null, refused: 'burst', quota };
    },
    learn: async (ask, deciding) => {
      // Read before the decision: the remembered window never outlasts the real one, and entitlements are never
      // taken for newer.
      const atMs = nowMs();
      const asked = terms();
      const admitted = await deciding;
      if (admitted.refused !== null && asked === terms()) {
        remember(ask, { reason: admitted.refused, quota: admitted.quota, atMs });
      }
      return admitted;
    },
    has: (holder) => find(holder) !== null,
    refunded: (charge) => {
      const found = find(charge.holder);
      if (found !== null) {
        refused.set(charge.holder, { ...found, quota: afterRefund(found.quota, charge) });
      }
    },
    close: () => count.flush(),
  };
};
