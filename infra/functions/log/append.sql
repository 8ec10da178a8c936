-- Appends many batches, each to one stream with its expected revision (-1: no stream yet, -2: any), in one
-- transaction, and returns one outcome a batch:
--   appended  the events were taken now
--   repeated  the same events stand there already, from an earlier try: answered as the first time
--   conflict  the stream is at another revision, or has other events of these ids; nothing of this batch was taken
-- Streams must be distinct within a call.
--
-- Appends take turns: the lock is held until the commit, so that positions are given in the order of commits and
-- no reader can pass an event which becomes visible late. A turn is one round trip and one flush for all the
-- appends that wait, so the turns grow with the load. Nearly all are as expected: a call is judged as a whole, and its
-- batches one by one (log.append_judged) only if one is not.
create or replace function log.append(
  p_streams text[], p_expected bigint[], p_counts integer[],
  -- One element an event: the number of its batch, counted from 1, and what it holds.
  p_owners integer[], p_ids uuid[], p_types text[], p_data text[], p_metadata text[]
) returns table (outcome text, last_revision bigint, last_position bigint)
language plpgsql
-- Plans are kept for the life of a connection, whose first calls may find an empty table.
set enable_seqscan = off
set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_head bigint;
  v_last timestamptz;
  v_revisions bigint[];
  v_doubtful boolean;
begin
  perform pg_advisory_xact_lock(7203115);
  -- From here on each statement sees all that was committed before the lock was ours.
  select e.position, e.recorded_at into v_head, v_last from log.events e order by e.position desc limit 1;
  v_head := coalesce(v_head, 0);

  select
    -- What an event's revision is beyond its place in the call.
    array_agg(batch.head - batch.through + batch.count order by batch.n),
    bool_or(
      case
        when batch.expected = -2
          then exists (select from log.events e where e.id = p_ids[batch.through - batch.count + 1])
        else batch.head is distinct from batch.expected
      end
    )
  into v_revisions, v_doubtful
  from (
    select a.n, a.expected, a.count, sum(a.count) over (order by a.n) as through,
      coalesce((select e.revision from log.events e where e.stream = a.stream
                order by e.revision desc limit 1), -1) as head
    from unnest(p_streams, p_expected, p_counts) with ordinality as a(stream, expected, count, n)
  ) batch;

  if v_doubtful then
    return query select * from log.append_judged(
      p_streams, p_expected, p_counts, p_owners, p_ids, p_types, p_data, p_metadata, v_head, v_last
    );
  else
    insert into log.events (position, stream, revision, id, type, data, metadata, recorded_at)
    select v_head + event.k, p_streams[event.owner], v_revisions[event.owner] + event.k,
      event.id, event.type, event.data::json, event.metadata::json, greatest(clock_timestamp(), v_last)
    from unnest(p_owners, p_ids, p_types, p_data, p_metadata)
      with ordinality as event(owner, id, type, data, metadata, k);

    return query
    select 'appended', v_revisions[batch.n] + batch.through, v_head + batch.through
    from (
      select a.n, sum(a.count) over (order by a.n) as through
      from unnest(p_counts) with ordinality as a(count, n)
    ) batch
    order by batch.n;
  end if;

  notify sightline_log;
end
$$;
