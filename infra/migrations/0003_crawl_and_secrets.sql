-- The crawl state that is no event: who is reading what just now, and how fast a platform may be read. Losing it
-- costs a second reading, never a wrong one.
create schema crawl;

create table crawl.leases (
  platform   text        collate "C" not null,
  handle     text        collate "C" not null,
  worker     text        not null,
  -- Until then nobody else takes the account up. A lease is not ended but shortened: until the frontier has moved
  -- its due time, or until a failed reading is worth another try.
  until      timestamptz not null,
  -- Readings in a row that proved nothing.
  failures   integer     not null default 0,
  primary key (platform, handle)
);

create index leases_until on crawl.leases (until);

-- One token a request to a platform, shared by all processes.
create table crawl.buckets (
  platform text        collate "C" primary key,
  tokens   double precision not null,
  at       timestamptz not null
);

create schema secrets;

-- What signs cursors. A replaced secret still verifies for a day.
create table secrets.cursor_secrets (
  id          text        collate "C" primary key,
  secret      bytea       not null,
  created_at  timestamptz not null default now(),
  replaced_at timestamptz
);
