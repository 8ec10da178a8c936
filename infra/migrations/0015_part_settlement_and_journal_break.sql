-- A reservation has items, live calls or catalog reads, of which any number can be settled. Catalog reads can be reserved
-- too, as chunks of a streamed response.
alter table metering.reservations add column reads bigint not null default 0;

-- Usage is journaled: what a statement charges is appended, without an index, in its transaction, and folded into
-- metering.usage in bulk, one row a ledger entry. metering.ledger is both.

-- A line a group of requests, of a refund or of rejections; figures of a refund are negative.
create table metering.usage_entries (
  holder             text        collate "C" not null,
  period             integer     not null,
  day                date        not null,
  key_id             text        collate "C" not null,
  operation          text        collate "C" not null,
  requests           bigint      not null,
  refused            bigint      not null,
  budget_units       bigint      not null,
  overage_units      bigint      not null,
  overage_micro_usd  bigint      not null,
  live_calls         bigint      not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- A row a batch of reads within the quota: its parameters as they were sent, and what was decided. A row is an append
-- of one tuple whatever the number of holders, so it is kept out of TOAST where possible.
create table metering.usage_batches (
  day         date      not null,
  holders     text[]    not null,
  -- Of the admitted holders: ordinals, periods, units of a read.
  admitted    bigint[]  not null,
  periods     integer[] not null,
  weights     bigint[]  not null,
  -- Of each line: ordinal of the holder, key, endpoint, requests, catalog reads.
  owners      integer[] not null,
  keys        text[]    not null,
  operations  text[]    not null,
  requests    bigint[]  not null,
  reads       bigint[]  not null
) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

create function metering.entries_of(batch metering.usage_batches) returns setof metering.usage_entries
language sql stable as $$
  select batch.holders[l.owner], batch.periods[a.i], batch.day, l.key_id, l.operation, l.requests, 0::bigint,
    l.reads * batch.weights[a.i], 0::bigint, 0::bigint, 0::bigint
  from unnest(batch.owners, batch.keys, batch.operations, batch.requests, batch.reads)
    as l(owner, key_id, operation, requests, reads)
  cross join lateral (select array_position(batch.admitted, l.owner::bigint) as i) a
  where a.i is not null
$$;

create view metering.ledger as
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

-- Folds up to `most` rows of each journal into metering.usage, by one process at a time, which is the only writer of that
-- table. Returns how many rows were folded.
create function metering.fold_usage(most integer) returns integer
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

drop function metering.admit;

-- Decides all waiting requests, holder by holder, in their order of arrival, and charges those that are admitted.
-- Consecutive equal requests of a holder are one line: key, operation, catalog reads and live calls of each, and their
-- count. A line is admitted as far as it fits; `reason` is why the rest was rejected, and `over` of it exceeded the
-- request rate limit. Reasons: 1 request rate limit, 2 rate limit of live calls, 3 quota, 4 cap on overage, 5 wallet.
-- `terms` are in lock order of their holders. Returns a row a holder: its figures before, and the outcome of each line
-- (null if all were admitted). `busy`: another process has locked the holder (unless `patient`). `stale`: newer terms have
-- decided already. Neither changes anything.
create function metering.admit(
  terms        metering.entitlements[],
  first_line   integer[],
  keys         text[],
  operations   text[],
  counts       integer[],
  catalog      integer[],
  live         integer[],
  -- Null for a line whose charge is final at once.
  reservations uuid[],
  -- Further chunks of an earlier request: neither counted nor limited as requests.
  continued    boolean[],
  patient      boolean,
  reserve_s    integer,
  -- The time, for tests; the database's own where null.
  at           timestamptz,
  -- Whether a line has a cost: a commit of request counts alone doesn't wait for the WAL.
  durable      boolean
) returns table (
  n integer, status text, plan text, period integer, day date, ends_at timestamptz,
  budget_units bigint, overage_units bigint, live_calls bigint, balance_micro_usd bigint, cap_left_micro_usd bigint,
  overage_on boolean,
  window_requests bigint, window_left_s integer, live_requests bigint, live_left_s integer,
  granted integer[], over integer[], reason integer[]
)
language plpgsql as $$
#variable_conflict use_variable
declare
  minute constant interval := '60 seconds';
  month constant bigint := 2592000;
  r record;
  t metering.entitlements;
  moment timestamptz;
  due timestamptz;
  line integer;
  i integer;
  -- Of a line: its count, the cost of one, how many fit, and why no more; 0 requests each where continued.
  size bigint;
  cost bigint;
  fits bigint;
  why integer;
  weight integer;
  past_burst bigint;
  -- What is left before it: requests of the minute, units of the quota, units that wallet and cap would pay.
  room bigint;
  budget bigint;
  wallet bigint;
  cap bigint;
  -- Its charge: units of the quota, units past it, micro-dollars for those.
  charge bigint;
  past bigint;
  paid bigint;
begin
  if not durable then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  foreach t in array terms loop
    n := t.n;
    if patient then
      perform metering.lock_holder(t.holder);
    elsif not metering.try_lock_holder(t.holder) then
      status := 'busy';
      return next;
      continue;
    end if;
    select a.ctid, a.* into r from metering.accounts a where a.holder = t.holder;
    if not found then
      -- The first request ever.
      insert into metering.accounts as a (holder) values (t.holder) returning a.ctid, a.* into r;
    end if;
    plan := t.plan;
    granted := null;
    over := null;
    reason := null;
    if t.position < r.terms_position then
      status := 'stale';
      return next;
      continue;
    end if;
    status := 'done';
    -- Read under the holder's lock, so that it does not run backwards from one process to the next.
    moment := coalesce(at, clock_timestamp());

    -- The period: 30 days from the plan's start, and again. It never goes back, whatever the clock does. Where only the
    -- plan's figures or its name are new (another set of plans is active), it continues with those.
    due := t.plan_started_at
      + make_interval(secs => greatest(0, floor(extract(epoch from moment - t.plan_started_at) / month)) * month);
    if r.period = 0 or r.plan_started_at is distinct from t.plan_started_at or r.period_started_at is null
       or due > r.period_started_at then
      if r.period_started_at is not null then
        perform metering.end_period(r.holder, least(
          r.period_ends_at,
          case when r.plan_started_at = t.plan_started_at then due else greatest(t.plan_started_at, r.period_started_at) end
        ), moment);
      end if;
      r.period := r.period + 1;
      r.period_started_at := due;
      r.period_ends_at := due + make_interval(secs => month);
      r.requests := 0;
      r.budget_units := 0;
      r.overage_units := 0;
      r.overage_micro_usd := 0;
      r.live_calls := 0;
    end if;

    -- The minutes. A clock that was set back makes a minute last until its count is a minute old again.
    if r.window_started_at is null or moment >= r.window_started_at + minute then
      r.window_started_at := moment;
      r.window_requests := 0;
    elsif moment < r.window_started_at then
      r.window_started_at := moment;
    end if;
    if r.live_started_at is null or moment >= r.live_started_at + minute then
      r.live_started_at := moment;
      r.live_requests := 0;
    elsif moment < r.live_started_at then
      r.live_started_at := moment;
    end if;

    period := r.period;
    day := (moment at time zone 'UTC')::date;
    ends_at := r.period_ends_at;
    budget_units := r.budget_units;
    overage_units := r.overage_units;
    live_calls := r.live_calls;
    balance_micro_usd := t.credit_micro_usd - r.charged_micro_usd;
    cap_left_micro_usd := t.cap_micro_usd - r.overage_micro_usd;
    overage_on := t.overage_rate is not null;
    window_requests := r.window_requests;
    window_left_s := ceil(extract(epoch from r.window_started_at + minute - moment));
    live_requests := r.live_requests;
    live_left_s := ceil(extract(epoch from r.live_started_at + minute - moment));

    for line in first_line[n] .. first_line[n + 1] - 1 loop
      i := line - first_line[n] + 1;
      size := counts[line];
      cost := catalog[line] * t.catalog_weight + live[line] * t.live_weight;
      budget := greatest(t.units - r.budget_units, 0);
      room := greatest(t.burst - r.window_requests, 0);
      weight := case when continued[line] then 0 else 1 end;
      fits := case when weight = 0 then size else least(size, room) end;
      why := 1;
      if live[line] > 0 and greatest(t.live_burst - r.live_requests, 0) / live[line] < fits then
        fits := greatest(t.live_burst - r.live_requests, 0) / live[line];
        why := 2;
      end if;
      if cost > 0 and budget < fits * cost then
        if t.overage_rate is null then
          if budget / cost < fits then
            fits := budget / cost;
            why := 3;
          end if;
        else
          wallet := greatest(t.credit_micro_usd - r.charged_micro_usd, 0) / t.overage_rate;
          cap := case when t.cap_micro_usd is null then wallet
            else greatest(t.cap_micro_usd - r.overage_micro_usd, 0) / t.overage_rate end;
          if (budget + least(wallet, cap)) / cost < fits then
            fits := (budget + least(wallet, cap)) / cost;
            why := case when t.cap_micro_usd is not null and cap <= wallet then 4 else 5 end;
          end if;
        end if;
      end if;
      -- A request that is rejected for its cost counts as a request.
      past_burst := case when weight = 0 or fits = size then 0 when why = 1 then size - fits else greatest(size - room, 0) end;
      if granted is null and fits < size then
        -- The first line that falls short: those before it were admitted in full.
        granted := counts[first_line[n] : line - 1];
        over := array_fill(0, array[i - 1]);
        reason := over;
      end if;
      if granted is not null then
        granted[i] := fits;
        over[i] := past_burst;
        reason[i] := why;
      end if;

      past := greatest(fits * cost - budget, 0);
      paid := past * coalesce(t.overage_rate, 0);
      charge := fits * cost - past;
      r.window_requests := r.window_requests + weight * (size - past_burst);
      r.live_requests := r.live_requests + fits * live[line];
      r.requests := r.requests + weight * fits;
      r.budget_units := r.budget_units + charge;
      r.overage_units := r.overage_units + past;
      r.overage_micro_usd := r.overage_micro_usd + paid;
      r.live_calls := r.live_calls + fits * live[line];
      r.charged_micro_usd := r.charged_micro_usd + paid;
      insert into metering.usage_entries
      values (r.holder, r.period, day, keys[line], operations[line], weight * fits, weight * (size - fits), charge, past,
        paid, fits * live[line]);
      if reservations[line] is not null and fits > 0 then
        insert into metering.reservations
        values (reservations[line], r.holder, r.period, day, keys[line], operations[line], charge, past, paid,
          fits * live[line], moment + make_interval(secs => reserve_s), fits * catalog[line]);
      end if;
    end loop;
    update metering.accounts a set
      terms_position = t.position, plan = t.plan, plan_started_at = t.plan_started_at, period = r.period,
      period_started_at = r.period_started_at, period_ends_at = r.period_ends_at, requests = r.requests,
      budget_units = r.budget_units, overage_units = r.overage_units, overage_micro_usd = r.overage_micro_usd,
      live_calls = r.live_calls, charged_micro_usd = r.charged_micro_usd, window_started_at = r.window_started_at,
      window_requests = r.window_requests, live_started_at = r.live_started_at, live_requests = r.live_requests
    where a.ctid = r.ctid;
    return next;
  end loop;
end
$$;

-- Ends reservations: the first `used` items of each stay charged, the rest is refunded, overage before quota, at what it
-- was charged. All items settle a reservation, none refunds it. Returns what stays charged. `busy`: another process has
-- locked the holder, and nothing changed. A reservation without a row has expired and was refunded.
create function metering.settle_part(ids uuid[], used bigint[])
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

-- As before, but usage is appended to the journal.
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
