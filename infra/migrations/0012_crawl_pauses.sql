-- Until then no process sends the platform a request: it limits us, or fails so often that an engine stopped asking.
-- It stands beside the tokens, so that whoever asks for some learns of it without a question more.
alter table crawl.buckets add column paused_until timestamptz;
