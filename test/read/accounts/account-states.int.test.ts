import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import type { Platform } from '../../../src/kernel/platform.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { activeBuild, createBuild, dropBuild } from '../../../src/projections/builds/builds.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { posts } from '../../../src/projections/views/posts/projection.ts';
import { openWriter } from '../../../src/projections/writer.ts';
import { createAccountStates } from '../../../src/read/accounts.ts';
import {
  type AccountEvent,
  type AccountState,
  accountOf,
  accountStream,
  evolve,
  noAccount,
  recordSighting,
  type Sighting,
  withSnapshotCache,
} from '../../../src/write/accounts/account.ts';
import type { Post } from '../../../src/write/accounts/post.ts';
import { emptyProfile, MEASURABLE } from '../../../src/write/accounts/profile.ts';
import type { EventLog } from '../../../src/write/log/port.ts';
import { live } from '../../support/generated-histories.ts';
import { postHistory } from '../../support/generated-posts.ts';
import { createTestProgram, posted, sighted, type TestProgram, unchanged } from '../../support/program.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram({ known: [accounts, posts] });
});
afterAll(() => program.close());

const hour = (n: number) => new Date(Date.UTC(2026, 9, 1) + n * 3_600_000).toISOString();
const find = (platform: Platform, handle: string) =>
  createAccountStates(program.database.db, program.builds, silentLogger).find(platform, handle);

/** The state that the whole stream folds to. */
const foldedOf = async (stream: string): Promise<{ state: AccountState; revision: bigint | undefined }> => {
  const events = await program.log.readStream(stream);
  const state = (events as unknown as readonly AccountEvent[]).reduce(evolve, noAccount);
  return { state, revision: events.at(-1)?.revision };
};

/** A log that counts the bytes of the events read from streams. */
const counting = (inner: EventLog) => {
  const counted = { bytes: 0, reads: 0 };
  const log: EventLog = {
    ...inner,
    readStream: async (stream, options) => {
      const events = await inner.readStream(stream, options);
      counted.reads += 1;
      counted.bytes += events.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
      return events;
    },
  };
  return { log, counted };
};

const postOf = (n: number, likes: number): Post =>
  ({
    ...(
      posted(hour(0), { id: `p${n}`, at: hour(n - 500), text: `Post ${n}`, likes }).data as { posts: Post[] }
    ).posts[0],
  }) as Post;

const sees = (n: number, handle: string, likes: number): Sighting => ({
  observedAt: hour(n),
  source: 'crawler',
  surface: 'page',
  found: {
    status: 'active',
    profile: {
      ...emptyProfile(handle),
      id: handle,
      followers: 100 + n,
      bio: 'Says what people say of themselves',
    },
    posts: Array.from({ length: 20 }, (_, i) => postOf(i + n, likes)),
    measured: MEASURABLE,
  },
});

describe('an account’s state from the read models', () => {
  it('equals the fold of its whole stream', async () => {
    await live(program.log, 11, 1_200);
    for (const [n, handle] of ['some', 'more'].entries()) {
      for (const event of postHistory(seededRandom(70 + n), 30)) await program.append('x', handle, event);
    }
    await program.project();
    const { rows } = await program.database.db.query<{ stream: string }>(
      `select distinct stream from log.events where stream like 'account-%'`,
    );
    let found = 0;
    for (const { stream } of rows) {
      const { platform, handle } = accountOf(stream);
      const snapshot = await find(platform, handle);
      const folded = await foldedOf(stream);
      if (snapshot === null) continue;
      found += 1;
      expect({ ...snapshot.state, posts: [...snapshot.state.posts.byId] }, stream).toEqual({
        ...folded.state,
        posts: [...folded.state.posts.byId],
      });
      expect(snapshot.state.posts.span).toEqual(folded.state.posts.span);
      expect(snapshot.revision).toBe(folded.revision);
    }
    expect(found).toBeGreaterThan(0.9 * rows.length);
  });

  it('is unknown while one read model lacks what the other has', async () => {
    const apart = await createTestProgram({ known: [accounts, posts] });
    const { db } = apart.database;
    const states = createAccountStates(db, apart.builds, silentLogger);
    const only = async (projection: Projection) => {
      const active = await activeBuild(db, projection.name, projection.version);
      const writer = await openWriter(db, projection, active?.schema ?? '');
      for await (const page of apart.log.readAll(writer.position(), { types: projection.types })) {
        await writer.write(page);
      }
    };
    const revision = async () => (await states.find('x', 'ann'))?.revision;
    await apart.append('x', 'ann', sighted('ann', hour(1), { id: '1' }), posted(hour(1), { id: 'a' }));
    await only(accounts);
    expect(await revision()).toBeUndefined();
    await only(posts);
    expect(await revision()).toBe(1n);
    await apart.append('x', 'ann', unchanged(hour(2)), posted(hour(2), { id: 'b' }), unchanged(hour(3)));
    await only(accounts);
    expect(await revision()).toBeUndefined();
    await only(posts);
    expect(await revision()).toBe(4n);
    const twice = [4, 5].flatMap((n) => [unchanged(hour(n)), posted(hour(n), { id: `c${n}` })]);
    await apart.append('x', 'ann', ...twice);
    await only(posts);
    expect(await revision()).toBeUndefined();
    await only(accounts);
    expect(await revision()).toBe(8n);
    expect([...((await states.find('x', 'ann'))?.state.posts.byId.keys() ?? [])]).toEqual([
      'a',
      'b',
      'c4',
      'c5',
    ]);
    await apart.close();
  });
});

