-- The last revision and position of a batch that is in its stream already, event by event; null if it is not, or if one of
-- its ids has other contents there. Used by log.append_judged.
create or replace function log.earlier(p_stream text, p_expected bigint, p_ids uuid[], p_types text[], p_data text[])
returns bigint[]
language plpgsql stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
as $$
begin
  return (
    select array[max(e.revision), max(e.position)]
    from unnest(p_ids, p_types, p_data) with ordinality as i(id, type, data, k)
    join log.events e on e.id = i.id
    -- What an archived event says can't be compared here.
    where e.stream = p_stream and e.type = i.type and (e.data is null or e.data::text = i.data)
      and (p_expected = -2 or e.revision = p_expected + i.k)
    having count(*) = cardinality(p_ids)
  );
end
$$;
