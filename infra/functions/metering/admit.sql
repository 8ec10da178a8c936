-- Decides all waiting requests, holder by holder, in their order of arrival, and charges those that are admitted.
-- Consecutive equal requests of a holder are one line: key, operation, catalog reads and live calls of each, requests to
-- platforms that each live call may send, and their count. A line is admitted as far as it fits; `reason` is why the rest was rejected, and `over` of it exceeded the
-- request rate limit. Reasons: 1 request rate limit, 2 rate limit of live calls, 3 quota, 4 cap on overage, 5 wallet.
-- `terms` are in lock order of their holders. Returns a row a holder: its figures before, and the outcome of each line
-- (null if all were admitted). `busy`: another process has locked the holder (unless `patient`). `stale`: newer terms have
-- decided already. Neither changes anything.
create or replace function metering.admit(
  terms        metering.entitlements[],
  first_line   integer[],
  keys         text[],
  operations   text[],
  counts       integer[],
  catalog      integer[],
  live         integer[],
  upstream     integer[],
  -- Null for a line whose charge is final at once.
  reservations uuid[],
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
  -- Of a line: its count, the cost of one, how many fit, and why no more.
  size bigint;
  cost bigint;
  fits bigint;
  why integer;
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
      cost := catalog[line] * t.catalog_weight + live[line] * (t.live_weight + upstream[line] * t.upstream_weight);
      budget := greatest(t.units - r.budget_units, 0);
      room := greatest(t.burst - r.window_requests, 0);
      fits := least(size, room);
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
      past_burst := case when fits = size then 0 when why = 1 then size - fits else greatest(size - room, 0) end;
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
      r.window_requests := r.window_requests + size - past_burst;
      r.live_requests := r.live_requests + fits * live[line];
      r.requests := r.requests + fits;
      r.budget_units := r.budget_units + charge;
      r.overage_units := r.overage_units + past;
      r.overage_micro_usd := r.overage_micro_usd + paid;
      r.live_calls := r.live_calls + fits * live[line];
      r.charged_micro_usd := r.charged_micro_usd + paid;
      insert into metering.usage_entries
      values (r.holder, r.period, day, keys[line], operations[line], fits, size - fits, charge, past,
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