describe('a refresh', () => {
  it('reads nothing of the log for a known account, and decides as from its stream', async () => {
    const { log, counted } = counting(program.log);
    for (let n = 0; n < 6; n++) {
      await recordSighting(program.log, 'x', 'plain', sees(n, 'plain', n), { nowMs: n });
      counted.bytes = 0;
      const snapshots = withSnapshotCache(
        createAccountStates(program.database.db, program.builds, silentLogger),
      );
      await recordSighting(log, 'x', 'quick', sees(n, 'quick', n), { nowMs: n, snapshots });
      await program.project();
      if (n > 0) expect(counted.bytes).toBe(0);
    }
    const eventsOf = async (handle: string) =>
      (await program.log.readStream(accountStream('x', handle))).map(({ type, data }) =>
        JSON.parse(JSON.stringify({ type, data }).replaceAll(handle, 'same')),
      );
    expect(await eventsOf('quick')).toEqual(await eventsOf('plain'));
  });

  it('reads nothing of the log for who has the handle of an erased account', async () => {
    const source = createAccountStates(program.database.db, program.builds, silentLogger);
    await program.append('x', 'heired', sighted('heired', hour(0), { id: 'gone' }));
    await program.append('x', 'heired', posted(hour(0), { id: 'lost', likes: 1 }));
    await recordSighting(program.log, 'x', 'heired', sees(1, 'heired', 0), { nowMs: 1 });
    const erased = { at: hour(2), subject: 'a digest', from: 0, through: 1, since: hour(1), is_first: true };
    const event = { id: uuidV7(2), type: 'AccountErased', data: erased };
    await program.log.append(accountStream('x', 'heired'), [event], 'any');
    await program.project();
    for (let n = 3; n < 6; n++) {
      const { log, counted } = counting(program.log);
      const snapshots = withSnapshotCache(source);
      await recordSighting(log, 'x', 'heired', sees(n, 'heired', 0), { nowMs: n, snapshots });
      expect(counted.reads, `reading ${n}`).toBe(0);
      await program.project();
    }
  });

  it('reads only later events if its row is behind', async () => {
    await recordSighting(program.log, 'x', 'behind', sees(0, 'behind', 0), { nowMs: 0 });
    await program.project();
    const source = createAccountStates(program.database.db, program.builds, silentLogger);
    await recordSighting(program.log, 'x', 'behind', sees(1, 'behind', 0), { nowMs: 1 });
    const { log, counted } = counting(program.log);
    await recordSighting(log, 'x', 'behind', sees(2, 'behind', 0), {
      nowMs: 2,
      snapshots: withSnapshotCache(source),
    });
    expect(counted.reads).toBe(1);
    expect(counted.bytes).toBeGreaterThan(0);
    expect(counted.bytes).toBeLessThan(1_000);
  });

  it('records each sighting’s effect once if two processes refresh at once', async () => {
    await recordSighting(program.log, 'x', 'raced', sees(0, 'raced', 0), { nowMs: 0 });
    await program.project();
    const process = () =>
      withSnapshotCache(createAccountStates(program.database.db, program.builds, silentLogger));
    const [one, other] = [process(), process()];
    for (let n = 1; n <= 12; n++) {
      await Promise.all(
        [one, other, other].map((snapshots) =>
          recordSighting(program.log, 'x', 'raced', sees(n, 'raced', n), { nowMs: n, snapshots }),
        ),
      );
      if (n % 5 === 0) await program.project();
    }
    const events = await program.log.readStream(accountStream('x', 'raced'));
    const observed = events
      .filter(({ type }) => type !== 'PostsSighted')
      .map(({ data }) => (data as { observed_at: string }).observed_at);
    expect(observed).toEqual(Array.from({ length: 13 }, (_, n) => hour(n)));
    const shown = events.flatMap(({ type, data }) =>
      type === 'PostsSighted' ? (data as { posts: Post[] }).posts.map(({ id }) => id) : [],
    );
    expect(new Set(shown).size).toBe(shown.length);
  });

  it('uses the stream when the build is gone', async () => {
    const { db } = program.database;
    await recordSighting(program.log, 'x', 'gone', sees(0, 'gone', 0), { nowMs: 0 });
    await program.project();
    const gone = await createBuild(db, posts, 'building');
    await dropBuild(db, gone.schema);
    const builds = {
      ...program.builds,
      schema: (name: string) => (name === 'posts' ? gone.schema : program.builds.schema(name)),
    };
    const snapshots = withSnapshotCache(createAccountStates(db, builds, silentLogger));
    const { events } = await recordSighting(program.log, 'x', 'gone', sees(1, 'gone', 0), {
      nowMs: 1,
      snapshots,
    });
    expect(events.map(({ type }) => type)).toEqual(['AccountUnchanged', 'PostsSighted']);
  });
});

it('an unreadable row costs the snapshot, not the reading, and is logged', async () => {
  const { db } = program.database;
  await program.append(
    'x',
    'broken',
    sighted('broken', hour(0), { id: '9001' }),
    posted(hour(0), { id: 'b1' }),
  );
  await program.project();
  await db.query(
    `update ${program.builds.schema('posts')}.accounts set digest = '\\x7f' where handle = 'broken'`,
  );
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) });
  const states = createAccountStates(db, program.builds, logger);
  expect(await states.find('x', 'broken')).toBeNull();
  expect(lines).toEqual(['account state unavailable; reading the stream']);
});
