-- Gives what earlier migrations made the names that the field uses for it. Data stays as it is.

-- The outbox relay and its checkpoint.
alter schema fanout rename to relay;
alter table relay.relay rename to checkpoints;
alter table relay.checkpoints rename constraint relay_pkey to checkpoints_pkey;
alter table relay.checkpoints rename column log to log_id;
alter table relay.checkpoints rename column life to incarnation;
alter table relay.checkpoints rename column origin to start_position;
alter table relay.checkpoints rename column tails to last_published;
alter table relay.checkpoints rename column moved_at to updated_at;

-- Projections.
alter table projections.stops rename to stalls;
alter table projections.stalls rename constraint stops_pkey to stalls_pkey;
alter table projections.stalls rename column why to reason;
alter table projections.stalls rename column stopped_at to stalled_at;
alter table projections.checkpoints rename column moved_at to updated_at;

-- Metering: stored responses of idempotent requests, publication of closed periods.
alter table metering.answers rename to idempotent_responses;
alter table metering.idempotent_responses rename constraint answers_pkey to idempotent_responses_pkey;
alter table metering.idempotent_responses rename column lapses_at to expires_at;
alter index metering.answers_age rename to idempotent_responses_age;
alter table metering.periods rename column told_at to published_at;
alter index metering.periods_untold rename to periods_unpublished;
alter type metering.terms rename to entitlements;

-- Functions of older versions use the former names; infra/functions has them under the present ones.
do $$
declare
  former regprocedure;
begin
  for former in
    select p.oid::regprocedure from pg_proc p
    where p.pronamespace in ('metering'::regnamespace, 'relay'::regnamespace)
  loop
    execute format('drop function %s', former);
  end loop;
end
$$;

-- The log.
alter index log.events_other_families rename to events_other_categories;
