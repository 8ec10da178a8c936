-- The last revision and position of a batch that is in its stream already, id by id; null if it is not. Used by log.append.
create or replace function log.earlier(p_stream text, p_expected bigint, p_ids uuid[]) returns bigint[]
language plpgsql stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
as $$
begin
  return (
    select array[max(e.revision), max(e.position)]
    from unnest(p_ids) with ordinality as i(id, k)
    join log.events e on e.id = i.id
    where e.stream = p_stream and (p_expected = -2 or e.revision = p_expected + i.k)
    having count(*) = cardinality(p_ids)
  );
end
$$;
