-- The event log: everything else is rebuilt from this table, or can be lost.
create schema log;

create table log.events (
  -- Gapless, in the order of commits: see log.append.
  position    bigint      not null primary key,
  stream      text        collate "C" not null,
  revision    bigint      not null,
  id          uuid        not null,
  type        text        collate "C" not null,
  -- Null once it is in an archive file.
  data        json,
  metadata    json        not null,
  recorded_at timestamptz not null,
  constraint events_stream_revision unique (stream, revision),
  constraint events_id unique (id)
);

-- Files that have what older events say, by position.
create table log.archives (
  first       bigint      not null,
  last        bigint      not null primary key,
  name        text        collate "C" not null unique,
  sha256      text        not null,
  bytes       bigint      not null,
  archived_at timestamptz not null default now()
);

-- Nearly every event is an account's. Readers of the other categories (holders, pools, engines) would pass all of them; this
-- index has the others only, and costs an account's event nothing.
create index events_other_categories on log.events (position) where stream not like 'account-%';

-- The builds of each projection, a schema each, and their checkpoints.
create schema projections;

-- For similar handles.
create extension if not exists pg_trgm;

create table projections.builds (
  projection   text        not null,
  version      integer     not null,
  build        integer     not null,
  schema_name  text        not null unique,
  -- A copy shows a read model as of a position, and is kept until an operator drops it.
  status       text        not null check (status in ('building', 'active', 'retired', 'copy')),
  created_at   timestamptz not null default now(),
  activated_at timestamptz,
  -- The later version whose readers may use the build until their own is active.
  stands_in_for integer,
  primary key (projection, version, build)
);

create unique index builds_active on projections.builds (projection, version) where status = 'active';

-- Numbers of builds, each given once: a writer that was cut off from a dropped build must not find another one of the same
-- name.
create sequence projections.build_numbers;

create table projections.checkpoints (
  schema_name  text   not null references projections.builds (schema_name) on delete cascade,
  -- A platform, a partition of Kafka, or `all`.
  partition    text   not null,
  position     bigint not null,
  -- When the events up to the position were folded: lag is measured from here.
  updated_at   timestamptz not null default now(),
  -- Where the partition's reader resumes in Kafka; null if it read the log itself.
  kafka_offset bigint,
  primary key (schema_name, partition)
  -- All checkpoints of a page are updated together: free space keeps the new row versions on the same page.
) with (fillfactor = 50);

-- Partitions that are stalled at an event which their projection can't apply.
create table projections.stalls (
  projection text        not null,
  version    integer     not null,
  -- As in projections.checkpoints.
  partition  text        not null,
  position   bigint      not null,
  event_id   uuid        not null,
  stream     text        not null,
  type       text        not null,
  reason     text        not null,
  stalled_at timestamptz not null default now(),
  primary key (projection, version, partition)
);

-- Streams whose events a build lacks from a revision on: the head of each of their dead-letter queues. The events
-- themselves are in the log. Written in the transaction of the build's rows and checkpoint.
create table projections.parked (
  schema_name text        not null references projections.builds (schema_name) on delete cascade,
  stream      text        collate "C" not null,
  -- The event that could not be applied; the queue begins with it.
  event_id    uuid        not null,
  revision    bigint      not null,
  position    bigint      not null,
  parked_at   timestamptz not null default now(),
  primary key (schema_name, stream)
);

-- What the relay has published to Kafka.
create schema relay;

create table relay.checkpoints (
  relay          text        collate "C" primary key,
  -- Names this log on brokers that may hold another's messages, or those from before a restore.
  log_id         uuid        not null default gen_random_uuid(),
  -- The incarnation of the database in which this was written. A copy, or one that went back to an earlier state, gives its
  -- log another ID, since its positions come again.
  incarnation    text        not null,
  -- The brokers have all events up to here.
  position       bigint      not null,
  -- Where publishing began: earlier events were never sent.
  start_position bigint      not null,
  -- Position of the last event sent to each partition, as {"accounts/17": "123"}.
  last_published jsonb       not null,
  updated_at     timestamptz not null default now()
);

-- State of the crawl that is no event. Losing it costs a second reading, never a wrong one.
create schema crawl;

create table crawl.leases (
  platform   text        collate "C" not null,
  handle     text        collate "C" not null,
  worker     text        not null,
  -- Until then no other worker takes the account. A lease is not ended but shortened: until the frontier has moved its due
  -- time, or until a failed reading is worth another try.
  until      timestamptz not null,
  -- Inconclusive readings in a row.
  failures   integer     not null default 0,
  -- The pool for which the account is read.
  pool       text        collate "C",
  primary key (platform, handle)
);

create index leases_until on crawl.leases (until);

