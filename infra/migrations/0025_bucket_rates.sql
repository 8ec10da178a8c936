-- The rate at which tokens were last granted, so that commands know what crawlers are configured with.
alter table crawl.buckets add column per_s double precision;
