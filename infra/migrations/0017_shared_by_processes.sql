-- Requests of live reads that no engine has reported yet. The API has a process of its own: the engine's report takes
-- what every such process has counted.
create table crawl.live_traffic (
  platform text   collate "C" primary key,
  requests bigint not null,
  bytes    bigint not null
);

-- Operations that a session must not request until then, because the platform limits it: every process that has the
-- session respects what one of them was answered. Sessions are stored as digests.
create table crawl.session_rests (
  session   text        collate "C" not null,
  operation text        collate "C" not null,
  until     timestamptz not null,
  primary key (session, operation)
);
