import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binOf } from '../../../../src/kernel/log-bins.ts';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { inTransaction } from '../../../../src/kernel/postgres/pool.ts';
import { seededRandom } from '../../../../src/kernel/random.ts';
import { sizeBandOf } from '../../../../src/kernel/size-bands.ts';
import { activeBuild, createBuild } from '../../../../src/projections/builds/builds.ts';
import type { AppliedEvent } from '../../../../src/projections/projection.ts';
import { verify } from '../../../../src/projections/verify.ts';
import { encodeDigest } from '../../../../src/projections/views/posts/digest.ts';
import { posts } from '../../../../src/projections/views/posts/projection.ts';
import type { AccountEvent } from '../../../../src/write/accounts/account.ts';
import { differences } from '../../../support/compare.ts';
import { anyDigest } from '../../../support/generated-digest.ts';
import { postHistory } from '../../../support/generated-posts.ts';
import {
  createTestProgram,
  posted,
  sighted,
  type TestProgram,
  unavailable,
  unchanged,
} from '../../../support/program.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram({ known: [posts] });
});
afterAll(() => program.close());

const schema = async (): Promise<string> =>
  (await activeBuild(program.database.db, posts.name, posts.version))?.schema ?? '';

const hour = (n: number) => new Date(Date.UTC(2026, 9, 1) + n * 3_600_000).toISOString();

const digestOf = async (handle: string): Promise<readonly string[]> => {
  const { rows } = await program.database.db.query<{ id: string }>(
    `select id from ${await schema()}.figures where platform = 'x' and handle = $1`,
    [handle],
  );
  return rows.map(({ id }) => id);
};

const storedOf = async (handle: string): Promise<readonly string[]> => {
  const { rows } = await program.database.db.query<{ id: string }>(
    `select id from ${await schema()}.contents where platform = 'x' and handle = $1`,
    [handle],
  );
  return rows.map(({ id }) => id);
};

/** Bins of a figure with their counts, of X. */
const counts = async (metric: string): Promise<readonly (readonly [number, number, number])[]> => {
  const { rows } = await program.database.db.query<{ band: number; bin: number; n: string }>(
    `select band, bin, n from ${await schema()}.figure_counts where platform = 'x' and metric = $1 order by 1, 2`,
    [metric],
  );
  return rows.map(({ band, bin, n }) => [band, bin, Number(n)]);
};

/** Ten posts that are days old, each with as many likes and views. */
const ten = (likes: number, views: number | null = null) =>
  Array.from({ length: 10 }, (_, i) => ({ id: `t${i}`, at: hour(i), likes, views }));

describe('the view of posts', () => {
  it('equals a rebuild after long histories, in pages of any size', { tags: 'long' }, async () => {
    for (const [n, handle] of ['long', 'longer', 'brief'].entries()) {
      const events = [...postHistory(seededRandom(n + 1), 120 * (n + 1), 24 >> n)];
      for (let from = 0; from < events.length; from += 50) {
        await program.append('x', handle, ...events.slice(from, from + 50));
        if (from % 150 === 0) await program.project();
      }
    }
    await program.project();
    expect((await storedOf('longer')).length).toBeGreaterThan(500);
    const found = await verify(posts, {
      db: program.database.db,
      log: program.log,
      logger: silentLogger,
      signal: new AbortController().signal,
      max: 10,
    });
    expect(found).toMatchObject({ different: 0, differences: [], tables: 6 });
    expect(found.equal).toBeGreaterThan(20);
  });

  it('starts from scratch when a whole reading shows another owner of the handle', async () => {
    await program.append(
      'x',
      'taken',
      sighted('taken', hour(1), { id: '1' }),
      posted(hour(1), { id: 'a', at: hour(0) }),
    );
    await program.append(
      'x',
      'taken',
      sighted('taken', hour(2), { id: '2' }),
      posted(hour(2), { id: 'b', at: hour(1) }),
    );
    await program.project();
    expect([await digestOf('taken'), await storedOf('taken')]).toEqual([['b'], ['b']]);
  });

  it('treats a handle found unused as taken over if no reading shows an ID', async () => {
    const without = (handle: string, between: AccountEvent) =>
      program.append(
        'x',
        handle,
        sighted(handle, hour(1)),
        posted(hour(1), { id: 'a', at: hour(0) }),
        between,
        sighted(handle, hour(3)),
        posted(hour(3), { id: 'b', at: hour(2) }),
      );
    await without('left', unavailable(hour(2), 'absent'));
    await without('back', unavailable(hour(2), 'suspended'));
    await program.project();
    expect(await digestOf('left')).toEqual(['b']);
    expect(await digestOf('back')).toEqual(['a', 'b']);
  });

  it('keeps the posts of an account whose ID a surface shows late, or hides once', async () => {
    await program.append(
      'x',
      'late',
      sighted('late', hour(1)),
      posted(hour(1), { id: 'a', at: hour(0) }),
      sighted('late', hour(2), { id: '7' }),
      sighted('late', hour(3)),
      sighted('late', hour(4), { id: '7' }),
      posted(hour(4), { id: 'b', at: hour(3) }),
    );
    await program.project();
    expect(await digestOf('late')).toEqual(['a', 'b']);
  });
});

