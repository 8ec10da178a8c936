import { formatUsd } from '../../kernel/money.ts';
import type { Plan } from '../../write/holders/plans.ts';
import type { QuotaState } from '../../write/metering/quota.ts';

const policies = new WeakMap<Plan, string>();

/** `RateLimit-Policy` of a plan (draft-ietf-httpapi-ratelimit-headers): requests and live calls per minute. */
const policyOf = (plan: Plan): string => {
  let policy = policies.get(plan);
  if (policy === undefined) {
    policy = `"burst";q=${plan.requests_per_minute};w=60, "live";q=${plan.live_per_minute};w=60`;
    policies.set(plan, policy);
  }
  return policy;
};

/** Raw headers of a response: ten set by the framework are measurable in the request rate. */
export interface HeaderSink {
  setHeader(name: string, value: string | number): unknown;
}

/** Writes what is known of a plan alone to the headers of a response that costs nothing. */
export const writePlanHeaders = (raw: HeaderSink, plan: Plan): void => {
  raw.setHeader('ratelimit-policy', policyOf(plan));
  raw.setHeader('x-plan', plan.name);
  raw.setHeader('x-request-cost', 0);
  raw.setHeader('x-quota-limit', plan.units);
};

/** Writes a holder's quota to the response headers. @param cost units charged for this request. */
export const writeQuotaHeaders = (raw: HeaderSink, quota: QuotaState, cost: number): void => {
  const { plan } = quota;
  raw.setHeader('ratelimit-policy', policyOf(plan));
  raw.setHeader(
    'ratelimit',
    `"burst";r=${quota.burstLeft};t=${quota.burstResetS}, "live";r=${quota.liveLeft};t=${quota.liveResetS}`,
  );
  raw.setHeader('x-plan', plan.name);
  raw.setHeader('x-request-cost', cost);
  raw.setHeader('x-quota-limit', plan.units);
  raw.setHeader('x-quota-used', quota.budgetUnits);
  raw.setHeader('x-quota-remaining', Math.max(0, plan.units - quota.budgetUnits));
  raw.setHeader('x-quota-reset', quota.endsAt);
  raw.setHeader('x-live-used', quota.liveCalls);
  raw.setHeader('x-overage', quota.overage);
  raw.setHeader('x-overage-used', quota.overageUnits);
  if (quota.overage !== 'off') {
    raw.setHeader('x-wallet-balance', formatUsd(BigInt(quota.balanceMicroUsd)));
  }
};
