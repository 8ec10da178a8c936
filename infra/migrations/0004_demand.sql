-- Accounts that callers asked for and the catalog does not know, by distinct holder. Bounded and expiring; nothing
-- of it enters the log until a demand pool recruits an account.
create table crawl.demand (
  platform text        collate "C" not null,
  handle   text        collate "C" not null,
  holder   text        collate "C" not null,
  at       timestamptz not null default now(),
  primary key (platform, handle, holder)
);

create index demand_at on crawl.demand (at);
