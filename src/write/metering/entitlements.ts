import type { Plan, Plans } from '../holders/plans.ts';

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The active plans as SQL rows. They never change while the process runs. */
const planRows = (plans: Plans): string =>
  plans.all
    .map(
      (p) =>
        `(${literal(p.name)}, ${p.units}::bigint, ${p.requests_per_minute}::bigint, ${p.live_per_minute}::bigint, ${p.weights.catalog}::bigint, ${p.weights.live}::bigint, ${p.weights.upstream ?? 0}::bigint, ${p.overage_micro_usd ?? 'null'}::bigint)`,
    )
    .join(', ');

/**
 * SQL that joins entitlements to a relation `q` with holder names: `h`, the read-model row, and `p`, the plan's
 * limits. The lateral join forces a key look-up per holder, whatever the planner estimates.
 */
export const joinEntitlements = (schema: string, plans: Plans): string => `
  cross join lateral (select * from ${schema}.holders where holder = q.holder offset 0) h
  join (values ${planRows(plans)}) as p(plan, units, burst, live_burst, catalog_weight, live_weight, upstream_weight, overage_rate)
    on p.plan = coalesce(h.plan, ${literal(plans.default.name)})`;

/** The same as one value of the composite type that the database's functions take. */
export const ENTITLEMENTS = `row(q.n, q.holder, h.changed, p.plan, h.plan_started_at, p.units, p.burst, p.live_burst,
  p.catalog_weight, p.live_weight, p.upstream_weight, case when h.overage_on then p.overage_rate end, h.cap_micro_usd,
  h.credit_micro_usd)::metering.entitlements`;

/**
 * Planner settings of the metering's connections: statements look up few rows by key, in tables that may have been
 * empty when the plans were cached.
 */
export const METERING_SETTINGS =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c enable_mergejoin=off -c jit=off';

/** A request before its admission. */
export interface AdmissionRequest {
  readonly holder: string;
  readonly keyId: string;
  /** The endpoint, for usage records. */
  readonly operation: string;
  /** Catalog reads; 0 if free. */
  readonly catalog: number;
  /** Live calls; 0 if there are catalog reads. */
  readonly live: number;
  /** Requests to platforms that each live call may send; 0 by default. */
  readonly upstream?: number;
  /**
   * Whether the charge is a reservation until it is settled: for requests that read platforms, and for requests whose items may
   * have no result.
   */
  readonly reserve?: boolean;
}

/** Whether a request gets a line of its own, because it is reserved. */
export const isSingle = ({ reserve }: AdmissionRequest): boolean => reserve === true;

/** Whether a request needs the complete decision. */
export const isSpecial = (ask: AdmissionRequest): boolean => ask.live > 0 || isSingle(ask);

/** A holder's state before its requests, and their outcome. */
export interface HolderOutcome {
  readonly plan: Plan;
  readonly period: number;
  /** UTC day of the usage records. */
  readonly day: string;
  /** End of the period, ISO 8601 UTC. */
  readonly endsAt: string;
  readonly budgetUnits: number;
  readonly overageUnits: number;
  readonly liveCalls: number;
  /** Wallet balance in micro-dollars. */
  readonly balanceMicroUsd: number;
  /** Micro-dollars of overage left under the cap; null if there is none. */
  readonly capLeftMicroUsd: number | null;
  /** Whether overage is on and the plan has it. */
  readonly overageOn: boolean;
  readonly windowRequests: number;
  readonly windowLeftS: number;
  readonly liveRequests: number;
  readonly liveLeftS: number;
}

type Raw = readonly (string | null)[];

/** Columns of an outcome, in the order of `outcomeOf`. */
export const OUTCOME = `n, plan, period, day, ends_at, budget_units, overage_units, live_calls, balance_micro_usd,
  cap_left_micro_usd, overage_on, window_requests, window_left_s, live_requests, live_left_s`;

/** Maps a row of `OUTCOME`; its first column is the holder's ordinal in the request. A missing cap is null, or `-`. */
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
    capLeftMicroUsd: row[9] === null || row[9] === '-' ? null : Number(row[9]),
    overageOn: row[10] === 't',
    windowRequests: Number(row[11]),
    windowLeftS: Number(row[12]),
    liveRequests: Number(row[13]),
    liveLeftS: Number(row[14]),
  };
};
