-- Identifies one continuous history of the database: it changes when the database is copied, restored to an earlier state,
-- or a replica of it is promoted.
create or replace function relay.incarnation() returns text language sql stable as $$
  select concat_ws('/', (select system_identifier from pg_control_system()),
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
    (select oid from pg_database where datname = current_database()))
$$;
