-- Holders are locked by the hash of their names, and always in the order of the hashes: two processes that wait for each
-- other's holders would wait for ever otherwise, where names have one hash.
create or replace function metering.give_back(
  holders text[], periods integer[], days date[], keys text[], operations text[],
  budget bigint[], past bigint[], paid bigint[], live bigint[], out busy integer[], out late integer
)
language plpgsql as $$
declare
  g record;
  running boolean;
begin
  busy := '{}';
  late := 0;
  for g in
    select c.holder, c.period, c.day, c.key_id, c.operation, sum(c.budget)::bigint as budget, sum(c.past)::bigint as past,
      sum(c.paid)::bigint as paid, sum(c.live)::bigint as live, array_agg(c.place::integer) as places
    from unnest(holders, periods, days, keys, operations, budget, past, paid, live) with ordinality
      as c(holder, period, day, key_id, operation, budget, past, paid, live, place)
    group by 1, 2, 3, 4, 5 order by hashtext(c.holder), c.holder collate "C", c.period
  loop
    if not metering.try_hold(g.holder) then
      busy := busy || g.places;
      continue;
    end if;
    select a.period = g.period and a.period_started_at is not null into running
    from metering.accounts a where a.holder = g.holder;
    if not running then
      update metering.periods p set
        budget_units = p.budget_units - g.budget, overage_units = p.overage_units - g.past,
        overage_micro_usd = p.overage_micro_usd - g.paid, live_calls = p.live_calls - g.live
      where p.holder = g.holder and p.period = g.period and p.settled_at is null;
      if not found then
        late := late + cardinality(g.places);
        continue;
      end if;
    end if;
    update metering.accounts a set
      budget_units = a.budget_units - case when running then g.budget else 0 end,
      overage_units = a.overage_units - case when running then g.past else 0 end,
      overage_micro_usd = a.overage_micro_usd - case when running then g.paid else 0 end,
      live_calls = a.live_calls - case when running then g.live else 0 end,
      charged_micro_usd = a.charged_micro_usd - g.paid
    where a.holder = g.holder;
    update metering.usage u set
      budget_units = u.budget_units - g.budget, overage_units = u.overage_units - g.past,
      overage_micro_usd = u.overage_micro_usd - g.paid, live_calls = u.live_calls - g.live
    where u.holder = g.holder and u.period = g.period and u.day = g.day and u.key_id = g.key_id
      and u.operation = g.operation;
  end loop;
end
$$;

-- As before, but only the holders of the reservations in question are locked: a function that locks is as cheap to the
-- planner as a comparison, and was asked of every reservation that there is.
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
    select ordered.holder, metering.try_hold(ordered.holder) as is_ours from ordered
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
  perform metering.give_back(
    array_agg(g.holder), array_agg(g.period), array_agg(g.day), array_agg(g.key_id), array_agg(g.operation),
    array_agg(g.budget_units), array_agg(g.overage_units), array_agg(g.overage_micro_usd), array_agg(g.live_calls))
  from unnest(gone) g;
  return array(select g.id from unnest(gone) g);
end
$$;
