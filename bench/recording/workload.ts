import { isoOf } from '../../src/kernel/clock.ts';
import { uuidV7 } from '../../src/kernel/ids.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import type { Sighting } from '../../src/write/accounts/decide.ts';
import { decideSighting, evolve, noAccount } from '../../src/write/accounts/decide.ts';
import { type AccountEvent, accountStream } from '../../src/write/accounts/events.ts';
import { type Post, UNTAGGED } from '../../src/write/accounts/post.ts';
import { MEASURABLE } from '../../src/write/accounts/profile.ts';

const BEGIN = Date.UTC(2026, 8, 1);
const HOUR = 3_600_000;
const POSTS = 8;
/** Readings of an account that are in the log. */
export const READINGS = 2;

const postOf = (account: number, n: number, reading: number): Post => ({
  id: String(1_900_000_000_000_000_000n + BigInt(account) * 1_000_003n + BigInt(n)),
  url: `https://x.com/user${account}/status/${n}`,
  at: isoOf(BEGIN + n * 6 * HOUR),
  kind: 'original',
  media: 'none',
  text: `Post ${n} of account ${account}: about as long as a post is, with a few words more to say something of it.`,
  ...UNTAGGED,
  likes: 10 + n + reading * 3,
  replies: n,
  reposts: n % 5,
  quotes: 0,
  views: 1_000 + reading * 50,
});

/** A reading of an account: followers and likes moved, and one post is new. */
export const readingOf = (account: number, reading: number): Sighting => ({
  observedAt: isoOf(BEGIN + (reading * 24 + 60) * HOUR + account),
  source: 'crawler',
  surface: 'page',
  found: {
    status: 'active',
    profile: {
      id: String(500_000_000 + account),
      handle: `user${account}`,
      display_name: `Display name ${account}`,
      followers: 1_000 + account + reading,
      following: 100,
      posts: POSTS + reading,
      verified: false,
      created_at: isoOf(Date.UTC(2015, 0, 1) + account * 60_000),
      bio: `The biography of account ${account}, which says what people say of themselves, and a little more than that.`,
      avatar_url: `https://cdn.example.net/avatars/${account}_400x400.jpg`,
      location: 'Lisbon',
      links: [`https://www.example.org/people/${account}/`],
    },
    posts: Array.from({ length: POSTS }, (_, i) => postOf(account, POSTS + reading - 1 - i, reading)),
    postOrder: 'time',
    measured: MEASURABLE,
  },
});

/** The events of an account's earlier readings, as its crawler decided them. */
const eventsOf = (account: number): readonly AccountEvent[] => {
  let state = noAccount;
  const all: AccountEvent[] = [];
  for (let reading = 0; reading < READINGS; reading++) {
    const events = decideSighting(state, readingOf(account, reading), 'x');
    state = events.reduce(evolve, state);
    all.push(...events);
  }
  return all;
};

/** Writes the readings of so many accounts of X into an empty log. */
export const fillLog = async (db: Db, accounts: number): Promise<void> => {
  let position = 0;
  for (let from = 0; from < accounts; from += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, accounts - from) }, (_, i) => from + i).flatMap(
      (account) =>
        eventsOf(account).map(({ type, data }, revision) => {
          position += 1;
          return {
            position,
            stream: accountStream('x', `user${account}`),
            revision,
            id: uuidV7(BEGIN),
            type,
            data,
          };
        }),
    );
    await db.query(
      `insert into log.events (position, stream, revision, id, type, data, metadata, recorded_at)
       select position, stream, revision, id, type, data,
         json_build_object('version', case type when 'PostsSighted' then 3 else 2 end), now()
       from unnest($1::bigint[], $2::text[], $3::bigint[], $4::uuid[], $5::text[], $6::text[]::json[])
         as e(position, stream, revision, id, type, data)`,
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
  await db.query('vacuum analyze log.events');
};
