/** The quota of a holder: after a request, and without one. */

import { createBatcher } from '../../kernel/batch.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { numbered } from '../../kernel/postgres/statement.ts';
import { RAW_TYPES } from '../../kernel/postgres/values.ts';
import { type Plan, type Plans, unitsOfCalls } from '../holders/plans.ts';
import { type GroupOutcomes, REASONS, type Reason, type RequestGroup } from './admit-batch.ts';
import { type HolderOutcome, joinEntitlements, OUTCOME, outcomeOf } from './entitlements.ts';

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
  /** The reservation to settle in full, in part or not at all; null if the charge is final. */
  readonly reservation: string | null;
}

/** A holder's quota right after one of its requests was decided. */
export interface QuotaState {
  readonly plan: Plan;
  /** Units of the quota that are used. */
  readonly budgetUnits: number;
  readonly overageUnits: number;
  readonly liveCalls: number;
  /** `capped`: overage is on, but what is left under the cap does not cover another unit. */
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

/** The refund of a part settlement. @param final the amount that stays charged. */
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
const quotaStateOf = (outcome: HolderOutcome): QuotaState => {
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

/** Seconds of a window that are left some time later. A new window begins when it is over. */
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
    const cost = unitsOfCalls(plan, ask);
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

/** Seconds of a window that are left, and all of it if none runs. */
const leftOf = (startedAt: string): string =>
  `case when ${runs(startedAt)} then ceil(date_part('epoch', a.${startedAt} + interval '60 seconds' - c.now)) else 60 end`;

const runs = (startedAt: string): string =>
  `coalesce(c.now >= a.${startedAt} and c.now < a.${startedAt} + interval '60 seconds', false)`;

/** Without a running period, the figures are those that the next request would find. */
const textOf = (schema: string, plans: Plans): string => `
with clock as materialized (select coalesce($2::timestamptz, clock_timestamp()) as now), found as (
  select q.n, p.plan, a.period, (c.now at time zone 'UTC')::date as day,
    replace((case when r.runs then a.period_ends_at else h.plan_started_at + interval '2592000 seconds' *
      (floor(date_part('epoch', c.now - h.plan_started_at) / 2592000) + 1) end)::text, ' ', 'T') as ends_at,
    case when r.runs then a.budget_units else 0 end as budget_units,
    case when r.runs then a.overage_units else 0 end as overage_units,
    case when r.runs then a.live_calls else 0 end as live_calls,
    h.credit_micro_usd - coalesce(a.charged_micro_usd, 0) as balance_micro_usd,
    h.cap_micro_usd - case when r.runs then a.overage_micro_usd else 0 end as cap_left_micro_usd,
    h.overage_on and p.overage_rate is not null as overage_on,
    case when ${runs('window_started_at')} then a.window_requests else 0 end as window_requests,
    ${leftOf('window_started_at')} as window_left_s,
    case when ${runs('live_started_at')} then a.live_requests else 0 end as live_requests,
    ${leftOf('live_started_at')} as live_left_s
  from clock c, unnest($1::text[]) with ordinality as q(holder, n)
  ${joinEntitlements(schema, plans)}
  left join metering.accounts a on a.holder = q.holder
  cross join lateral (
    select coalesce(a.plan_started_at = h.plan_started_at and c.now < a.period_ends_at, false) as runs
  ) r
)
select ${OUTCOME} from found`;

/** Reads a holder's quota without a request; null if it has no active plan. */
export type ReadQuota = (holder: string) => Promise<QuotaState | null>;

/**
 * @param schema the active build of the holders' read model.
 * @param at clock for tests; null uses the database's.
 */
export const createReadQuota = (
  db: Queryable,
  schema: () => string,
  plans: Plans,
  at: () => string | null = () => null,
): ReadQuota =>
  createBatcher(async (holders) => {
    const name = schema();
    const { rows } = await db.query<unknown[]>(
      numbered(textOf(name, plans), [holders, at()], {
        name: `${name} read quota`,
        rowMode: 'array',
        types: RAW_TYPES,
      }),
    );
    const found: (QuotaState | null)[] = holders.map(() => null);
    for (const row of rows as (string | null)[][]) {
      found[Number(row[0]) - 1] = quotaStateOf(outcomeOf(row, plans));
    }
    return found;
  });
