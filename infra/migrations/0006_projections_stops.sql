-- Projections that stand before an event which they can't take in, until they are past it.
create table projections.stops (
  projection text        not null,
  version    integer     not null,
  -- Where the events come from: 'all' for the log itself, as in projections.checkpoints.
  partition  text        not null,
  position   bigint      not null,
  event_id   uuid        not null,
  stream     text        not null,
  type       text        not null,
  why        text        not null,
  stopped_at timestamptz not null default now(),
  primary key (projection, version, partition)
);
