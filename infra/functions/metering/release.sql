-- Ends reservations with a refund: those named or, if there are none, up to `most` that have expired. Those whose holder is
-- locked by another process stay, for the next call. Returns the ids of those that were ended. Only the holders of these
-- reservations are locked: to the planner a function that locks is as cheap as a comparison, and it would be called for
-- every reservation.
create or replace function metering.release(ids uuid[], most integer, at timestamptz) returns uuid[]
language plpgsql as $$
declare
  gone metering.reservations[];
begin
  with meant as materialized (
    select v.id, v.holder from metering.reservations v where v.id = any (ids)
    union all
    (select v.id, v.holder from metering.reservations v
     where ids is null and v.expires_at < coalesce(at, clock_timestamp())
     order by v.expires_at limit most)
  ), owners as materialized (
    select distinct hashtext(meant.holder) as hash, meant.holder from meant
  ), ordered as materialized (
    select owners.holder from owners order by owners.hash, owners.holder collate "C"
  ), locked as materialized (
    select ordered.holder, metering.try_lock_holder(ordered.holder) as is_ours from ordered
  ), picked as (
    select v.id from metering.reservations v
    join meant on meant.id = v.id
    join locked on locked.holder = v.holder and locked.is_ours
    order by v.holder, v.id
    for update of v skip locked
  ), deleted as (
    delete from metering.reservations v using picked where v.id = picked.id returning v
  )
  select array_agg(deleted.v) into gone from deleted;
  if gone is null then
    return '{}';
  end if;
  perform metering.refund(
    array_agg(g.holder), array_agg(g.period), array_agg(g.day), array_agg(g.key_id), array_agg(g.operation),
    array_agg(g.budget_units), array_agg(g.overage_units), array_agg(g.overage_micro_usd), array_agg(g.live_calls))
  from unnest(gone) g;
  return array(select g.id from unnest(gone) g);
end
$$;
