-- The event log: the one table that everything else is rebuilt from.
create schema log;

create table log.events (
  -- Gapless, in the order of commits: see log.append.
  position    bigint      not null primary key,
  stream      text        collate "C" not null,
  revision    bigint      not null,
  id          uuid        not null,
  type        text        collate "C" not null,
  data        json        not null,
  metadata    json        not null,
  recorded_at timestamptz not null,
  constraint events_stream_revision unique (stream, revision),
  constraint events_id unique (id)
);

-- Nearly every event is an account's. Readers of the other families (holders, pools, engines) would have to pass
-- them all; this index holds the others only, and costs an account's event nothing.
create index events_other_families on log.events (position) where stream not like 'account-%';
