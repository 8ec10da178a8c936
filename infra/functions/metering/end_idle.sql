-- Ends the periods of holders that are over, or whose plan was replaced, without a request that would do it. Holders that
-- are locked by another process are left for the next call.
create or replace function metering.end_idle(terms metering.entitlements[], at timestamptz) returns integer
language plpgsql as $$
declare
  t metering.entitlements;
  a metering.accounts;
  moment constant timestamptz := coalesce(at, clock_timestamp());
  ended integer := 0;
begin
  foreach t in array terms loop
    continue when not metering.try_lock_holder(t.holder);
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