-- A token a request to a platform, shared by all processes.
create table crawl.buckets (
  platform     text        collate "C" primary key,
  tokens       double precision not null,
  at           timestamptz not null,
  -- Until then no process sends a request: the platform limits us, or fails so often that its engine paused.
  paused_until timestamptz,
  -- The reason of the reading that paused it.
  paused_why   text,
  -- The share of the rate that live reads have.
  live_tokens  double precision not null default 0,
  -- The rate at which tokens were last granted, so that commands know what crawlers are configured with.
  per_s        double precision
);

-- Accounts that callers asked for and the catalog does not know, by distinct holder. Bounded for each holder and
-- expiring; none of it enters the log until a pool recruits an account by demand.
create table crawl.demand (
  platform text        collate "C" not null,
  handle   text        collate "C" not null,
  holder   text        collate "C" not null,
  at       timestamptz not null default now(),
  primary key (platform, handle, holder)
);

create index demand_at on crawl.demand (at);
create index demand_of_holder on crawl.demand (holder, at);

-- Names of accounts that readings found and no pool has. They wait to be read, those that most accounts name first, and are
-- recruited once a reading proves that they exist. Losing them costs the time until they are named again.
create table crawl.candidates (
  platform text        collate "C" not null,
  handle   text        collate "C" not null,
  -- The pool that reads and recruits it.
  pool     text        collate "C" not null,
  via      text        collate "C" not null,
  -- The account that named it first, and its pool.
  namer    text        collate "C" not null,
  source   text        collate "C" not null,
  -- Steps from an account that an operator or a caller named; null if unknown.
  depth    integer,
  -- Accounts that name it.
  namers   integer     not null,
  named_at timestamptz not null,
  -- Readings that did not find it.
  misses   integer     not null default 0,
  -- `found` or `missed`; null while it waits.
  outcome  text        collate "C",
  found_at timestamptz,
  primary key (platform, handle)
);

create index candidates_waiting on crawl.candidates (platform, pool, misses, namers desc, named_at)
  where outcome is null;

create index candidates_named_at on crawl.candidates (named_at);

-- Which account named which candidate.
create table crawl.namings (
  namer    text        collate "C" not null,
  platform text        collate "C" not null,
  handle   text        collate "C" not null,
  at       timestamptz not null,
  primary key (namer, platform, handle)
);

create index namings_at on crawl.namings (at);

-- Requests of live reads that no engine has reported yet. The API has a process of its own: the engine's report takes
-- what every such process has counted.
create table crawl.live_traffic (
  platform text   collate "C" primary key,
  requests bigint not null,
  bytes    bigint not null
);

-- What operators decided of engines, as their streams say: a copy that crawlers ask before they send.
create table crawl.engine_controls (
  engine     text    collate "C" primary key,
  -- Revision of the engine's stream that this is as of; -1 before its first event.
  revision   bigint  not null,
  paused     boolean not null,
  -- Requests a second; null for the configured rate.
  rate_per_s double precision
);

-- What the pools of a platform have used of its requests, in virtual time: requests divided by share. The next account is
-- read for the pool that has used least (start-time fair queueing). Losing it costs fairness for a moment.
create table crawl.pool_turns (
  platform text             collate "C" not null,
  pool     text             collate "C" not null,
  used     double precision not null,
  -- Nothing was due at the last look: a pool saves no turns that it did not use.
  idle     boolean          not null,
  primary key (platform, pool)
) with (fillfactor = 50);

-- How far a pool whose rule is follow has read the follower lists of the log.
create table crawl.follow_positions (
  pool     text   collate "C" primary key,
  position bigint not null
);

-- Readings of follower lists that are not at their end: another process, or the same one after a crash, resumes at the
-- cursor. While a process reads a list, its session holds an advisory lock.
create table crawl.follow_sweeps (
  platform      text        collate "C" not null,
  handle        text        collate "C" not null,
  direction     text        collate "C" not null,
  sweep         uuid        not null,
  owner         text        not null,
  -- Where the next page begins; null for the first one.
  cursor        text,
  -- Events and members recorded so far.
  pages         integer     not null default 0,
  members       integer     not null default 0,
  started_at    timestamptz not null,
  primary key (platform, handle, direction)
);

-- Requests for follower lists of a day (UTC), over all processes.
create table crawl.follow_requests (
  day      date    primary key,
  requests integer not null
);

