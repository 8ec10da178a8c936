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

-- The pool for which the account is read.
alter table crawl.leases add column pool text collate "C";

-- How far a pool whose rule is follow has read the follower lists of the log.
create table crawl.follow_positions (
  pool     text   collate "C" primary key,
  position bigint not null
);
