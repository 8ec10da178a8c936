import type { Queryable } from '../../kernel/postgres/pool.ts';
import { raw, sql } from '../../kernel/postgres/statement.ts';

/** Sums of usage: units, calls, micro-dollars. */
export interface Usage {
  /** Admitted requests. */
  readonly requests: bigint;
  /** Rejected by a rate limit, the quota, the cap or the wallet. */
  readonly refused: bigint;
  readonly budget_units: bigint;
  readonly overage_units: bigint;
  readonly overage_micro_usd: bigint;
  readonly live_calls: bigint;
}

export interface PeriodUsage extends Usage {
  readonly period: number;
  readonly plan: string;
  readonly started_at: string;
  readonly ends_at: string;
  /** `ended` until its sums are final. */
  readonly state: 'running' | 'ended' | 'settled';
}

/** Live calls in flight: charged, and refunded if they don't finish. */
export interface Reserved {
  readonly calls: bigint;
  readonly units: bigint;
  readonly overage_micro_usd: bigint;
}

/** Dimensions of usage. */
export const USAGE_BY = ['day', 'endpoint', 'key'] as const;
export type UsageBy = (typeof USAGE_BY)[number];

export interface UsageLine extends Usage {
  /** A value per requested dimension: UTC day, operation, key ID. */
  readonly by: readonly string[];
}

const SUMS = [
  'requests',
  'refused',
  'budget_units',
  'overage_units',
  'overage_micro_usd',
  'live_calls',
] as const;

type RawUsage = { readonly [name in (typeof SUMS)[number]]: string };

const usageOf = (row: RawUsage): Usage => ({
  requests: BigInt(row.requests),
  refused: BigInt(row.refused),
  budget_units: BigInt(row.budget_units),
  overage_units: BigInt(row.overage_units),
  overage_micro_usd: BigInt(row.overage_micro_usd),
  live_calls: BigInt(row.live_calls),
});

/** Sum of two usages. */
export const addUsage = (a: Usage, b: Usage): Usage => ({
  requests: a.requests + b.requests,
  refused: a.refused + b.refused,
  budget_units: a.budget_units + b.budget_units,
  overage_units: a.overage_units + b.overage_units,
  overage_micro_usd: a.overage_micro_usd + b.overage_micro_usd,
  live_calls: a.live_calls + b.live_calls,
});

type RawPeriod = RawUsage &
  Pick<PeriodUsage, 'period' | 'plan' | 'state'> & { started_at: string; ends_at: string };

/** A holder's periods, oldest first, the running one last; empty if it never called. */
export const listPeriods = async (db: Queryable, holder: string): Promise<readonly PeriodUsage[]> => {
  const { rows } = await db.query<RawPeriod>(sql`
    select p.*, coalesce(u.refused, 0)::text as refused
    from (
      select period, plan, period_started_at as started_at, period_ends_at as ends_at, 'running' as state,
        requests, budget_units, overage_units, overage_micro_usd, live_calls
      from metering.accounts where holder = ${holder} and period_started_at is not null
      union all
      select period, plan, started_at, ended_at, case when settled_at is null then 'ended' else 'settled' end,
        requests, budget_units, overage_units, overage_micro_usd, live_calls
      from metering.periods where holder = ${holder}
    ) p
    left join (select period, sum(refused) as refused from metering.ledger where holder = ${holder} group by period) u
      using (period)
    order by p.period`);
  return rows.map((row) => ({
    period: row.period,
    plan: row.plan,
    started_at: row.started_at,
    ends_at: row.ends_at,
    state: row.state,
    ...usageOf(row),
  }));
};

/** Total charges of a holder in micro-dollars. */
export const chargedOf = async (db: Queryable, holder: string): Promise<bigint> => {
  const { rows } = await db.query<{ charged: string }>(
    sql`select charged_micro_usd::text as charged from metering.accounts where holder = ${holder}`,
  );
  return BigInt(rows[0]?.charged ?? 0);
};

/** Charges of a holder's live calls in flight. */
export const reservedOf = async (db: Queryable, holder: string): Promise<Reserved> => {
  const { rows } = await db.query<{ calls: string; units: string; paid: string }>(sql`
    select coalesce(sum(live_calls), 0)::text as calls, coalesce(sum(budget_units + overage_units), 0)::text as units,
      coalesce(sum(overage_micro_usd), 0)::text as paid
    from metering.reservations where holder = ${holder}`);
  const { calls = 0, units = 0, paid = 0 } = rows[0] ?? {};
  return { calls: BigInt(calls), units: BigInt(units), overage_micro_usd: BigInt(paid) };
};

const COLUMNS: Readonly<Record<UsageBy, string>> = { day: 'day::text', endpoint: 'operation', key: 'key_id' };

/**
 * A holder's usage grouped by dimensions, in their order.
 * @param period one of its periods; null for all.
 */
export const listUsage = async (
  db: Queryable,
  holder: string,
  period: number | null,
  by: readonly UsageBy[],
): Promise<readonly UsageLine[]> => {
  const columns = by.map((each) => COLUMNS[each]).join(', ');
  const { rows } = await db.query<RawUsage & { readonly by: readonly string[] }>(sql`
    select array[${raw(columns)}]::text[] as by,
      ${raw(SUMS.map((name) => `sum(${name})::text as ${name}`).join(', '))}
    from metering.ledger where holder = ${holder} and (${period}::int is null or period = ${period})
    group by ${raw(columns)} order by ${raw(columns)}`);
  return rows.map((row) => ({ by: row.by, ...usageOf(row) }));
};
