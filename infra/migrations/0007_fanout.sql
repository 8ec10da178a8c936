-- How far the log has been handed out to Kafka.
create schema fanout;

create table fanout.relay (
  relay    text        collate "C" primary key,
  -- Names this log on brokers that may hold another's messages, or those of a life before a restore.
  log      uuid        not null default gen_random_uuid(),
  -- Which life of which database this was written in: one that was copied, or went back to an earlier state, gives
  -- its log another name, since positions come again there.
  life     text        not null,
  -- All up to here was taken by the brokers.
  position bigint      not null,
  -- Where it began: what is older was never sent.
  origin   bigint      not null,
  -- Position of the last event sent to each place, as {"accounts/17": "123"}.
  tails    jsonb       not null,
  moved_at timestamptz not null default now()
);

-- Where a partition's reader goes on in Kafka; null where it has read the log itself.
alter table projections.checkpoints add column kafka_offset bigint;
