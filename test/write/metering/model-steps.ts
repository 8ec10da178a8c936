import fc from 'fast-check';
import { type MeteringWorld, testPlan } from '../../support/metering.ts';
import type { Model } from './model.ts';

export const START = Date.parse('2026-11-01T00:00:00.000Z');
export const PROCESSES = 3;

export const PLANS = [
  testPlan('none', { units: 25, overage_micro_usd: null, requests_per_minute: 40, live_per_minute: 3 }),
  testPlan('low', { units: 30, overage_micro_usd: 7, requests_per_minute: 12, live_per_minute: 2 }),
  testPlan('high', {
    units: 60,
    overage_micro_usd: 3,
    requests_per_minute: 1_000,
    live_per_minute: 1_000,
    weights: { catalog: 1, live: 5 },
  }),
] as const;

/** What changes between requests. */
export type Change =
  | { readonly kind: 'clock'; readonly seconds: number }
  | { readonly kind: 'plan'; readonly plan: number }
  | { readonly kind: 'overage'; readonly on: boolean; readonly cap: number | null }
  | { readonly kind: 'credit'; readonly amount: number };

export const clockChange = fc.record({
  kind: fc.constant('clock' as const),
  seconds: fc.constantFrom(1, 20, 59, 60, 86_400, 30 * 86_400 - 61, 30 * 86_400, -5, -90),
});

export const planChange = fc.record({
  kind: fc.constant('plan' as const),
  plan: fc.nat(PLANS.length - 1),
});

export const overageChange = fc.record({
  kind: fc.constant('overage' as const),
  on: fc.boolean(),
  cap: fc.constantFrom(null, 20, 100),
});

export const creditChange = fc.record({
  kind: fc.constant('credit' as const),
  amount: fc.integer({ min: 1, max: 200 }),
});

export const iso = (ms: number): string => new Date(ms).toISOString();

/** Carries out a change in the world and in the model. @returns the time after it. */
export const applyChange = async (
  world: Pick<MeteringWorld, 'tell'>,
  holder: string,
  model: Model,
  change: Change,
  now: number,
): Promise<number> => {
  switch (change.kind) {
    case 'clock':
      return Math.max(START, now + change.seconds * 1_000);
    case 'plan': {
      const plan = PLANS[change.plan] as (typeof PLANS)[number];
      if (plan.name === model.plan.name) return now;
      // Nobody changes plans twice in an instant: the same plan from the same time on is the same period.
      const at = now + 1_000;
      await world.tell(holder, { type: 'PlanChosen', data: { at: iso(at), plan: plan.name } });
      Object.assign(model, { plan, planStartedAt: at, period: null });
      return at;
    }
    case 'overage': {
      const cap = change.cap === null ? null : String(change.cap);
      const data = { at: iso(now), on: change.on, cap_micro_usd: cap };
      await world.tell(holder, { type: 'OverageSet', data });
      Object.assign(model, { overageOn: change.on, cap: change.cap });
      return now;
    }
    case 'credit': {
      const data = { at: iso(now), amount_micro_usd: String(change.amount), reference: null };
      await world.tell(holder, { type: 'WalletCredited', data });
      model.credit += change.amount;
      return now;
    }
  }
};
