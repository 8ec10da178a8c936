-- Appends many batches, each to one stream with its expected revision (-1: no stream yet, -2: any), in one
-- transaction, and returns one outcome a batch:
--   appended  the events were taken now
--   repeated  the same events stand there already, from an earlier try: answered as the first time
--   conflict  the stream is at another revision, or has other events of these ids; nothing of this batch was taken
-- Streams must be distinct within a call.
--
-- Appends take turns: the lock is held until the commit, so that positions are given in the order of commits and
-- no reader can pass an event which becomes visible late. A turn is one round trip and one flush for all the
-- appends that wait, so the turns grow with the load.
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
begin
  perform pg_advisory_xact_lock(7203115);
  -- From here on each statement sees all that was committed before the lock was ours.
  select e.position, e.recorded_at into v_head, v_last from log.events e order by e.position desc limit 1;
  v_head := coalesce(v_head, 0);

  return query
  with asked as (
    select a.n::integer, a.stream, a.expected, a.count, (sum(a.count) over (order by a.n))::integer - a.count as skip
    from unnest(p_streams, p_expected, p_counts) with ordinality as a(stream, expected, count, n)
  ), seen as materialized (
    select asked.*,
      coalesce((select e.revision from log.events e where e.stream = asked.stream
                order by e.revision desc limit 1), -1) as head
    from asked
  ), judged as materialized (
    select seen.*,
      case
        when seen.expected = -2 then exists (select from log.events e where e.id = p_ids[seen.skip + 1])
        else seen.head <> seen.expected
      end as doubtful
    from seen
  ), checked as materialized (
    select judged.*,
      case when judged.doubtful then
        log.earlier(
          judged.stream, judged.expected, p_ids[judged.skip + 1 : judged.skip + judged.count],
          p_types[judged.skip + 1 : judged.skip + judged.count], p_data[judged.skip + 1 : judged.skip + judged.count]
        )
      end as earlier
    from judged
  ), accepted as (
    select checked.n, checked.head, checked.stream, checked.skip, checked.count,
      (sum(checked.count) over (order by checked.n))::integer - checked.count as before
    from checked where not checked.doubtful
  ), written as (
    insert into log.events (position, stream, revision, id, type, data, metadata, recorded_at)
    select v_head + accepted.before + event.k - accepted.skip, accepted.stream,
      accepted.head + event.k - accepted.skip, event.id, event.type, event.data::json, event.metadata::json,
      greatest(clock_timestamp(), v_last)
    from unnest(p_owners, p_ids, p_types, p_data, p_metadata)
      with ordinality as event(owner, id, type, data, metadata, k)
    join accepted on accepted.n = event.owner
    order by event.k
  )
  select
    case when not checked.doubtful then 'appended' when earlier is null then 'conflict' else 'repeated' end,
    case when not checked.doubtful then checked.head + checked.count else coalesce(earlier[1], checked.head) end,
    case when not checked.doubtful then v_head + accepted.before + accepted.count else earlier[2] end
  from checked left join accepted using (n)
  order by checked.n;

  notify sightline_log;
end
$$;
