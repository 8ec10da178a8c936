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
