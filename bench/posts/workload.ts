import { uuidV7 } from '../../src/kernel/ids.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { accountStream } from '../../src/write/accounts/account.ts';

const PLATFORMS: readonly Platform[] = ['x', 'instagram', 'tiktok', 'youtube', 'telegram', 'bluesky'];
/** Readings of an account, one a day, and the posts that each shows. */
export const READINGS = 12;
export const POSTS_A_READING = 20;
/** Of them new since the last reading. */
const NEW = 5;
const BEGIN = Date.UTC(2026, 8, 1);
const HOUR = 3_600_000;

const WORDS =
  'launch studio coffee train garden learned thread tomorrow weekend camera recipe river morning release friends city music paper winter signal market harbour window orange letter'.split(
    ' ',
  );

/** A number below a bound that is the same in every run. */
const drawn = (account: number, n: number, salt: number, below: number): number => {
  let h =
    Math.imul(account + 1, 0x9e3779b1) ^ Math.imul(n + 17, 0x85ebca6b) ^ Math.imul(salt + 3, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) % below;
};

const textOf = (account: number, n: number): string =>
  Array.from(
    { length: 8 + drawn(account, n, 1, 16) },
    (_, i) => WORDS[drawn(account, n, 10 + i, WORDS.length)],
  ).join(' ');

const figuresOf = (account: number, n: number, reading: number) => {
  const likes = drawn(account, n, 2, 4_000) + reading * 7;
  return { likes, replies: likes >> 4, reposts: likes >> 3, quotes: likes >> 6, views: likes * 40 + n };
};

const idOf = (account: number, n: number): string =>
  String(1_900_000_000_000_000_000n + BigInt(account) * 1_000_003n + BigInt(n) * 37_000_000_011n);

const postOf = (account: number, n: number, reading: number) => ({
  id: idOf(account, n),
  url: `https://social.example.net/user${account}/status/${idOf(account, n)}`,
  at: new Date(BEGIN + n * 4 * HOUR + drawn(account, n, 3, 3_600) * 1_000).toISOString(),
  kind: 'original',
  media: n % 3 === 0 ? 'photo' : 'none',
  text: textOf(account, n),
  ...figuresOf(account, n, reading),
});

const TAGS = { lang: 'en', hashtags: ['launch'], links: 0, mentions: [], reply_to: null, target: null };

/** Events of a reading. */
const eventsOf = (account: number, reading: number) => {
  const read = {
    observed_at: new Date(BEGIN + (reading * 24 + 100) * HOUR + account * 1_000).toISOString(),
    source: 'crawler',
    surface: 'page',
  };
  const newest = POSTS_A_READING + reading * NEW;
  const shown = Array.from({ length: POSTS_A_READING }, (_, i) => newest - 1 - i);
  const fresh = reading === 0 ? shown : shown.slice(0, NEW);
  const followers = 1_000 + drawn(account, 0, 4, 90_000) + reading;
  const profile = {
    id: String(account),
    handle: `user${account}`,
    display_name: `Name ${account}`,
    followers,
    following: 10,
    posts: newest,
    verified: false,
    created_at: null,
    bio: 'Says what people say of themselves.',
    avatar_url: null,
    location: null,
    links: [],
  };
  const seen =
    reading === 0
      ? { type: 'AccountSighted', data: { ...read, status: 'active', profile } }
      : { type: 'AccountUnchanged', data: { ...read, moved: { followers } } };
  const whole = (n: number) => postOf(account, n, reading);
  const posts = {
    ...read,
    posts: fresh.map((n) => ({ ...whole(n), ...TAGS })),
    moved: shown
      .slice(fresh.length)
      .map((n) => ({ id: idOf(account, n), ...figuresOf(account, n, reading) })),
    order: 'time',
    span: null,
  };
  return [seen, { type: 'PostsSighted', data: posts }];
};

/** Writes the workload into an empty log, in the order of time. @returns the number of posts that its events name. */
export const fillLog = async (db: Db, accounts: number): Promise<number> => {
  let position = 0;
  for (let reading = 0; reading < READINGS; reading++) {
    for (let from = 0; from < accounts; from += 500) {
      const rows = Array.from({ length: Math.min(500, accounts - from) }, (_, i) => from + i).flatMap(
        (account) =>
          eventsOf(account, reading).map((event, i) => ({
            position: ++position,
            stream: accountStream(PLATFORMS[account % PLATFORMS.length] as Platform, `user${account}`),
            revision: reading * 2 + i,
            id: uuidV7(BEGIN),
            ...event,
          })),
      );
      await db.query(
        `insert into log.events (position, stream, revision, id, type, data, metadata, recorded_at)
         select position, stream, revision, id, type, data, '{}', now() from unnest($1::bigint[], $2::text[],
           $3::bigint[], $4::uuid[], $5::text[], $6::text[]::json[]) as e(position, stream, revision, id, type, data)`,
        [
          rows.map((r) => r.position),
          rows.map((r) => r.stream),
          rows.map((r) => r.revision),
          rows.map((r) => r.id),
          rows.map((r) => r.type),
          rows.map((r) => JSON.stringify(r.data)),
        ],
      );
    }
  }
  await db.query('vacuum analyze log.events');
  return accounts * READINGS * POSTS_A_READING;
};
