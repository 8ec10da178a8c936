-- What holders have used, what they were charged, and what is promised to requests under way. None of it can be made
-- again. Whoever changes a holder's figures holds metering.hold(holder) for the transaction, of many holders in their
-- order. It can be tried for without waiting, which a row's lock can't within an UPDATE.
create schema metering;

-- One row a holder: what is used of the running period and of the running minute.
create table metering.accounts (
  holder             text        collate "C" primary key,
  -- Position of the terms that the row was last decided on: older ones decide nothing any more.
  terms_position     bigint      not null default 0,
  plan               text,
  plan_started_at    timestamptz,
  -- Counts the holder's periods from 1; 0 before the first.
  period             integer     not null default 0,
  period_started_at  timestamptz,
  period_ends_at     timestamptz,
  requests           bigint      not null default 0,
  budget_units       bigint      not null default 0,
  overage_units      bigint      not null default 0,
  overage_micro_usd  bigint      not null default 0,
  live_calls         bigint      not null default 0,
  -- Of all periods: the wallet's balance is the credits less this.
  charged_micro_usd  bigint      not null default 0,
  -- The minute in which bursts are counted, and the one of live calls.
  window_started_at  timestamptz,
  window_requests    bigint      not null default 0,
  live_started_at    timestamptz,
  live_requests      bigint      not null default 0,
  check (budget_units >= 0 and overage_units >= 0 and overage_micro_usd >= 0 and live_calls >= 0 and charged_micro_usd >= 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);

-- Periods that ended, until and after they were settled.
create table metering.periods (
  holder             text        collate "C" not null,
  period             integer     not null,
  plan               text        not null,
  started_at         timestamptz not null,
  ended_at           timestamptz not null,
  -- When that was noticed: until then requests were still charged to it.
  closed_at          timestamptz not null,
  requests           bigint      not null,
  budget_units       bigint      not null,
  overage_units      bigint      not null,
  overage_micro_usd  bigint      not null,
  live_calls         bigint      not null,
  -- From then on its figures are final.
  settled_at         timestamptz,
  -- From then on the log says so too.
  told_at            timestamptz,
  primary key (holder, period)
);

create index periods_untold on metering.periods (closed_at) where told_at is null;

-- The ledger's lines: what was charged, by day (UTC), key and endpoint. Written with the charge, in its transaction.
create table metering.usage (
  holder             text        collate "C" not null,
  period             integer     not null,
  day                date        not null,
  key_id             text        collate "C" not null,
  operation          text        collate "C" not null,
  -- Served or refused by their own fault: all that was not turned away.
  requests           bigint      not null default 0,
  -- Turned away by a rate or the budget.
  refused            bigint      not null default 0,
  budget_units       bigint      not null default 0,
  overage_units      bigint      not null default 0,
  overage_micro_usd  bigint      not null default 0,
  live_calls         bigint      not null default 0,
  primary key (holder, period, day, key_id, operation)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);

-- Live calls under way. They are charged; whoever leaves one here until it expires is refunded.
create table metering.reservations (
  id                 uuid        primary key,
  holder             text        collate "C" not null,
  period             integer     not null,
  day                date        not null,
  key_id             text        collate "C" not null,
  operation          text        collate "C" not null,
  budget_units       bigint      not null,
  overage_units      bigint      not null,
  overage_micro_usd  bigint      not null,
  live_calls         bigint      not null,
  expires_at         timestamptz not null
);

create index reservations_expiry on metering.reservations (expires_at);
create index reservations_period on metering.reservations (holder, period);

-- Answers of requests that carry an Idempotency-Key, for a day.
create table metering.answers (
  holder       text        collate "C" not null,
  key          text        collate "C" not null,
  -- SHA-256 of method, address and body.
  fingerprint  bytea       not null,
  -- Who works on it; until lapses_at nobody else does.
  claim        uuid        not null,
  lapses_at    timestamptz not null,
  -- Null while the first request is under way.
  body         text,
  created_at   timestamptz not null,
  primary key (holder, key)
);

create index answers_age on metering.answers (created_at);

-- What a holder is entitled to, as its plan and its own choices make it.
create type metering.terms as (
  n                integer,
  holder           text,
  position         bigint,
  plan             text,
  plan_started_at  timestamptz,
  units            bigint,
  burst            bigint,
  live_burst       bigint,
  catalog_weight   bigint,
  live_weight      bigint,
  -- Micro-dollars a unit past the budget; null where overage is off or not on the plan.
  overage_rate     bigint,
  cap_micro_usd    bigint,
  credit_micro_usd bigint
);

create function metering.try_hold(holder text) returns boolean
language sql as $$ select pg_try_advisory_xact_lock(7203115, hashtext(holder)) $$;

create function metering.hold(holder text) returns void
language sql as $$ select pg_advisory_xact_lock(7203115, hashtext(holder)) $$;

-- Moves the running period of a holder to those that ended. The caller holds the row and begins the next one.
create function metering.end_period(who text, ended timestamptz, moment timestamptz) returns void
language sql as $$
  insert into metering.periods (holder, period, plan, started_at, ended_at, closed_at, requests, budget_units,
    overage_units, overage_micro_usd, live_calls)
  select holder, period, plan, period_started_at, ended, moment, requests, budget_units, overage_units, overage_micro_usd,
    live_calls
  from metering.accounts where holder = who and period > 0 and period_started_at is not null
$$;

-- Decides all requests that wait, holder by holder, in the order in which they came, and charges those it lets in.
-- Equal requests of one holder that follow each other are one line: (key, operation, catalog reads and live calls of
-- each, how many of them). A line is let in as far as it fits; of what does not, `reason` says why, and `over` of it
-- did not even fit the burst. Reasons: 1 burst, 2 live burst, 3 budget, 4 cap on overage, 5 wallet.
-- `terms` are in the order of their holders. A row a holder comes back: what it stood at before, and what each line came to (null where all was let in).
-- `busy`: another process has the holder in hand just now (only without `patient`).
-- `stale`: other terms have decided since these were read. Neither changed anything.
create function metering.admit(
  terms        metering.terms[],
  first_line   integer[],
  keys         text[],
  operations   text[],
  counts       integer[],
  catalog      integer[],
  live         integer[],
  reservations uuid[],
  patient      boolean,
  reserve_s    integer,
  -- The time, for tests; the database's own where null.
  at           timestamptz,
  -- Whether a line has a cost: counts of bursts alone don't wait for the disk.
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
  t metering.terms;
  moment timestamptz;
  due timestamptz;
  line integer;
  i integer;
  -- Of a line: how many, what one costs, how many fit, and why no more.
  size bigint;
  cost bigint;
  fits bigint;
  why integer;
  past_burst bigint;
  -- What is left before it: requests of the burst, units of the budget, units that wallet and cap would pay.
  room bigint;
  budget bigint;
  wallet bigint;
  cap bigint;
  -- What it is charged: units of the budget, units past it, micro-dollars for those.
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
      perform metering.hold(t.holder);
    elsif not metering.try_hold(t.holder) then
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
    -- Read with the holder in hand, so that it does not run backwards from one process to the next.
    moment := coalesce(at, clock_timestamp());

    -- The period: 30 days from the plan's start, and again. It never goes back, whatever the clock does. Where only the
    -- plan's figures or its name are new (another set of plans is in force), it goes on with those.
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
      -- A request that is turned away for its cost was a request all the same.
      past_burst := case when fits = size then 0 when why = 1 then size - fits else greatest(size - room, 0) end;
      if granted is null and fits < size then
        -- The first line that falls short: those before it were let in whole.
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
      insert into metering.usage as u
      values (r.holder, r.period, day, keys[line], operations[line], fits, size - fits, charge, past, paid, fits * live[line])
      on conflict on constraint usage_pkey do update set
        requests = u.requests + excluded.requests, refused = u.refused + excluded.refused,
        budget_units = u.budget_units + excluded.budget_units, overage_units = u.overage_units + excluded.overage_units,
        overage_micro_usd = u.overage_micro_usd + excluded.overage_micro_usd,
        live_calls = u.live_calls + excluded.live_calls;
      if live[line] > 0 and fits > 0 then
        insert into metering.reservations
        values (reservations[line], r.holder, r.period, day, keys[line], operations[line], charge, past, paid,
          fits * live[line], moment + make_interval(secs => reserve_s));
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
  end loop;end
$$;

-- Ends the periods of holders that are over, or whose plan was replaced; whom another process has in hand, later.
create function metering.end_idle(terms metering.terms[], at timestamptz) returns integer
language plpgsql as $$
declare
  t metering.terms;
  a metering.accounts;
  moment constant timestamptz := coalesce(at, clock_timestamp());
  ended integer := 0;
begin
  foreach t in array terms loop
    continue when not metering.try_hold(t.holder);
    select * into a from metering.accounts where holder = t.holder;
    continue when a.period_started_at is null or t.position < a.terms_position;
    if a.plan_started_at is distinct from t.plan_started_at then
      perform metering.end_period(
        t.holder, least(a.period_ends_at, greatest(t.plan_started_at, a.period_started_at)), moment);
    elsif a.period_ends_at <= moment then
      perform metering.end_period(t.holder, a.period_ends_at, moment);
    else
      continue;
    end if;
    update metering.accounts set terms_position = t.position, plan = t.plan, plan_started_at = t.plan_started_at,
      period_started_at = null, period_ends_at = null, requests = 0, budget_units = 0,
      overage_units = 0, overage_micro_usd = 0, live_calls = 0
    where holder = t.holder;
    ended := ended + 1;
  end loop;
  return ended;
end
$$;

-- Takes charges back: of answers that cost nothing after all. In the running period or in one that ended and is not
-- settled; what came too late for that is counted and left. Charges whose holder another process has in hand come back
-- in `busy`, by their places, to be asked for again.
create function metering.give_back(
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
    group by 1, 2, 3, 4, 5 order by c.holder collate "C", c.period
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

-- Ends reservations with a refund: those named, or (where null) up to `most` that have expired. Those whose holder
-- another process has in hand stay, for the next time. Returns the ids of those that were ended.
create function metering.release(ids uuid[], most integer, at timestamptz) returns uuid[]
language plpgsql as $$
declare
  gone metering.reservations[];
begin
  with picked as (
    select v.id from metering.reservations v
    where case when ids is null then v.expires_at < coalesce(at, clock_timestamp()) else v.id = any (ids) end
      and metering.try_hold(v.holder)
    order by v.holder, v.id
    limit case when ids is null then most end
    for update skip locked
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
