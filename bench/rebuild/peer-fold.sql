-- What the peer's projection does with one event, as functions: one statement an event, planned once.
create function peer.points(p_trail text) returns table (day integer, followers bigint)
language sql immutable as $$
  select split_part(p, ':', 1)::integer, split_part(p, ':', 2)::bigint
  from string_to_table(p_trail, ',') p where p_trail <> ''
$$;

create function peer.grown(p_trail text, p_day integer, p_followers bigint, p_days integer) returns bigint
language sql stable as $$
  select case when p_day - t.day <= 60 then p_followers - t.followers end
  from peer.points(p_trail) t where p_day - t.day >= p_days order by t.day desc limit 1
$$;

create function peer.trailed(p_trail text, p_day integer, p_followers bigint) returns text
language sql stable as $$
  select case when coalesce((select max(day) from peer.points(p_trail)), -1) >= p_day then p_trail
    else concat_ws(',', (
      select string_agg(t.day || ':' || t.followers, ',' order by t.day) from peer.points(p_trail) t
      where t.day >= coalesce((select max(o.day) from peer.points(p_trail) o where p_day - o.day >= 30), 0)
    ), p_day || ':' || p_followers) end
$$;

create function peer.see(
  p_platform text, p_handle text, p_position bigint, p_at timestamptz, p_status text, p_profile jsonb
) returns void language plpgsql as $$
declare
  b peer.entries;
  v_entry bigint;
  v_day integer := floor(extract(epoch from p_at) / 86400);
  v_followers bigint := (p_profile ->> 'followers')::bigint;
  v_verified boolean := (p_profile ->> 'verified')::boolean;
  v_name text := p_profile ->> 'display_name';
  v_words text := trim(regexp_replace(lower(p_profile ->> 'display_name'), '[^a-z0-9]+', ' ', 'g'));
  v_n integer := 0;
