-- The way of log.append for calls in which a batch may be refused or is in the log already: each batch is judged by
-- itself. Used by log.append, which holds the lock.
create or replace function log.append_judged(
  p_streams text[], p_expected bigint[], p_counts integer[],
  p_owners integer[], p_ids uuid[], p_types text[], p_data text[], p_metadata text[],
  -- The position and time of the last event.
  p_head bigint, p_last timestamptz
) returns table (outcome text, last_revision bigint, last_position bigint)
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
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
    select p_head + accepted.before + event.k - accepted.skip, accepted.stream,
      accepted.head + event.k - accepted.skip, event.id, event.type, event.data::json, event.metadata::json,
      greatest(clock_timestamp(), p_last)
    from unnest(p_owners, p_ids, p_types, p_data, p_metadata)
      with ordinality as event(owner, id, type, data, metadata, k)
    join accepted on accepted.n = event.owner
    order by event.k
  )
  select
    case when not checked.doubtful then 'appended' when earlier is null then 'conflict' else 'repeated' end,
    case when not checked.doubtful then checked.head + checked.count else coalesce(earlier[1], checked.head) end,
    case when not checked.doubtful then p_head + accepted.before + accepted.count else earlier[2] end
  from checked left join accepted using (n)
  order by checked.n;
end
$$;