describe('distributions of figures', () => {
  it('count an account once, with its last figures, until it is gone', async () => {
    await program.append(
      'x',
      'counted',
      sighted('counted', hour(100), { followers: 12_345 }),
      posted(hour(100), ...ten(50, 1_000)),
    );
    const band = sizeBandOf(12_345);
    const inBand = async (metric: string) => (await counts(metric)).filter((row) => row[0] === band);
    await program.project();
    expect(await inBand('followers')).toEqual([[band, binOf(12_345), 1]]);
    expect(await inBand('median_likes')).toEqual([[band, binOf(50), 1]]);
    expect(await inBand('engagement_rate_followers')).toEqual([[band, binOf(50 / 12_345), 1]]);
    expect(await inBand('engagement_rate_views')).toEqual([[band, binOf(50 / 1_000), 1]]);
    await program.append(
      'x',
      'counted',
      posted(hour(110), ...ten(80)),
      unchanged(hour(111), { followers: 40_000 }),
    );
    await program.project();
    expect(await inBand('followers')).toEqual([[band, binOf(40_000), 1]]);
    expect(await inBand('median_likes')).toEqual([[band, binOf(80), 1]]);
    // What a reading does not show stays as it is known.
    expect(await inBand('median_views')).toEqual([[band, binOf(1_000), 1]]);
    await program.append('x', 'counted', unavailable(hour(120), 'suspended'));
    await program.project();
    expect(await inBand('followers')).toEqual([]);
    await program.append('x', 'counted', unchanged(hour(130)));
    await program.project();
    expect(await inBand('followers')).toEqual([[band, binOf(40_000), 1]]);
  });

  it('are the same for partitions folded side by side, without deadlocks', async () => {
    const { db } = program.database;
    const [together, apart] = [
      await createBuild(db, posts, 'building'),
      await createBuild(db, posts, 'building'),
    ];
    const random = seededRandom(9);
    const streams = Array.from({ length: 40 }, (_, n) => `account-x:side${n}`);
    const eventsOf = (stream: string, round: number): AppliedEvent[] =>
      [
        sighted(stream, hour(100 + round), { followers: 100 * (1 + random.int(30)) }),
        posted(hour(100 + round), ...ten(random.int(40))),
      ].map((event, i) => ({
        ...event,
        id: '',
        stream,
        revision: BigInt(2 * round + i),
        position: BigInt(round),
        metadata: {},
        recorded_at: hour(0),
      }));
    const rounds = Array.from({ length: 12 }, (_, round) => streams.map((stream) => eventsOf(stream, round)));
    const writing = async (to: string, mine: (n: number) => boolean) => {
      const fold = posts.open(to);
      for (const round of rounds) {
        const events = round.filter((_, n) => mine(n)).flat();
        await inTransaction(db, async (client) => {
          await fold.load(client, events);
          for (const event of events) fold.apply(event);
          await fold.store(client);
        });
      }
    };
    await writing(together.schema, () => true);
    await Promise.all([0, 1, 2].map((part) => writing(apart.schema, (n) => n % 3 === part)));
    expect(await differences(db, together.schema, apart.schema)).toEqual([]);
  });
});

const msOf = (at: string | null): number | null => (at === null ? null : Date.parse(at));

it('a digest is read by SQL as by the program', async () => {
  const { db } = program.database;
  const name = await schema();
  await fc.assert(
    fc.asyncProperty(anyDigest, async (digest) => {
      const { rows } = await db.query(`select * from ${name}.digest_posts($1)`, [encodeDigest(digest)]);
      const found = rows.map((row) => ({
        id: row.id,
        atMs: msOf(row.at),
        kind: row.kind,
        media: row.media,
        observedMs: msOf(row.observed_at),
        isOrdered: row.is_ordered,
        ...Object.fromEntries(
          ['followers', 'likes', 'replies', 'reposts', 'quotes', 'views'].map((of) => [
            of,
            row[of] === null ? null : Number(row[of]),
          ]),
        ),
        length: row.length,
        hashtags: row.hashtags,
        links: row.links,
        mentions: row.mentions,
      }));
      expect(found).toEqual(digest.posts.map(({ textHash: _, ...post }) => post));
    }),
    { numRuns: 60 },
  );
});
