-- A reservation has items, live calls or catalog reads, of which any number can be settled. Catalog reads can be reserved
-- too, as chunks of a streamed response.
alter table metering.reservations add column reads bigint not null default 0;

-- Usage is journaled: what a statement charges is appended, without an index, in its transaction, and folded into
-- metering.usage in bulk, one row a ledger entry. metering.ledger is both.

-- A line a group of requests, of a refund or of rejections; figures of a refund are negative.
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

-- Its parameters change; the new one is in infra/functions.
drop function if exists metering.admit;
