-- The ledger: what was charged by period, day, key and endpoint. It is the sum of metering.usage and of the journal that is
-- not folded into it yet.

-- The lines of a batch of reads.
create or replace function metering.entries_of(batch metering.usage_batches) returns setof metering.usage_entries
language sql stable as $$
  select batch.holders[l.owner], batch.periods[a.i], batch.day, l.key_id, l.operation, l.requests, 0::bigint,
    l.reads * batch.weights[a.i], 0::bigint, 0::bigint, 0::bigint
  from unnest(batch.owners, batch.keys, batch.operations, batch.requests, batch.reads)
    as l(owner, key_id, operation, requests, reads)
  cross join lateral (select array_position(batch.admitted, l.owner::bigint) as i) a
  where a.i is not null
$$;

create or replace view metering.ledger as
select holder, period, day, key_id, operation, sum(requests)::bigint as requests, sum(refused)::bigint as refused,
  sum(budget_units)::bigint as budget_units, sum(overage_units)::bigint as overage_units,
  sum(overage_micro_usd)::bigint as overage_micro_usd, sum(live_calls)::bigint as live_calls
from (
  select holder, period, day, key_id, operation, requests, refused, budget_units, overage_units, overage_micro_usd,
    live_calls
  from metering.usage
  union all
  select * from metering.usage_entries
  union all
  select e.* from metering.usage_batches b cross join lateral metering.entries_of(b) e
) lines
group by holder, period, day, key_id, operation;
