-- Ends reservations: the first `used` items of each stay charged, the rest is refunded, overage before quota, at what it
-- was charged. All items settle a reservation, none refunds it. Returns what stays charged. `busy`: another process has
-- locked the holder, and nothing changed. A reservation without a row has expired and was refunded.
create or replace function metering.settle_part(ids uuid[], used bigint[])
returns table (
  id uuid, is_busy boolean, holder text, period integer, day date, key_id text, operation text,
  budget_units bigint, overage_units bigint, overage_micro_usd bigint, live_calls bigint
)
language plpgsql as $$
#variable_conflict use_column
declare
  r record;
  items bigint;
  kept bigint;
  -- What is refunded: units of the quota, units past it, micro-dollars for those, live calls.
  budget bigint;
  past bigint;
  paid bigint;
  live bigint;
  late integer;
begin
  for r in
    select v.*, u.used from unnest(ids, used) as u(id, used) join metering.reservations v on v.id = u.id
    -- Lock order of holders.
    order by hashtext(v.holder), v.holder collate "C", v.id
  loop
    items := r.live_calls + r.reads;
    kept := greatest(least(r.used, items), 0);
    id := r.id;
    is_busy := kept < items and not metering.try_lock_holder(r.holder);
    if is_busy then
      return next;
      continue;
    end if;
    delete from metering.reservations v where v.id = r.id;
    continue when not found;
    holder := r.holder;
    period := r.period;
    day := r.day;
    key_id := r.key_id;
    operation := r.operation;
    budget := 0;
    past := 0;
    paid := 0;
    live := 0;
    if kept < items then
      -- Items of a reservation cost the same, so the divisions are exact.
      budget := r.budget_units + r.overage_units - (r.budget_units + r.overage_units) * kept / items;
      past := least(budget, r.overage_units);
      budget := budget - past;
      paid := case when past = 0 then 0 else r.overage_micro_usd * past / r.overage_units end;
      live := r.live_calls - r.live_calls * kept / items;
      select f.late into late from metering.refund(array[r.holder], array[r.period], array[r.day], array[r.key_id],
        array[r.operation], array[budget], array[past], array[paid], array[live]) f;
      if late > 0 then
        raise exception 'reservation % is of a settled period', r.id;
      end if;
    end if;
    budget_units := r.budget_units - budget;
    overage_units := r.overage_units - past;
    overage_micro_usd := r.overage_micro_usd - paid;
    live_calls := r.live_calls - live;
    return next;
  end loop;
end
$$;
