import type { Plan, Plans } from '../holders/plans.ts';

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The plans in force as rows of a statement: they never change while the process runs. */
const planRows = (plans: Plans): string =>
  plans.all
    .map(
      (p) =>
        `(${literal(p.name)}, ${p.units}::bigint, ${p.burst_per_minute}::bigint, ${p.live_per_minute}::bigint, ${p.weights.catalog}::bigint, ${p.weights.live}::bigint, ${p.overage_micro_usd ?? 'null'}::bigint)`,
    )
    .join(', ');

/**
 * What joins the terms of holders to a relation `q` with their names: `h`, the row of the read model, and `p`, the
 * figures of the plan. Holders are looked up one by one by their key, whatever the planner believes of the table.
 */
export const joinEntitlements = (schema: string, plans: Plans): string => `
  cross join lateral (select * from ${schema}.holders where holder = q.holder offset 0) h
  join (values ${planRows(plans)}) as p(plan, units, burst, live_burst, catalog_weight, live_weight, overage_rate)
    on p.plan = coalesce(h.plan, ${literal(plans.default.name)})`;

/** The same as one value of the type that the database's functions take. */
export const ENTITLEMENTS = `row(q.n, q.holder, h.changed, p.plan, h.plan_started_at, p.units, p.burst, p.live_burst,
  p.catalog_weight, p.live_weight, case when h.overage_on then p.overage_rate end, h.cap_micro_usd,
  h.credit_micro_usd)::metering.entitlements`;

/**
 * How the connections of the metering plan: its statements look up few rows by their keys, of tables that may have
 * been empty when the plans were made.
 */
export const METERING_SETTINGS =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c enable_mergejoin=off -c jit=off';

/** What a request asks for, before it is decided whether it may have it. */
export interface AdmissionRequest {
  readonly holder: string;
  readonly keyId: string;
  /** The endpoint, for the record of usage. */
  readonly operation: string;
  /** Catalog reads that it makes: 0 where they are free. */
  readonly catalog: number;
  /** Live calls that it makes. */
  readonly live: number;
}

/** What a holder stood at before its requests, and what they came to. */
export interface HolderOutcome {
  readonly plan: Plan;
  readonly period: number;
  /** UTC day that the requests are recorded under. */
  readonly day: string;
  /** When the period ends, ISO 8601 UTC. */
  readonly endsAt: string;
  readonly budgetUnits: number;
  readonly overageUnits: number;
  readonly liveCalls: number;
  /** Micro-dollars; what the wallet holds. */
  readonly balanceMicroUsd: number;
  /** Micro-dollars of overage that the cap leaves; null where there is none. */
  readonly capLeftMicroUsd: number | null;
  /** Whether overage is on, and on the plan. */
  readonly overageOn: boolean;
  readonly windowRequests: number;
  readonly windowLeftS: number;
  readonly liveRequests: number;
  readonly liveLeftS: number;
}

type Raw = readonly (string | null)[];

/** Columns of an outcome, in the order that `outcomeOf` takes them. */
export const OUTCOME = `n, plan, period, day, ends_at, budget_units, overage_units, live_calls, balance_micro_usd,
  cap_left_micro_usd, overage_on, window_requests, window_left_s, live_requests, live_left_s`;

/** A row of `OUTCOME`, whose first column is the holder's place among those asked for. */
export const outcomeOf = (row: Raw, plans: Plans): HolderOutcome => {
  const endsAt = row[4] as string;
  return {
    plan: plans.find(row[1] as string) as Plan,
    period: Number(row[2]),
    day: row[3] as string,
    endsAt: `${endsAt.slice(0, 10)}T${endsAt.slice(11, 19)}Z`,
    budgetUnits: Number(row[5]),
    overageUnits: Number(row[6]),
    liveCalls: Number(row[7]),
    balanceMicroUsd: Number(row[8]),
    capLeftMicroUsd: row[9] === null ? null : Number(row[9]),
    overageOn: row[10] === 't',
    windowRequests: Number(row[11]),
    windowLeftS: Number(row[12]),
    liveRequests: Number(row[13]),
    liveLeftS: Number(row[14]),
  };
};
