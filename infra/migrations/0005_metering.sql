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
