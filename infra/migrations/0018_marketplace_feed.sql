-- How far the feed of a marketplace was read, so that another process, or a restart, resumes at the page after the last.
create table crawl.feeds (
  source       text        collate "C" primary key,
  -- The reading in progress: `sweep` for the whole feed, `changes` for what is new. Null between two readings.
  kind         text,
  started_at   timestamptz,
  -- What changed at this time or later, for a reading of changes.
  since        timestamptz,
  -- The next page; null for the first.
  cursor       text,
  pages        integer     not null default 0,
  -- Pages in a row without a listing that the reading did not have yet.
  idle_pages   integer     not null default 0,
  -- Whether the reading may lack listings, so that it proves nothing about those it does not have.
  is_partial   boolean     not null default false,
  -- Begin of the last complete reading of each kind.
  changes_at   timestamptz,
  swept_at     timestamptz,
  -- No request is sent until then.
  paused_until timestamptz
);

-- The listings of the reading in progress.
create table crawl.feed_listings (
  source text collate "C" not null,
  id     text collate "C" not null,
  primary key (source, id)
);
