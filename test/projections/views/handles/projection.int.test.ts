import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteHashes } from '../../../../src/analysis/handles.ts';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { seededRandom } from '../../../../src/kernel/random.ts';
import { activeBuild, createBuild, dropBuild } from '../../../../src/projections/builds/builds.ts';
import { verify } from '../../../../src/projections/verify.ts';
import { handles } from '../../../../src/projections/views/handles/projection.ts';
import type { AccountEvent } from '../../../../src/write/accounts/account.ts';
import { differences } from '../../../support/compare.ts';
import {
  createTestProgram,
  sighted,
  type TestProgram,
  unavailable,
  unchanged,
} from '../../../support/program.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram({ known: [handles] });
});
afterAll(() => program.close());

const hour = (n: number) => new Date(Date.UTC(2026, 9, 1) + n * 3_600_000).toISOString();

const schema = async (): Promise<string> =>
  (await activeBuild(program.database.db, handles.name, handles.version))?.schema ?? '';

/** The row of a handle, with the number of its deletions and which version of the row it is. */
const rowOf = async (handle: string, platform = 'x') => {
  await program.project();
  const of = await schema();
  const { rows } = await program.database.db.query<Record<string, unknown>>(
    `select followers::int, skeleton, has_deletes, h.xmin::text as written,
       (select count(*)::int from ${of}.deletes d where d.platform = h.platform and d.handle = h.handle) as deletes
     from ${of}.handles h where platform = $1 and handle = $2`,
    [platform, handle],
  );
  return rows[0];
};

const deletesOf = async (handle: string): Promise<readonly number[]> => {
  const { rows } = await program.database.db.query<{ hash: string }>(
    `select hash from ${await schema()}.deletes where handle = $1 order by hash`,
    [handle],
  );
  return rows.map(({ hash }) => Number(hash));
};

const record = (handle: string, ...events: AccountEvent[]) => program.append('x', handle, ...events);

