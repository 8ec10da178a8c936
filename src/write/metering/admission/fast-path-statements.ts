import type { Plans } from '../../holders/plans.ts';
import { joinEntitlements, OUTCOME } from '../entitlements.ts';

const IN_WINDOW = `c.now < a.window_started_at + interval '60 seconds'`;
const IN_LIVE_WINDOW = `c.now < a.live_started_at + interval '60 seconds'`;

const leftOf = (startedAt: string): string =>
  `ceil(date_part('epoch', a.${startedAt} + interval '60 seconds' - c.now))`;

/**
 * CTEs `clock` and `plain`, the admitted holders with their state before their requests. Rows are updated by ctid: a
 * join by key begins with all accounts if the table was small when the plan was cached.
 * @param asked SQL relation: holder, requests, reads, n.
 * @param at the parameter with the time.
 */
const admitted = (schema: string, plans: Plans, asked: string, at: string): string => `
with clock as materialized (
  select coalesce(${at}::timestamptz, clock_timestamp()) as now
), plain as (
  update metering.accounts a set
    terms_position = h.changed,
    requests = a.requests + q.requests,
    budget_units = a.budget_units + q.reads * p.catalog_weight,
    window_started_at = case when ${IN_WINDOW} then a.window_started_at else c.now end,
    window_requests = q.requests + case when ${IN_WINDOW} then a.window_requests else 0 end
  from clock c, ${asked}
  cross join lateral (select ctid from metering.accounts where holder = q.holder offset 0) r
  ${joinEntitlements(schema, plans)}
  where a.ctid = r.ctid and metering.try_lock_holder(q.holder)
    and a.terms_position <= h.changed and a.plan = p.plan and a.plan_started_at = h.plan_started_at
    and c.now >= a.period_started_at and c.now < a.period_ends_at
    and c.now >= a.window_started_at and c.now >= a.live_started_at
    and (q.reads * p.catalog_weight = 0 or a.budget_units + q.reads * p.catalog_weight <= p.units)
    and q.requests + case when ${IN_WINDOW} then a.window_requests else 0 end <= p.burst
  returning q.n, a.plan, a.period, (c.now at time zone 'UTC')::date as day,
    replace(a.period_ends_at::text, ' ', 'T') as ends_at, a.budget_units - q.reads * p.catalog_weight as budget_units,
    a.overage_units, a.live_calls, h.credit_micro_usd - a.charged_micro_usd as balance_micro_usd,
    coalesce((h.cap_micro_usd - a.overage_micro_usd)::text, '-') as cap_left_micro_usd,
    h.overage_on and p.overage_rate is not null as overage_on, a.window_requests - q.requests as window_requests,
    ${leftOf('window_started_at')} as window_left_s,
    case when ${IN_LIVE_WINDOW} then a.live_requests else 0 end as live_requests,
    case when ${IN_LIVE_WINDOW} then ${leftOf('live_started_at')} else 60 end as live_left_s,
    p.catalog_weight as weight
)`;

/** The outcomes as one text, a line for each holder: a row of fifteen values costs both sides as much as the decision. */
const outcomes = (durable: string): string => `
select string_agg(concat_ws(' ', ${OUTCOME}), E'\\n'),
  case when ${durable} then null else set_config('synchronous_commit', 'off', true) end
from plain`;

/**
 * Admits many holders. The batch is never joined with itself, which the planner, who expects ten rows, makes quadratic.
 * Parameters: per holder its id, requests, reads; per line the holder's ordinal, key, operation, requests, reads; the
 * time; whether anything is charged.
 */
const manyHolders = (schema: string, plans: Plans): string => `
${admitted(schema, plans, 'unnest($1::text[], $2::bigint[], $3::bigint[]) with ordinality as q(holder, requests, reads, n)', '$9')},
journaled as (
  insert into metering.usage_batches (day, holders, admitted, periods, weights, owners, keys, operations, requests, reads)
  select (now at time zone 'UTC')::date, $1, admitted, periods, weights, $4::int[], $5::text[], $6::text[], $7::bigint[],
    $8::bigint[]
  from clock, (
    select array_agg(n) as admitted, array_agg(period) as periods, array_agg(weight) as weights from plain
  ) of_holders
  where admitted is not null
)
${outcomes('$10')}`;

/**
 * Admits requests of one holder with one key and operation, for a sixth less of Postgres's time. Parameters: holder,
 * requests, reads, key, operation; the time; whether anything is charged.
 */
const oneLine = (schema: string, plans: Plans): string => `
${admitted(schema, plans, '(select $1::text as holder, $2::bigint as requests, $3::bigint as reads, 1 as n) q', '$6')},
journaled as (
  insert into metering.usage_entries
  select $1, period, day, $4::text, $5::text, $2, 0, $3 * weight, 0, 0, 0 from plain
)
${outcomes('$7')}`;

export interface Statements {
  readonly manyHolders: string;
  readonly oneLine: string;
}

const cached = new WeakMap<Plans, Map<string, Statements>>();

/** The statements of the fast path; their texts are built once for each schema. */
export const statementsOf = (schema: string, plans: Plans): Statements => {
  let bySchema = cached.get(plans);
  if (bySchema === undefined) {
    bySchema = new Map();
    cached.set(plans, bySchema);
  }
  let statements = bySchema.get(schema);
  if (statements === undefined) {
    statements = { manyHolders: manyHolders(schema, plans), oneLine: oneLine(schema, plans) };
    bySchema.set(schema, statements);
  }
  return statements;
};
