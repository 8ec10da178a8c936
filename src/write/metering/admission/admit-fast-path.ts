import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { RAW_TYPES } from '../../../kernel/postgres/raw-types.ts';
import type { Plans } from '../../holders/plans.ts';
import {
  type AdmissionRequest,
  type HolderOutcome,
  joinEntitlements,
  OUTCOME,
  outcomeOf,
} from '../entitlements.ts';

const textOf = (schema: string, plans: Plans): string => `
with asked as materialized (
  select q.n, q.holder, q.requests, q.reads * p.catalog_weight as cost, h.changed, h.plan_started_at,
    h.credit_micro_usd, h.cap_micro_usd, h.overage_on and p.overage_rate is not null as overage_on, p.*, r.ctid as row
  from unnest($1::text[], $2::bigint[], $3::bigint[]) with ordinality as q(holder, requests, reads, n)
  cross join lateral (select ctid from metering.accounts where holder = q.holder offset 0) r
  ${joinEntitlements(schema, plans)}
), clock as materialized (
  select coalesce($9::timestamptz, clock_timestamp()) as now
), plain as (
  update metering.accounts a set
    terms_position = q.changed,
    requests = a.requests + q.requests,
    budget_units = a.budget_units + q.cost,
    window_started_at = case when c.now < a.window_started_at + interval '60 seconds' then a.window_started_at else c.now end,
    window_requests = q.requests
      + case when c.now < a.window_started_at + interval '60 seconds' then a.window_requests else 0 end
  from asked q, clock c
  where a.ctid = q.row and metering.try_lock_holder(q.holder)
    and a.terms_position <= q.changed and a.plan = q.plan and a.plan_started_at = q.plan_started_at
    and c.now >= a.period_started_at and c.now < a.period_ends_at
    and c.now >= a.window_started_at and c.now >= a.live_started_at
    and (q.cost = 0 or a.budget_units + q.cost <= q.units)
    and q.requests + case when c.now < a.window_started_at + interval '60 seconds' then a.window_requests else 0 end
      <= q.burst
  returning q.n, q.holder, a.plan, a.period, (c.now at time zone 'UTC')::date as day, a.period_ends_at as ends_at,
    a.budget_units - q.cost as budget_units, a.overage_units, a.live_calls,
    q.credit_micro_usd - a.charged_micro_usd as balance_micro_usd,
    q.cap_micro_usd - a.overage_micro_usd as cap_left_micro_usd, q.overage_on,
    a.window_requests - q.requests as window_requests,
    ceil(extract(epoch from a.window_started_at + interval '60 seconds' - c.now))::int as window_left_s,
    case when c.now < a.live_started_at + interval '60 seconds' then a.live_requests else 0 end as live_requests,
    case when c.now < a.live_started_at + interval '60 seconds'
      then ceil(extract(epoch from a.live_started_at + interval '60 seconds' - c.now))::int else 60 end as live_left_s,
    q.catalog_weight
), noted as (
  insert into metering.usage as u (holder, period, day, key_id, operation, requests, budget_units)
  select p.holder, p.period, p.day, l.key_id, l.operation, l.requests, l.reads * p.catalog_weight
  from unnest($4::int[], $5::text[], $6::text[], $7::bigint[], $8::bigint[]) as l(n, key_id, operation, requests, reads)
  join plain p on p.n = l.n
  on conflict on constraint usage_pkey do update set
    requests = u.requests + excluded.requests, budget_units = u.budget_units + excluded.budget_units
)
select ${OUTCOME}, case when $10 then null else set_config('synchronous_commit', 'off', true) end from plain`;

/**
 * Admits the simple case in one statement: catalog and free reads in a running period, of unlocked holders whose
 * quota and rate limit cover them all.
 * @param asked requests by holder, in the order of the holders.
 * @param at clock for tests; null uses the database's.
 * @returns each holder's state before its requests; null if undecided, and nothing changed.
 */
export const admitFastPath = async (
  db: Queryable,
  schema: string,
  plans: Plans,
  asked: readonly (readonly AdmissionRequest[])[],
  at: string | null,
): Promise<readonly (HolderOutcome | null)[]> => {
  const holders: string[] = [];
  const requests: number[] = [];
  const reads: number[] = [];
  const owners: number[] = [];
  const keys: string[] = [];
  const operations: string[] = [];
  const counts: number[] = [];
  const lineReads: number[] = [];
  let durable = false;
  for (const asks of asked) {
    let all = 0;
    const first = keys.length;
    holders.push(asks[0]?.holder ?? '');
    for (const { keyId, operation, catalog } of asks) {
      all += catalog;
      let line = first;
      while (line < keys.length && (keys[line] !== keyId || operations[line] !== operation)) line += 1;
      if (line === keys.length) {
        owners.push(holders.length);
        keys.push(keyId);
        operations.push(operation);
        counts.push(1);
        lineReads.push(catalog);
      } else {
        counts[line] = (counts[line] as number) + 1;
        lineReads[line] = (lineReads[line] as number) + catalog;
      }
    }
    requests.push(asks.length);
    reads.push(all);
    durable ||= all > 0;
  }
  const { rows } = await db.query<unknown[]>({
    name: `${schema} admit plain`,
    text: textOf(schema, plans),
    values: [holders, requests, reads, owners, keys, operations, counts, lineReads, at, durable],
    rowMode: 'array',
    types: RAW_TYPES,
  } as never);
  const outcomes: (HolderOutcome | null)[] = holders.map(() => null);
  for (const row of rows as (string | null)[][]) outcomes[Number(row[0]) - 1] = outcomeOf(row, plans);
  return outcomes;
};