begin
  select * into b from peer.entries e where e.platform = p_platform and e.handle = p_handle;
  v_entry := coalesce(b.entry, p_position);
  insert into peer.entries (platform, entry, handle, native_id, display_name, followers, following, posts, verified, created_at,
    first_seen_at, last_seen_at, kept, observed_at, bio, avatar_url, location, links, status, previous_handles, words, growth_7d,
    growth_30d, growth_samples) values (
    p_platform, v_entry, p_handle, coalesce(p_profile ->> 'id', b.native_id), v_name, v_followers,
    (p_profile ->> 'following')::bigint, (p_profile ->> 'posts')::bigint, v_verified,
    coalesce((p_profile ->> 'created_at')::timestamptz, b.created_at), coalesce(b.first_seen_at, p_at), p_at, null,
    p_at, p_profile ->> 'bio', p_profile ->> 'avatar_url', p_profile ->> 'location', p_profile -> 'links', p_status, '[]',
    ' ' || p_handle || ' ' || v_words,
    peer.grown(coalesce(b.growth_samples, ''), v_day, v_followers, 7),
    peer.grown(coalesce(b.growth_samples, ''), v_day, v_followers, 30),
    peer.trailed(coalesce(b.growth_samples, ''), v_day, v_followers)
  ) on conflict (platform, entry) do update set
    native_id = excluded.native_id, display_name = excluded.display_name, followers = excluded.followers,
    following = excluded.following, posts = excluded.posts, verified = excluded.verified,
    created_at = excluded.created_at, last_seen_at = excluded.last_seen_at, observed_at = excluded.observed_at,
    bio = excluded.bio, avatar_url = excluded.avatar_url, location = excluded.location, links = excluded.links,
    status = excluded.status, words = excluded.words, growth_7d = excluded.growth_7d, growth_30d = excluded.growth_30d,
    growth_samples = excluded.growth_samples;
  if b.entry is null then
    insert into peer.changes (position, n, at, platform, handle, kind, before, after) values (p_position, 0, p_at, p_platform, p_handle, 'discovered', null,
      jsonb_build_object('id', p_profile -> 'id', 'handle', p_handle, 'status', p_status, 'verified', v_verified,
        'display_name', v_name, 'bio', p_profile -> 'bio', 'avatar_url', p_profile -> 'avatar_url',
        'location', p_profile -> 'location', 'links', p_profile -> 'links', 'created_at', p_profile -> 'created_at',
        'pronouns', p_profile -> 'pronouns'));
  else
    if b.verified <> v_verified then
      insert into peer.changes (position, n, at, platform, handle, kind, before, after) values (p_position, v_n, p_at, p_platform, p_handle,
        case when v_verified then 'verified' else 'unverified' end, to_jsonb(b.verified), to_jsonb(v_verified));
      v_n := v_n + 1;
    end if;
    if b.status in ('suspended', 'deactivated', 'absent') then
      insert into peer.changes (position, n, at, platform, handle, kind, before, after) values (p_position, v_n, p_at, p_platform, p_handle, 'restored', to_jsonb(b.status),
        to_jsonb(p_status));
      v_n := v_n + 1;
    end if;
    if b.display_name is distinct from v_name then
      insert into peer.changes (position, n, at, platform, handle, kind, before, after) values (p_position, v_n, p_at, p_platform, p_handle, 'profile',
        jsonb_build_object('display_name', b.display_name), jsonb_build_object('display_name', v_name));
      v_n := v_n + 1;
    end if;
    if abs(v_followers - b.followers) >= greatest(1000, b.followers / 5.0) then
      insert into peer.changes (position, n, at, platform, handle, kind, before, after) values (p_position, v_n, p_at, p_platform, p_handle, 'jumped', to_jsonb(b.followers),
        to_jsonb(v_followers));
    end if;
  end if;
  if b.entry is null or b.display_name is distinct from v_name then
    delete from peer.words w where w.platform = p_platform and w.entry = v_entry;
    insert into peer.words select p_platform, v_entry, w.word
      from (select unnest(string_to_array(v_words, ' ')) union all select ' ' || v_words) w(word);
  end if;
  if b.entry is null or b.links <> p_profile -> 'links' then
    delete from peer.links l where l.platform = p_platform and l.entry = v_entry;
    insert into peer.links select distinct p_platform, v_entry,
      regexp_replace(regexp_replace(link, '^https?://(www\.)?', ''), '/+$', '')
      from jsonb_array_elements_text(p_profile -> 'links') link;
  end if;
  if b.entry is null or floor(extract(epoch from b.last_seen_at) / 86400) <> v_day
    or b.verified <> v_verified or b.display_name is distinct from v_name then
    insert into peer.history (platform, entry, at, followers, following, posts, verified, handle, display_name) values (p_platform, v_entry, p_at, v_followers, (p_profile ->> 'following')::bigint,
      (p_profile ->> 'posts')::bigint, v_verified, p_handle, v_name);
  end if;
end $$;

create function peer.see_moved(
  p_platform text, p_handle text, p_position bigint, p_at timestamptz, p_moved jsonb
) returns void language plpgsql as $$
declare
  b peer.entries;
begin
  select * into b from peer.entries e where e.platform = p_platform and e.handle = p_handle;
  if b.entry is null then return; end if;
  perform peer.see(p_platform, p_handle, p_position, p_at, case when b.status = 'private' then 'private' else 'active' end,
    jsonb_build_object('id', b.native_id, 'display_name', b.display_name, 'followers', b.followers,
      'following', b.following, 'posts', b.posts, 'verified', b.verified, 'created_at', b.created_at, 'bio', b.bio,
      'avatar_url', b.avatar_url, 'location', b.location, 'links', b.links) || p_moved);
end $$;

create function peer.lose(
  p_platform text, p_handle text, p_position bigint, p_at timestamptz, p_status text
) returns void language sql as $$
  insert into peer.changes (position, n, at, platform, handle, kind, before, after)
  select p_position, 0, p_at, p_platform, p_handle, 'suspended', to_jsonb(e.status), to_jsonb(p_status)
  from peer.entries e
  where e.platform = p_platform and e.handle = p_handle and p_status = 'suspended' and e.status <> 'suspended';
  update peer.entries e set status = p_status, observed_at = p_at
  where e.platform = p_platform and e.handle = p_handle;
$$;
