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

-- Signs codes that prove the ownership of an account. A code lives for days, a cursor for hours.
create table secrets.verification_secrets (
  id          text        collate "C" primary key,
  secret      bytea       not null,
  created_at  timestamptz not null default now(),
  replaced_at timestamptz
);

-- What a session may request of an operation in the running window of its platform, shared by all processes.
alter table crawl.session_rests rename to session_limits;
alter table crawl.session_limits rename constraint session_rests_pkey to session_limits_pkey;
alter table crawl.session_limits rename column until to resting_until;
alter table crawl.session_limits
  alter column resting_until drop not null,
  -- Requests of a window; null until an answer stated it.
  add column capacity  integer,
  add column used      integer not null default 0,
  add column resets_at timestamptz;

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

-- The share of a platform's rate that live reads have.
alter table crawl.buckets add column live_tokens double precision not null default 0;
