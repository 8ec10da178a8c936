-- Readings of follower lists that are not at their end: another process, or the same one after a crash, resumes at the
-- cursor. While a process reads a list, its session holds an advisory lock.
create table crawl.follow_sweeps (
  platform      text        collate "C" not null,
  handle        text        collate "C" not null,
  direction     text        collate "C" not null,
  sweep         uuid        not null,
  owner         text        not null,
  -- Where the next page begins; null for the first one.
  cursor        text,
  -- Events and members recorded so far.
  pages         integer     not null default 0,
  members       integer     not null default 0,
  started_at    timestamptz not null,
  primary key (platform, handle, direction)
);

-- Requests for follower lists of a day (UTC), over all processes.
create table crawl.follow_requests (
  day      date    primary key,
  requests integer not null
);
