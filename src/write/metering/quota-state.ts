import type { Plan } from '../holders/plans.ts';
import { type GroupOutcomes, REASONS, type Reason, type RequestGroup } from './admission/admit-batch.ts';
import type { HolderOutcome } from './entitlements.ts';

/** A request's charge, and what identifies it for a refund. */
export interface Charge {
  readonly holder: string;
  readonly period: number;
  readonly day: string;
  readonly keyId: string;
  readonly operation: string;
  readonly budgetUnits: number;
  readonly overageUnits: number;
  readonly overageMicroUsd: number;
  readonly liveCalls: number;
  /** To be settled, in full or in part, or refunded; null if the charge is final. */
  readonly reservation: string | null;
}

/** A holder's quota right after one of its requests was decided. */
export interface QuotaState {
  readonly plan: Plan;
  /** Units of the quota that are used. */
  readonly budgetUnits: number;
  readonly overageUnits: number;
  readonly liveCalls: number;
  /** `capped`: on, but the rest under the cap does not cover another unit. */
  readonly overage: 'off' | 'on' | 'capped';
  /** Micro-dollars of overage left under the cap; null if there is none. */
  readonly capLeftMicroUsd: number | null;
  /** Micro-dollars. */
  readonly balanceMicroUsd: number;
  /** End of the period, ISO 8601 UTC. */
  readonly endsAt: string;
  /** Requests left in the running minute, and seconds until the next. */
  readonly burstLeft: number;
  readonly burstResetS: number;
  readonly liveLeft: number;
  readonly liveResetS: number;
}

export type Admitted =
  | { readonly charge: Charge; readonly refused: null; readonly quota: QuotaState }
  | { readonly charge: null; readonly refused: Reason; readonly quota: QuotaState };

const overageOf = (plan: Plan, isOn: boolean, capLeftMicroUsd: number | null): QuotaState['overage'] => {
  if (!isOn) return 'off';
  return capLeftMicroUsd !== null && capLeftMicroUsd < (plan.overage_micro_usd ?? 0) ? 'capped' : 'on';
};

/** What a part settlement refunded of a charge. @param final what remains charged. */
export const refundedPart = (charge: Charge, final: Charge): Charge => ({
  ...charge,
  budgetUnits: charge.budgetUnits - final.budgetUnits,
  overageUnits: charge.overageUnits - final.overageUnits,
  overageMicroUsd: charge.overageMicroUsd - final.overageMicroUsd,
  liveCalls: charge.liveCalls - final.liveCalls,
});

/** The quota state after a refund. */
export const afterRefund = (quota: QuotaState, charge: Charge): QuotaState => {
  const capLeftMicroUsd =
    quota.capLeftMicroUsd === null ? null : quota.capLeftMicroUsd + charge.overageMicroUsd;
  return {
    ...quota,
    budgetUnits: quota.budgetUnits - charge.budgetUnits,
    overageUnits: quota.overageUnits - charge.overageUnits,
    liveCalls: quota.liveCalls - charge.liveCalls,
    balanceMicroUsd: quota.balanceMicroUsd + charge.overageMicroUsd,
    overage: overageOf(quota.plan, quota.overage !== 'off', capLeftMicroUsd),
    capLeftMicroUsd,
  };
};

/** A holder's quota before its next request. */
export const quotaStateOf = (outcome: HolderOutcome): QuotaState => {
  const { plan } = outcome;
  return {
    plan,
    budgetUnits: outcome.budgetUnits,
    overageUnits: outcome.overageUnits,
    liveCalls: outcome.liveCalls,
    overage: overageOf(plan, outcome.overageOn, outcome.capLeftMicroUsd),
    capLeftMicroUsd: outcome.capLeftMicroUsd,
    balanceMicroUsd: outcome.balanceMicroUsd,
    endsAt: outcome.endsAt,
    burstLeft: Math.max(0, plan.requests_per_minute - outcome.windowRequests),
    burstResetS: outcome.windowLeftS,
    liveLeft: Math.max(0, plan.live_per_minute - outcome.liveRequests),
    liveResetS: outcome.liveLeftS,
  };
};

/** Seconds of a window that are left some time later; a new one begins when it is over. */
const windowLater = (
  left: number,
  resetS: number,
  full: number,
  passedS: number,
): readonly [number, number] =>
  passedS >= resetS ? [full, 60] : [left, Math.max(1, Math.ceil(resetS - passedS))];

/** The quota state some time later, if nothing was requested meanwhile. */
export const quotaLater = (quota: QuotaState, passedS: number): QuotaState => {
  const { plan } = quota;
  const [burstLeft, burstResetS] = windowLater(
    quota.burstLeft,
    quota.burstResetS,
    plan.requests_per_minute,
    passedS,
  );
  const [liveLeft, liveResetS] = windowLater(quota.liveLeft, quota.liveResetS, plan.live_per_minute, passedS);
  return { ...quota, burstLeft, burstResetS, liveLeft, liveResetS };
};

/** The outcome of each request of a holder's groups, in order, with the quota state after it. */
export const outcomesByRequest = (
  outcome: HolderOutcome,
  groups: readonly RequestGroup[],
  decided: GroupOutcomes | null,
): Admitted[] => {
  const outcomes: Admitted[] = [];
  const { plan } = outcome;
  const rate = plan.overage_micro_usd ?? 0;
  let { budgetUnits, overageUnits, liveCalls, balanceMicroUsd, capLeftMicroUsd } = outcome;
  let burstLeft = plan.requests_per_minute - outcome.windowRequests;
  let liveLeft = plan.live_per_minute - outcome.liveRequests;
  const quota = (): QuotaState => ({
    plan,
    budgetUnits,
    overageUnits,
    liveCalls,
    overage: overageOf(plan, outcome.overageOn, capLeftMicroUsd),
    capLeftMicroUsd,
    balanceMicroUsd,
    endsAt: outcome.endsAt,
    burstLeft: Math.max(0, burstLeft),
    burstResetS: outcome.windowLeftS,
    liveLeft: Math.max(0, liveLeft),
    liveResetS: outcome.liveLeftS,
  });
  for (const [i, { ask, count, reservation }] of groups.entries()) {
    const granted = decided?.granted[i] ?? count;
    const cost = ask.catalog * plan.weights.catalog + ask.live * plan.weights.live;
    for (let k = 0; k < granted; k++) {
      const withinQuota = Math.min(cost, Math.max(0, plan.units - budgetUnits));
      const beyond = cost - withinQuota;
      budgetUnits += withinQuota;
      overageUnits += beyond;
      balanceMicroUsd -= beyond * rate;
      if (capLeftMicroUsd !== null) capLeftMicroUsd -= beyond * rate;
      liveCalls += ask.live;
      burstLeft -= 1;
      liveLeft -= ask.live;
      outcomes.push({
        refused: null,
        quota: quota(),
        charge: {
          holder: ask.holder,
          period: outcome.period,
          day: outcome.day,
          keyId: ask.keyId,
          operation: ask.operation,
          budgetUnits: withinQuota,
          overageUnits: beyond,
          overageMicroUsd: beyond * rate,
          liveCalls: ask.live,
          reservation,
        },
      });
    }
    const over = decided?.over[i] ?? 0;
    const reason = REASONS[decided?.reason[i] ?? 0] as Reason;
    for (let left = count - granted; left > 0; left--) {
      const refused = left > over ? reason : 'burst';
      if (refused !== 'burst') burstLeft -= 1;
      outcomes.push({ refused, charge: null, quota: quota() });
    }
  }
  return outcomes;
};
