-- Moves the running period of a holder to those that have ended. The caller has the lock of the holder and begins the next
-- period.
create or replace function metering.end_period(who text, ended timestamptz, moment timestamptz) returns void
language sql as $$
  insert into metering.periods (holder, period, plan, started_at, ended_at, closed_at, requests, budget_units,
    overage_units, overage_micro_usd, live_calls)
  select holder, period, plan, period_started_at, ended, moment, requests, budget_units, overage_units, overage_micro_usd,
    live_calls
  from metering.accounts where holder = who and period > 0 and period_started_at is not null
$$;
