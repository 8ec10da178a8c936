-- Folds up to `most` rows of each journal into metering.usage, by one process at a time, which is the only writer of that
-- table. Returns how many rows were folded.
create or replace function metering.fold_usage(most integer) returns integer
language plpgsql as $$
declare
  folded integer;
begin
  if not pg_try_advisory_xact_lock(7203119) then
    return 0;
  end if;
  -- After a crash the journal and its sums are both as before.
  perform set_config('synchronous_commit', 'off', true);
  with entries as (
    delete from metering.usage_entries where ctid = any (array(select ctid from metering.usage_entries limit most))
    returning *
  ), batches as (
    delete from metering.usage_batches where ctid = any (array(select ctid from metering.usage_batches limit most))
    returning *
  ), lines as (
    select e.* from entries e
    union all
    select e.* from batches b cross join lateral metering.entries_of(
      row(b.day, b.holders, b.admitted, b.periods, b.weights, b.owners, b.keys, b.operations, b.requests, b.reads)
        ::metering.usage_batches) e
  ), added as (
    insert into metering.usage as u
    select holder, period, day, key_id, operation, sum(requests), sum(refused), sum(budget_units), sum(overage_units),
      sum(overage_micro_usd), sum(live_calls)
    from lines group by holder, period, day, key_id, operation
    on conflict on constraint usage_pkey do update set
      requests = u.requests + excluded.requests, refused = u.refused + excluded.refused,
      budget_units = u.budget_units + excluded.budget_units, overage_units = u.overage_units + excluded.overage_units,
      overage_micro_usd = u.overage_micro_usd + excluded.overage_micro_usd,
      live_calls = u.live_calls + excluded.live_calls
  )
  select (select count(*) from entries) + (select count(*) from batches) into folded;
  return folded;
end
$$;
