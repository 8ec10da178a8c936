import type { Plan } from '../../../src/write/holders/plans.ts';
import type { Reason } from '../../../src/write/metering/admit-batch.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

/** What admission is held to, request by request, with no thought of speed. */
export interface Model {
  plan: Plan;
  planStartedAt: number;
  overageOn: boolean;
  cap: number | null;
  credit: number;
  /** Of the running period; null before the first request. */
  period: { start: number; budget: number; overage: number; paid: number; live: number } | null;
  /** Charges of all periods, in micro-dollars. */
  charged: number;
  burst: { start: number; count: number } | null;
  liveBurst: { start: number; count: number } | null;
}

export const newModel = (plan: Plan, at: number): Model => ({
  plan,
  planStartedAt: at,
  overageOn: false,
  cap: null,
  credit: 0,
  period: null,
  charged: 0,
  burst: null,
  liveBurst: null,
});

/** What a request of the model came to. */
export interface ModelCharge {
  readonly refused: Reason | null;
  readonly budget: number;
  readonly overage: number;
  readonly paid: number;
  readonly periodStart: number;
}

const windowAt = (window: Model['burst'], now: number): NonNullable<Model['burst']> => {
  if (window === null || now >= window.start + MINUTE) return { start: now, count: 0 };
  return now < window.start ? { start: now, count: window.count } : window;
};

/** Decides one request at a time. */
export const decide = (model: Model, now: number, reads: number, live: number): ModelCharge => {
  const { plan } = model;
  const passed = Math.max(0, Math.floor((now - model.planStartedAt) / (30 * DAY)));
  const due = model.planStartedAt + passed * 30 * DAY;
  if (model.period === null || due > model.period.start) {
    model.period = { start: due, budget: 0, overage: 0, paid: 0, live: 0 };
  }
  const { period } = model;
  model.burst = windowAt(model.burst, now);
  model.liveBurst = windowAt(model.liveBurst, now);
  const refuse = (refused: Reason): ModelCharge => ({
    refused,
    budget: 0,
    overage: 0,
    paid: 0,
    periodStart: period.start,
  });
  if (model.burst.count >= plan.requests_per_minute) return refuse('burst');
  model.burst.count += 1;
  if (live > 0 && model.liveBurst.count + live > plan.live_per_minute) return refuse('live_burst');
  const cost = reads * plan.weights.catalog + live * plan.weights.live;
  const budget = Math.min(cost, Math.max(0, plan.units - period.budget));
  const overage = cost - budget;
  const rate = plan.overage_micro_usd;
  const paid = overage * (rate ?? 0);
  if (overage > 0) {
    if (rate === null || !model.overageOn) return refuse('budget');
    const capLeft = model.cap === null ? null : Math.max(0, model.cap - period.paid);
    const wallet = Math.max(0, model.credit - model.charged);
    if (
      capLeft !== null &&
      paid > Math.floor(capLeft / rate) * rate &&
      Math.floor(capLeft / rate) <= Math.floor(wallet / rate)
    ) {
      return refuse('cap');
    }
    if (paid > wallet) return refuse('wallet');
    if (capLeft !== null && paid > capLeft) return refuse('cap');
  }
  period.budget += budget;
  period.overage += overage;
  period.paid += paid;
  period.live += live;
  model.charged += paid;
  model.liveBurst.count += live;
  return { refused: null, budget, overage, paid, periodStart: period.start };
};

/** What the first items of a charge cost, one after the other: those of the quota come before those past it. */
export const firstItems = (charge: ModelCharge, items: number, used: number): ModelCharge => {
  const cost = (charge.budget + charge.overage) / items;
  const rate = charge.overage === 0 ? 0 : charge.paid / charge.overage;
  let budget = 0;
  let overage = 0;
  for (let unit = 0; unit < used * cost; unit++) {
    if (budget < charge.budget) budget += 1;
    else overage += 1;
  }
  return { ...charge, budget, overage, paid: overage * rate };
};

/** Takes a charge back; of an ended period only the money is still of interest here. */
export const refundBatch = (model: Model, charge: ModelCharge, live: number): void => {
  model.charged -= charge.paid;
  const { period } = model;
  if (period === null || period.start !== charge.periodStart) return;
  period.budget -= charge.budget;
  period.overage -= charge.overage;
  period.paid -= charge.paid;
  period.live -= live;
};
