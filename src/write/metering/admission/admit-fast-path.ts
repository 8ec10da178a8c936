import { numberArray, textArray } from '../../../kernel/postgres/array-literals.ts';
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

const IN_WINDOW = `c.now < a.window_started_at + interval '60 seconds'`;
const IN_LIVE_WINDOW = `c.now < a.live_started_at + interval '60 seconds'`;

const leftOf = (startedAt: string): string =>
  `ceil(date_part('epoch', a.${startedAt} + interval '60 seconds' - c.now))`;

// Outcomes are one text: a row and fourteen values for each holder cost both sides as much as the decision. Without
// joins of the batch with itself, which the planner, who expects ten rows, makes quadratic. Rows are
// updated by ctid: a join by key begins with all accounts if the table was small when the plan was cached.
const textOf = (schema: string, plans: Plans): string => `
with clock as materialized (
  select coalesce($9::timestamptz, clock_timestamp()) as now
), plain as (
  update metering.accounts a set
    terms_position = h.changed,
    requests = a.requests + q.requests,
    budget_units = a.budget_units + q.reads * p.catalog_weight,
    window_started_at = case when ${IN_WINDOW} then a.window_started_at else c.now end,
    window_requests = q.requests + case when ${IN_WINDOW} then a.window_requests else 0 end
  from clock c, unnest($1::text[], $2::bigint[], $3::bigint[]) with ordinality as q(holder, requests, reads, n)
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
), journaled as (
  insert into metering.usage_batches (day, holders, admitted, periods, weights, owners, keys, operations, requests, reads)
  select (now at time zone 'UTC')::date, $1, admitted, periods, weights, $4::int[], $5::text[], $6::text[], $7::bigint[],
    $8::bigint[]
  from clock, (
    select array_agg(n) as admitted, array_agg(period) as periods, array_agg(weight) as weights from plain
  ) of_holders
  where admitted is not null
)
select string_agg(concat_ws(' ', ${OUTCOME}), E'\\n'),
  case when $10 then null else set_config('synchronous_commit', 'off', true) end
from plain`;

const texts = new WeakMap<Plans, Map<string, string>>();

/** The statement's text, which is built once for each schema. */
const cachedTextOf = (schema: string, plans: Plans): string => {
  const known = texts.get(plans) ?? new Map<string, string>();
  texts.set(plans, known);
  const text = known.get(schema) ?? textOf(schema, plans);
  known.set(schema, text);
  return text;
};

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
    text: cachedTextOf(schema, plans),
    values: [
      textArray(holders),
      numberArray(requests),
      numberArray(reads),
      numberArray(owners),
      textArray(keys),
      textArray(operations),
      numberArray(counts),
      numberArray(lineReads),
      at,
      durable,
    ],
    rowMode: 'array',
    types: RAW_TYPES,
  } as never);
  const outcomes: (HolderOutcome | null)[] = holders.map(() => null);
  const decided = (rows[0] as (string | null)[] | undefined)?.[0];
  if (decided != null) {
    for (const line of decided.split('\n')) {
      const row = line.split(' ');
      outcomes[Number(row[0]) - 1] = outcomeOf(row, plans);
    }
  }
  return outcomes;
};
