-- The directory's fold as one statement over the log, for events that come in the order of time and without renames,
-- as the bench's do. Schema and log are where the search path says.
with event as (
  select e.position, e.stream, e.type, split_part(substr(e.stream, 9), ':', 1) as platform,
    substr(e.stream, strpos(e.stream, ':') + 1) as handle, d.*,
    floor(extract(epoch from d.observed_at) / 86400)::integer as day
  from log.events e, json_to_record(e.data)
    as d(observed_at timestamptz, status text, profile json, moved json)
  where e.type in ('AccountSighted', 'AccountUnchanged', 'AccountUnavailable')
), reading as (
  select event.*, p.id as native_id, p.display_name, p.verified, p.created_at, p.bio, p.avatar_url, p.location,
    p.links, p.following, coalesce(p.followers, m.followers) as followers,
    coalesce(p.posts, m.posts) as count_of_posts,
    lag(event.status) over by_stream as status_before,
    count(*) filter (where event.type = 'AccountSighted') over by_stream as whole,
    count(coalesce(p.posts, m.posts)) over by_stream as counted
  from event
  left join lateral json_to_record(event.profile) as p(id text, display_name text, followers bigint, following bigint,
    posts bigint, verified boolean, created_at timestamptz, bio text, avatar_url text, location text, links jsonb)
    on event.type = 'AccountSighted'
  left join lateral json_to_record(event.moved) as m(followers bigint, posts bigint) on event.type = 'AccountUnchanged'
  window by_stream as (partition by event.stream order by event.position)
), sight as (
  select r.position, r.stream, r.type, r.platform, r.handle, r.observed_at, r.day, r.followers,
    first_value(r.position) over (partition by r.stream order by r.position) as entry,
    first_value(r.count_of_posts) over (partition by r.stream, r.counted order by r.position) as count_of_posts,
    first_value(r.native_id) over same_whole as native_id,
    first_value(r.display_name) over same_whole as display_name,
    first_value(r.verified) over same_whole as verified,
    first_value(r.created_at) over same_whole as created_at,
    first_value(r.following) over same_whole as following,
    first_value(r.bio) over same_whole as bio,
    first_value(r.avatar_url) over same_whole as avatar_url,
    first_value(r.location) over same_whole as location,
    first_value(r.links) over same_whole as links,
    r.status_before
  from reading r where r.type <> 'AccountUnavailable'
  window same_whole as (partition by r.stream, r.whole order by r.position)
), seen as (
  select sight.*,
    lag(day) over w as day_before, lag(verified) over w as verified_before,
    lag(display_name) over w as name_before, lag(followers) over w as followers_before,
    row_number() over w as nth, row_number() over (partition by stream order by position desc) as nth_last
  from sight window w as (partition by stream order by position)
), last_reading as (
  select distinct on (stream) stream, observed_at,
    case when type = 'AccountUnavailable' then status else 'active' end as status
  from reading order by stream, position desc
), point as (
  select distinct on (stream, day) stream, day, followers from seen order by stream, day, position
), growth_samples as (
  select p.stream, l.day as last_day,
    array_agg(p.day order by p.day desc) as days, array_agg(p.followers order by p.day desc) as counts
  from point p join seen l on l.stream = p.stream and l.nth_last = 1 group by p.stream, l.day
), last as (
  select s.*, r.observed_at as read_at, r.status,
    (select s.followers - u.f from unnest(t.days, t.counts) as u(d, f) where s.day - u.d between 7 and 60
     order by u.d desc limit 1) as growth_7d,
    (select s.followers - u.f from unnest(t.days, t.counts) as u(d, f) where s.day - u.d between 30 and 60
     order by u.d desc limit 1) as growth_30d,
    (select string_agg(u.d || ':' || u.f, ',' order by u.d) from unnest(t.days, t.counts) as u(d, f)
     where u.d >= coalesce((select max(o.d) from unnest(t.days) as o(d) where t.days[1] - o.d >= 30), 0)) as growth_samples
  from seen s join last_reading r using (stream) join growth_samples t using (stream) where s.nth_last = 1
), entries_written as (
  insert into entries (platform, entry, handle, native_id, display_name, followers, following, posts, verified,
    created_at, first_seen_at, last_seen_at, observed_at, bio, avatar_url, location, links, status, previous_handles, words,
    growth_7d, growth_30d, growth_samples)
  select l.platform, l.entry, l.handle, l.native_id, l.display_name, l.followers, l.following, l.count_of_posts,
    l.verified, l.created_at, f.observed_at, l.observed_at, l.read_at, l.bio, l.avatar_url, l.location, l.links,
    l.status, '[]', ' ' || l.handle || ' ' || trim(regexp_replace(lower(l.display_name), '[^a-z0-9]+', ' ', 'g')),
    l.growth_7d, l.growth_30d, l.growth_samples
  from last l join seen f on f.stream = l.stream and f.nth = 1
), history_written as (
  insert into history (platform, entry, at, followers, following, posts, verified, handle, display_name)
  select platform, entry, observed_at, followers, following, count_of_posts, verified, handle, display_name
  from seen
  where nth = 1 or day <> day_before or verified <> verified_before or display_name <> name_before
), words_written as (
  insert into words (platform, entry, word)
  select platform, entry, w.word
  from (select platform, entry, trim(regexp_replace(lower(display_name), '[^a-z0-9]+', ' ', 'g')) as name from last) named
  cross join lateral (select unnest(string_to_array(name, ' ')) union all select ' ' || name) w(word)
), links_written as (
  insert into links (platform, entry, link)
  select distinct platform, entry, regexp_replace(regexp_replace(link, '^https?://(www\.)?', ''), '/+$', '')
  from last, jsonb_array_elements_text(links) link
), changes_written as (
  insert into changes (position, n, at, platform, handle, kind, before, after)
  select position, row_number() over (partition by position order by place) - 1, observed_at, platform, handle, kind,
    before, after
  from (
    select position, 1 as place, observed_at, platform, handle, 'discovered' as kind, null::jsonb as before,
      jsonb_build_object('id', native_id, 'handle', handle, 'status', 'active', 'verified', verified,
        'display_name', display_name, 'bio', bio, 'avatar_url', avatar_url, 'location', location, 'links', links,
        'created_at', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'pronouns', null) as after
    from seen where nth = 1
    union all
    select position, 2, observed_at, platform, handle, case when verified then 'verified' else 'unverified' end,
      to_jsonb(verified_before), to_jsonb(verified)
    from seen where verified <> verified_before
    union all
    select position, 3, observed_at, platform, handle, 'restored', to_jsonb(status_before), '"active"'
    from seen where nth > 1 and status_before in ('suspended', 'deactivated', 'absent')
    union all
    select position, 4, observed_at, platform, handle, 'profile', jsonb_build_object('display_name', name_before),
      jsonb_build_object('display_name', display_name)
    from seen where nth > 1 and display_name <> name_before
    union all
    select position, 5, observed_at, platform, handle, 'jumped', to_jsonb(followers_before), to_jsonb(followers)
    from seen where abs(followers - followers_before) >= greatest(1000, followers_before / 5.0)
    union all
    select position, 6, observed_at, platform, handle, 'suspended', to_jsonb(coalesce(status_before, 'active')),
      to_jsonb(status)
    from reading where type = 'AccountUnavailable' and status = 'suspended' and status_before is distinct from 'suspended'
  ) change
), census_written as (
  insert into status_counts (platform, status, band, n)
  select platform, status, case when followers >= 10000000 then '10m_up' when followers >= 1000000 then '1m_10m'
    when followers >= 100000 then '100k_1m' when followers >= 10000 then '10k_100k'
    when followers >= 1000 then '1k_10k' when followers >= 0 then '0_1k' else 'unknown' end, count(*)
  from last group by 1, 2, 3
)
insert into freshness (platform, slot, n)
select platform, floor(extract(epoch from observed_at) / 300), count(*) from last group by 1, 2
