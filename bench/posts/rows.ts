import type { Db } from '../../src/kernel/postgres/pool.ts';

const TABLE = `
  create table rows.posts (
    stream text collate "C" not null, post text collate "C" not null, url text, at timestamptz, kind text, media text,
    text text, lang text, hashtags jsonb, likes bigint, replies bigint, reposts bigint, quotes bigint, views bigint,
    observed_at timestamptz not null, primary key (stream, post)
  );
  create index on rows.posts (stream, coalesce(at, '-infinity') desc, post desc)`;

/** New and repeated posts of a page of the log, then its moved figures; the last event of a post in the page wins. */
const WHOLE = `
  insert into rows.posts
  select distinct on (e.stream, p.id) e.stream, p.id, p.url, p.at, p.kind, p.media, p.text, p.lang, p.hashtags, p.likes,
    p.replies, p.reposts, p.quotes, p.views, (e.data ->> 'observed_at')::timestamptz
  from log.events e, json_to_recordset(e.data -> 'posts') as p(id text, url text, at timestamptz, kind text, media text,
    text text, lang text, hashtags jsonb, likes bigint, replies bigint, reposts bigint, quotes bigint, views bigint)
  where e.type = 'PostsSighted' and e.position > $1 and e.position <= $2
  order by e.stream, p.id, e.position desc
  on conflict (stream, post) do update set likes = excluded.likes, replies = excluded.replies,
    reposts = excluded.reposts, quotes = excluded.quotes, views = excluded.views, observed_at = excluded.observed_at`;

const MOVED = `
  update rows.posts r set likes = m.likes, replies = m.replies, reposts = m.reposts, quotes = m.quotes, views = m.views,
    observed_at = m.observed_at
  from (
    select distinct on (e.stream, p.id) e.stream, p.*, (e.data ->> 'observed_at')::timestamptz as observed_at
    from log.events e, json_to_recordset(e.data -> 'moved') as p(id text, likes bigint, replies bigint, reposts bigint,
      quotes bigint, views bigint)
    where e.type = 'PostsSighted' and e.position > $1 and e.position <= $2
    order by e.stream, p.id, e.position desc
  ) m where r.stream = m.stream and r.post = m.id`;

/**
 * Milliseconds of the same posts as rows of a table, by two statements a page inside the server: what a projection
 * without packing, retention and figures would do at best.
 */
export const foldAsRows = async (db: Db, pageSize: number): Promise<number> => {
  await db.query('drop schema if exists rows cascade');
  await db.query('create schema rows');
  await db.query(TABLE);
  const { rows } = await db.query<{ head: number }>('select max(position)::int as head from log.events');
  const head = rows[0]?.head ?? 0;
  const began = performance.now();
  for (let from = 0; from < head; from += pageSize) {
    const client = await db.connect();
    try {
      await client.query('begin');
      for (const text of [WHOLE, MOVED]) await client.query({ text, values: [from, from + pageSize] });
      await client.query('commit');
    } finally {
      client.release();
    }
  }
  await db.query('analyze rows.posts');
  return performance.now() - began;
};
