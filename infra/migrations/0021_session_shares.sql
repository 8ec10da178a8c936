-- How many requests of a session's running window each holder's live reads have used: nobody takes all of it.
alter table crawl.session_limits add column holders jsonb not null default '{}';
