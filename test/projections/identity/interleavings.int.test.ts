import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/kernel/random.ts';
import { createBuild, dropBuild } from '../../../src/projections/builds/builds.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { decodeDigest } from '../../../src/projections/views/posts/digest.ts';
import { posts } from '../../../src/projections/views/posts/projection.ts';
import { openWriter } from '../../../src/projections/writer.ts';
import type { AccountEvent } from '../../../src/write/accounts/account.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { posted, sighted } from '../../support/program.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 0, minute)).toISOString();

/** Streams by handle, each in order. */
type Streams = Readonly<Record<string, readonly AccountEvent[]>>;

/** A random order of all events that keeps that of each stream. */
const interleaved = (random: Random, streams: Streams): RecordedEvent[] => {
  const rest = Object.entries(streams).map(([handle, events]) => ({
    handle,
    events: [...events],
    revision: 0n,
  }));
  const all: RecordedEvent[] = [];
  while (rest.some(({ events }) => events.length > 0)) {
    const stream = rest[random.int(rest.length)] as (typeof rest)[number];
    const event = stream.events.shift();
    if (event === undefined) continue;
    all.push({
      ...event,
      id: crypto.randomUUID(),
      stream: `account-x:${stream.handle}`,
      revision: stream.revision,
      position: BigInt(all.length + 1),
      metadata: {},
      recorded_at: at(0),
    });
    stream.revision += 1n;
  }
  return all;
};

const foldInto = async (projection: typeof directory, events: readonly RecordedEvent[]): Promise<string> => {
  const { schema } = await createBuild(database.db, projection, 'building');
  const writer = await openWriter(database.db, projection, schema);
  const wanted = events.filter(({ type }) => (projection.types as readonly string[]).includes(type));
  await writer.write({ events: wanted, endPosition: BigInt(events.length) });
  return schema;
};

/** Who has which handle, and whose posts are recorded under it. */
const settled = async (events: readonly RecordedEvent[]) => {
  const entries = await foldInto(directory, events);
  const digests = await foldInto(posts, events);
  const owners = await database.db.query<{ handle: string; native_id: string }>(
    `select handle, native_id from ${entries}.entries where handle is not null order by 1`,
  );
  const recorded = await database.db.query<{ handle: string; native_id: string; digest: Buffer }>(
    `select handle, native_id, digest from ${digests}.accounts order by 1`,
  );
  for (const schema of [entries, digests]) await dropBuild(database.db, schema);
  return {
    owners: owners.rows.map(({ handle, native_id }) => [handle, native_id]),
    posts: recorded.rows.map(({ handle, native_id, digest }) => [
      handle,
      native_id,
      decodeDigest(digest).posts.map(({ id }) => id),
    ]),
  };
};

const sight = (handle: string, minute: number, id: string) => [
  sighted(handle, at(minute), { id }),
  posted(at(minute), { id: `of${id}at${minute}`, at: at(minute - 1) }),
];

const STORIES: Readonly<
  Record<string, { readonly streams: Streams; readonly owners: readonly (readonly string[])[] }>
> = {
  'a rename': {
    streams: { old: sight('old', 1, '1'), new: [...sight('new', 5, '1'), ...sight('new', 9, '1')] },
    owners: [['new', '1']],
  },
  'a takeover after a rename': {
    streams: {
      wanted: [...sight('wanted', 1, '1'), ...sight('wanted', 7, '2')],
      moved: sight('moved', 4, '1'),
    },
    owners: [
      ['moved', '1'],
      ['wanted', '2'],
    ],
  },
  'two accounts that swap their handles': {
    streams: {
      a: [...sight('a', 1, '1'), ...sight('a', 6, '2')],
      b: [...sight('b', 2, '2'), ...sight('b', 7, '1')],
    },
    owners: [
      ['a', '2'],
      ['b', '1'],
    ],
  },
  'an account that is renamed twice, and whose first handle is taken over twice': {
    streams: {
      a: [...sight('a', 1, '1'), ...sight('a', 8, '2'), ...sight('a', 12, '3')],
      b: sight('b', 4, '1'),
      c: [...sight('c', 6, '1'), ...sight('c', 11, '1')],
    },
    owners: [
      ['a', '3'],
      ['c', '1'],
    ],
  },
};

describe.for(Object.entries(STORIES))('%s', ([, { streams, owners }]) => {
  it('settles alike in any order of streams, and each handle has only its owner’s posts', {
    tags: 'long',
  }, async () => {
    const random = seededRandom(5);
    const handles = Object.keys(streams).sort();
    for (let n = 0; n < 12; n++) {
      const found = await settled(interleaved(random, streams));
      expect(found.owners).toEqual(owners);
      expect(found.posts.map(([handle]) => handle)).toEqual(handles);
      for (const [, id, shown] of found.posts) {
        for (const post of shown as string[]) expect(post.startsWith(`of${id}at`)).toBe(true);
      }
    }
  });
});
