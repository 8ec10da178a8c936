-- The lock of a holder's figures, for the transaction: every change of them takes it first, of several holders in the order
-- of the hashes of their names. It is an advisory lock, since an UPDATE can't try for the lock of a row without waiting.
create or replace function metering.try_lock_holder(holder text) returns boolean
language sql as $$ select pg_try_advisory_xact_lock(7203115, hashtext(holder)) $$;

create or replace function metering.lock_holder(holder text) returns void
language sql as $$ select pg_advisory_xact_lock(7203115, hashtext(holder)) $$;