describe('a handle', () => {
  it('has a skeleton once its account was sighted, and deletions from 1,000 followers on', async () => {
    await record('paypa1', sighted('paypa1', hour(1), { followers: 999 }));
    expect(await rowOf('paypa1')).toMatchObject({
      followers: 999,
      skeleton: 'paypal',
      has_deletes: false,
      deletes: 0,
    });
    await record('paypa1', unchanged(hour(2), { followers: 1_030 }));
    expect(await rowOf('paypa1')).toMatchObject({ followers: 1_030, has_deletes: true });
    expect(await deletesOf('paypa1')).toEqual(deleteHashes('paypa1').toSorted((a, b) => a - b));
  });

  it('keeps its deletions down to 800 followers, so that they do not flap', async () => {
    await record(
      'falling',
      sighted('falling', hour(1), { followers: 1_000 }),
      unchanged(hour(2), { followers: 850 }),
    );
    expect(await rowOf('falling')).toMatchObject({ followers: 850, has_deletes: true });
    await record('falling', unchanged(hour(3), { followers: 700 }));
    expect(await rowOf('falling')).toMatchObject({ followers: 700, has_deletes: false, deletes: 0 });
    await record('falling', unchanged(hour(4), { followers: 900 }));
    expect(await rowOf('falling')).toMatchObject({ followers: 900, has_deletes: false, deletes: 0 });
  });

  it('is not rewritten while its followers stay within a bin', async () => {
    await record('steady', sighted('steady', hour(1), { followers: 100_000 }));
    const before = await rowOf('steady');
    await record(
      'steady',
      unchanged(hour(2), { followers: 100_100 }),
      unchanged(hour(3), { following: 5 }),
      sighted('steady', hour(4), { followers: 100_050, display_name: 'Other' }),
    );
    expect(await rowOf('steady')).toEqual(before);
  });

  it('leaves with its account, and returns with it', async () => {
    await record('leaving', sighted('leaving', hour(1), { followers: 5_000 }));
    expect(await rowOf('leaving')).toMatchObject({ has_deletes: true });
    for (const [n, status] of (['absent', 'suspended', 'deactivated'] as const).entries()) {
      await record('leaving', unavailable(hour(2 + 2 * n), status));
      expect([await rowOf('leaving'), await deletesOf('leaving')]).toEqual([undefined, []]);
      await record('leaving', sighted('leaving', hour(3 + 2 * n), { followers: 6_000 }));
      expect(await rowOf('leaving')).toMatchObject({
        followers: 6_000,
        deletes: deleteHashes('leaving').length,
      });
    }
  });

  it('leaves after a rename once it is read again with another account', async () => {
    await record('before', sighted('before', hour(1), { id: '7', followers: 5_000 }));
    await record('after', sighted('after', hour(2), { id: '7', followers: 5_000 }));
    await record('before', unavailable(hour(3), 'absent'));
    expect([await rowOf('before'), await deletesOf('before')]).toEqual([undefined, []]);
    expect(await rowOf('after')).toMatchObject({ has_deletes: true });
  });

  it('has the followers of its new owner', async () => {
    await record('taken', sighted('taken', hour(1), { id: '1', followers: 2_000_000 }));
    expect(await rowOf('taken')).toMatchObject({ has_deletes: true });
    await record('taken', sighted('taken', hour(2), { id: '2', followers: 3 }));
    expect(await rowOf('taken')).toMatchObject({ followers: 3, has_deletes: false, deletes: 0 });
  });

  it('has neither size nor deletions while its followers are hidden', async () => {
    await record('hidden', sighted('hidden', hour(1), { followers: null }));
    expect(await rowOf('hidden')).toMatchObject({ followers: null, has_deletes: false, deletes: 0 });
  });

  it('has no deletions beyond 15 characters, without Bluesky’s shared domain', async () => {
    await program.append(
      'telegram',
      'sixteen_letters1',
      sighted('sixteen_letters1', hour(1), { followers: 5_000 }),
    );
    await program.append(
      'bluesky',
      'ada.bsky.social',
      sighted('ada.bsky.social', hour(1), { followers: 5_000 }),
    );
    expect(await rowOf('sixteen_letters1', 'telegram')).toMatchObject({ has_deletes: false, deletes: 0 });
    expect(await rowOf('ada.bsky.social', 'bluesky')).toMatchObject({
      skeleton: 'ada',
      has_deletes: true,
      deletes: 6,
    });
  });

  it('has no row for LinkedIn, or for a native id', async () => {
    const channel = `UC${'a'.repeat(22)}`;
    await program.append('linkedin', 'ada', sighted('ada', hour(1), { followers: 5_000 }));
    await program.append('youtube', channel, sighted(channel, hour(1), { followers: 5_000 }));
    expect([await rowOf('ada', 'linkedin'), await rowOf(channel, 'youtube')]).toEqual([undefined, undefined]);
  });
});

it('rows are the same in any order of streams, and equal a rebuild', async () => {
  const random = seededRandom(3);
  for (let n = 0; n < 60; n++) {
    const handle = `random${n % 12}`;
    const followers = Math.round(10 ** (1 + 4 * random.next()));
    const at = hour(100 + n);
    await record(
      handle,
      random.next() < 0.25
        ? unavailable(at, 'absent')
        : random.next() < 0.5
          ? unchanged(at, { followers })
          : sighted(handle, at, { id: String(random.int(3)), followers }),
    );
  }
  await program.project();
  const { db } = program.database;
  const events = [];
  for await (const page of program.log.readAll(0n, { types: handles.types })) events.push(...page.events);
  const streams = [...Map.groupBy(events, ({ stream }) => stream).values()];
  for (const [order, size] of [
    [streams, 1],
    [streams.toReversed(), 4],
    [[events], 1_000],
  ] as const) {
    const build = await createBuild(db, handles, 'building');
    const fold = handles.open(build.schema);
    for (const stream of order)
      for (let from = 0; from < stream.length; from += size) {
        const some = stream.slice(from, from + size);
        await fold.load(db, some);
        for (const event of some) fold.apply(event);
        await fold.store(db);
      }
    const found = await differences(db, await schema(), build.schema);
    // Only the checkpoint was not moved.
    expect(found.filter((line) => !line.includes('checkpoint'))).toEqual([]);
    await dropBuild(db, build.schema);
  }
  const { signal } = new AbortController();
  const verified = await verify(handles, { db, log: program.log, logger: silentLogger, signal, max: 5 });
  expect(verified).toMatchObject({ different: 0 });
  expect(verified.equal).toBeGreaterThan(100);
});