-- How far the feed of a marketplace was read, so that another process, or a restart, resumes at the page after the last.
create table crawl.feeds (
  source       text        collate "C" primary key,
  -- The reading in progress: `sweep` for the whole feed, `changes` for what is new. Null between two readings.
  kind         text,
  started_at   timestamptz,
  -- What changed at this time or later, for a reading of changes.
  since        timestamptz,
  -- The next page; null for the first.
  cursor       text,
  pages        integer     not null default 0,
  -- Pages in a row without a listing that the reading did not have yet.
  idle_pages   integer     not null default 0,
  -- Whether the reading may lack listings, so that absence from it is inconclusive.
  is_partial   boolean     not null default false,
  -- Begin of the last complete reading of each kind.
  changes_at   timestamptz,
  swept_at     timestamptz,
  -- No request is sent until then.
  paused_until timestamptz
);

-- The listings of the reading in progress.
create table crawl.feed_listings (
  source text collate "C" not null,
  id     text collate "C" not null,
  primary key (source, id)
);

-- What a session may request of an operation in the running window of its platform: every process that has the session
-- respects what one of them was answered. Sessions are stored as digests.
create table crawl.session_limits (
  session       text        collate "C" not null,
  operation     text        collate "C" not null,
  -- The operation must not be requested until then.
  resting_until timestamptz,
  -- Requests of a window; null until an answer stated it.
  capacity      integer,
  used          integer     not null default 0,
  resets_at     timestamptz,
  -- How many requests of the running window each holder's live reads have used: none takes all of it.
  holders       jsonb       not null default '{}',
  primary key (session, operation)
);

-- What became of a session. Those of the environment have no row in `secrets.sessions`.
create table crawl.session_states (
  session       text        collate "C" primary key,
  -- Rejections in a row.
  rejections    integer     not null default 0,
  resting_until timestamptz,
  retired_at    timestamptz,
  reason        text,
  last_used_at  timestamptz
);

-- Proxies that a platform blocks, or that fail.
create table crawl.proxy_states (
  platform      text        collate "C" not null,
  proxy         text        collate "C" not null,
  failures      integer     not null default 0,
  resting_until timestamptz,
  reason        text,
  primary key (platform, proxy)
);

create schema secrets;

-- Seals cursors. A replaced secret still opens those of a day.
create table secrets.cursor_secrets (
  id          text        collate "C" primary key,
  secret      bytea       not null,
  created_at  timestamptz not null default now(),
  replaced_at timestamptz
);

-- Signs codes that prove the ownership of an account. A code lives for days, a cursor for hours.
create table secrets.verification_secrets (
  id          text        collate "C" primary key,
  secret      bytea       not null,
  created_at  timestamptz not null default now(),
  replaced_at timestamptz
);

-- Sessions that an operator adds: their credentials are sealed with a key that is not in the database.
create table secrets.sessions (
  id         text        collate "C" primary key,
  platform   text        collate "C" not null,
  label      text        not null,
  -- Name of the proxy that sends its requests; null for none of its own.
  proxy      text,
  -- Which key sealed the credentials.
  key_id     text        collate "C" not null,
  sealed     bytea       not null,
  created_at timestamptz not null default now()
);

create unique index sessions_label on secrets.sessions (platform, label);

-- Usage of holders, charges, and reservations of requests in flight. None of it can be rebuilt. A transaction that changes
-- a holder's figures takes metering.lock_holder first.
-- The key of the digests that name erased accounts, sealed with ERASURE_KEY: one row, which never changes but for its seal.
create table secrets.erasure_key (
  only_row   boolean     primary key check (only_row),
  key_id     text        collate "C" not null,
  sealed     bytea       not null,
  created_at timestamptz not null default now()
);

-- Erasures whose subjects are not forgotten everywhere yet: the only place that names them.
create schema erasure;

create table erasure.open (
  -- The digest that the ledger has.
  subject      text        collate "C" primary key,
  platform     text        collate "C" not null,
  native_id    text        collate "C",
  -- The newest first.
  handles      text[]      not null,
  -- What streams have of it: [{"stream": …, "from": 3, "through": 17, "since": null}].
  tenures      jsonb       not null,
  -- The digests that the ledger gets.
  marks        jsonb       not null,
  opened_at    timestamptz not null default now(),
  -- When the log is to forget it; null if it is suppressed only.
  due_at       timestamptz,
  -- When a suppressed one was released. The row stays until the read models have it again.
  released_at  timestamptz,
  -- What was removed from the log so far: events of its own, and those of others that named it.
  events       bigint      not null default 0,
  refs         bigint      not null default 0,
  -- When no answer showed it any more, and when nothing in the log and in read models named it any more. The row stays as long as feeds tell its name.
  hidden_at    timestamptz,
  forgotten_at timestamptz
);

-- What visitors of the page /privacy do. No backup contains it, and nothing of it names a visitor but what he wrote himself.
-- Proofs that have counted, until they would be too old.
create table erasure.proofs (
  digest bytea       primary key,
  at     timestamptz not null
);

-- Checks of the last hour, by a digest of the caller's network.
create table erasure.attempts (
  caller bytea       not null,
  at     timestamptz not null
);

