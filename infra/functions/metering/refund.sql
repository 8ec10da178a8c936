-- Refunds charges, in the running period or in one that has ended and is not settled; `late` counts those of settled
-- periods, which are left as they are. `busy` has the ordinals of charges whose holder is locked by another process: the
-- caller repeats those. Usage is appended to the journal.
create or replace function metering.refund(holders text[], periods integer[], days date[], keys text[], operations text[], budget bigint[], past bigint[], paid bigint[], live bigint[], out busy integer[], out late integer)
 returns record
language plpgsql
as $$
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
    if not metering.try_lock_holder(g.holder) then
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
    insert into metering.usage_entries
    values (g.holder, g.period, g.day, g.key_id, g.operation, 0, 0, -g.budget, -g.past, -g.paid, -g.live);
  end loop;
end
$$;
