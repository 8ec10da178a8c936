-- What operators decided of engines, as their streams say: a copy that crawlers ask before they send.
create table crawl.engine_controls (
  engine text collate "C" primary key,
  -- Revision of the engine's stream that this is as of; -1 before its first event.
  revision bigint not null,
  paused boolean not null,
  -- Requests a second; null for the configured rate.
  rate_per_s double precision
);