-- What people ask the operator for, where they can't prove an account.
create table erasure.requests (
  id       uuid        primary key,
  at       timestamptz not null,
  act      text        collate "C" not null,
  platform text        collate "C" not null,
  account  text        collate "C" not null,
  -- How to reach whoever asks; empty if he said nothing.
  contact  text        not null
);

-- Exports that people have proven their right to.
create table erasure.exports (
  platform text        collate "C" not null,
  -- A native ID, or a handle where the platform shows none.
  kind     text        collate "C" not null,
  name     text        collate "C" not null,
  -- Digest of the browser's session that may have it.
  session  bytea       not null,
  ready_at timestamptz not null,
  primary key (platform, kind, name)
);

create schema metering;

-- A row a holder: what is used of the running period and of the running minute.
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
  -- The minute of the request rate limit, and the one of live calls.
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
  -- From then on the log has them too.
  published_at       timestamptz,
  primary key (holder, period)
);

create index periods_unpublished on metering.periods (closed_at) where published_at is null;

-- Usage is journaled: what a statement charges is appended, without an index, in its transaction (usage_entries and
-- usage_batches), and folded into metering.usage in bulk. metering.ledger is all three.

-- What was charged, by day (UTC), key and endpoint.
create table metering.usage (
  holder             text        collate "C" not null,
  period             integer     not null,
  day                date        not null,
  key_id             text        collate "C" not null,
  operation          text        collate "C" not null,
  -- Admitted, whether answered or failed.
  requests           bigint      not null default 0,
  -- Rejected by a rate limit or the quota.
  refused            bigint      not null default 0,
  budget_units       bigint      not null default 0,
  overage_units      bigint      not null default 0,
  overage_micro_usd  bigint      not null default 0,
  live_calls         bigint      not null default 0,
  primary key (holder, period, day, key_id, operation)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);

-- A row a group of requests, of a refund or of rejections; figures of a refund are negative.
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

-- Live calls, and catalog reads of a streamed list, in flight: any number of a reservation's items can be settled. They are
-- charged; what is still here when it expires is refunded.
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
  expires_at         timestamptz not null,
  reads              bigint      not null default 0
);

create index reservations_expiry on metering.reservations (expires_at);
create index reservations_period on metering.reservations (holder, period);

-- Responses of requests that carry an Idempotency-Key, for a day.
create table metering.idempotent_responses (
  holder       text        collate "C" not null,
  key          text        collate "C" not null,
  -- SHA-256 of method, address and body.
  fingerprint  bytea       not null,
  -- The request that works on it; no other one does until it expires.
  claim        uuid        not null,
  expires_at   timestamptz not null,
  -- Null while the first request is in flight.
  body         text,
  created_at   timestamptz not null,
  -- A free response is not kept: the request, if it is the same, is carried out again.
  again        boolean     not null default false,
  primary key (holder, key)
);

create index idempotent_responses_age on metering.idempotent_responses (created_at);

-- Who asked for which account, for those whose accounts they are; with ACCESS_LOG alone, and for 90 days.
create table metering.accesses (
  at        timestamptz not null default now(),
  platform  text        collate "C" not null,
  -- A handle, or `id:` and a native ID.
  handle    text        collate "C" not null,
  holder    text        collate "C" not null,
  operation text        collate "C" not null
);

create index accesses_at on metering.accesses (at);
create index accesses_of_account on metering.accesses (platform, handle);

-- What a holder is entitled to, by its plan and its own choices.
create type metering.entitlements as (
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
  upstream_weight  bigint,
  -- Micro-dollars a unit past the quota; null where overage is off or not on the plan.
  overage_rate     bigint,
  cap_micro_usd    bigint,
  credit_micro_usd bigint
);

-- What is known of the running service. All of it is reported anew within seconds.
create schema service;

create table service.processes (
  id              text        collate "C" primary key,
  host            text        not null,
  roles           text[]      not null,
  seen_at         timestamptz not null,
  -- Whether it stopped by itself.
  stopped         boolean     not null,
  -- Of the last five minutes; null without the API.
  requests        bigint,
  failed          bigint,
  -- Null if the disk does not answer.
  disk_free       bigint,
  -- Null where the disk does not fill.
  disk_hours_left double precision,
  -- Revision of the last erasure that it knows.
  erasures        bigint      not null,
  -- Where browsers reach its console; null without one.
  console         text
) with (fillfactor = 50);

-- The last evaluation of alarms: a copy of what their streams say, and what was measured.
create table service.evaluation (
  only_row boolean     primary key check (only_row),
  at       timestamptz not null,
  measures jsonb       not null,
  -- Null while the event log was never available.
  alarms   jsonb
) with (fillfactor = 50);
