import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { saveBackup } from '../../../src/operations/backup/backup.ts';
import { copyProjection } from '../../../src/operations/projections/builds.ts';
import { applyRetention } from '../../../src/operations/subjects/retention.ts';
import { type Found, searchTables } from '../../../src/operations/subjects/subjects.ts';
import { listBuilds } from '../../../src/projections/builds/builds.ts';
import { projections } from '../../../src/projections/registry.ts';
import type { Runtime } from '../../../src/runtime/open-runtime.ts';
import { archiveEvents } from '../../../src/write/log/archive.ts';
import { openArchiveStore } from '../../../src/write/log/archive-store.ts';
import { RETENTION_STREAM } from '../../../src/write/upkeep.ts';
import { posted, sighted, unavailable, unchanged } from '../../support/program.ts';
import {
  account,
  ada,
  closeRuntime,
  closeSubjectRuntimes,
  differencesOf,
  dying,
  endInEachPart,
  fill,
  OPTIONS,
  openSubjectRuntime,
  projected,
} from '../../support/subjects.ts';

/** Views that may hold an account. */
const HOLDING = projections.flatMap(({ name, forgets }) => (forgets === 'no accounts' ? [] : [name]));

/** What only the account's own readings say. */
const SAID = ['canaryname', 'biocanary', 'linkcanary', 'picturecanary', 'postcanary'];

/** Long before now, whenever that is. */
const long = (minute: number) => new Date(Date.UTC(2020, 0, 1, 0, minute)).toISOString();

/** Tables that hold one of the texts, but for listings, which are said by others. */
const holding = async ({ db }: Runtime, texts: readonly string[]): Promise<readonly string[]> => {
  const found: readonly Found[] = await searchTables(db, { platform: 'x', nativeId: null, handles: texts });
  return found.map(({ table }) => table).filter((table) => !table.startsWith('listings'));
};

const expectRebuilt = async (runtime: Runtime): Promise<void> => {
  await projected(runtime);
  for (const name of HOLDING) expect(await differencesOf(runtime, name), name).toEqual([]);
};

/** Lets all that is recorded be recorded long ago. */
const age = async ({ db }: Runtime): Promise<void> => {
  await db.query(sql`update log.events set recorded_at = recorded_at - interval '400 days'
    where recorded_at > now() - interval '300 days'`);
};

const endedRuns = async ({ log }: Runtime) =>
  (await log.readStream(RETENTION_STREAM)).filter(({ type }) => type === 'RetentionApplied');

/** Ada under two names, absent since long ago; and others who are not. */
const absentAda = async (runtime: Runtime, isArchived = false): Promise<void> => {
  await account(runtime, 'x', 'ada_before', sighted('ada_before', long(1), ada));
  await account(
    runtime,
    'x',
    'ada_canary',
    sighted('ada_canary', long(3), ada),
    posted(long(4), { id: '1', text: 'a postcanary', at: long(3) }),
    unchanged(long(5), { followers: 5_200 }),
  );
  // Her former handle belongs to somebody else now.
  await account(
    runtime,
    'x',
    'ada_before',
    sighted('ada_before', long(6), { id: '42', display_name: 'Another' }),
    posted(long(7), { id: '9', text: 'of another', at: long(7) }),
  );
  await runtime.log.append(
    'follows-x:ada_canary',
    [
      {
        id: '01a20253-e8b7-7fbe-97e0-f6d430ff7aaa',
        type: 'FollowsSighted',
        data: {
          source: 'crawler',
          surface: 'page',
          observed_at: long(8),
          direction: 'followers',
          owner: ada.id,
          sweep: '01a20253-e8b7-7fbe-97e0-f6d430ff7813',
          page: 0,
          members: [{ id: '7', handle: 'followercanary' }],
          order: 'newest_first',
          done: true,
          capped: false,
        },
      },
    ],
    'any',
  );
  // One who goes on under another handle is not absent, and neither is one who was suspended until lately.
  await account(
    runtime,
    'x',
    'moved_from',
    sighted('moved_from', long(1), { id: '50', bio: 'keptmover' }),
    unavailable(long(9), 'absent'),
  );
  await account(runtime, 'x', 'moved_to', sighted('moved_to', long(2), { id: '50', bio: 'keptmover' }));
  await account(
    runtime,
    'x',
    'suspended',
    sighted('suspended', long(1), { id: '51', bio: 'keptsuspended' }),
    unavailable(long(9), 'suspended'),
  );
  await account(
    runtime,
    'telegram',
    'slug_canary',
    sighted('slug_canary', long(1), { id: null, bio: 'telegrambiocanary' }),
    unavailable(long(9), 'absent'),
  );
  await account(runtime, 'x', 'ada_canary', unavailable(long(9), 'absent'));
  if (isArchived) return;
  await account(
    runtime,
    'x',
    'lately',
    sighted('lately', long(1), { id: '52', bio: 'keptlately' }),
    unavailable(new Date().toISOString(), 'absent'),
  );
  await account(runtime, 'x', 'suspended', unavailable(new Date(Date.now() - 5_000).toISOString(), 'absent'));
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-retention-'));
});
afterAll(async () => {
  await closeSubjectRuntimes();
  await rm(folder, { recursive: true });
});

const GONE = [...SAID, 'followercanary', 'telegrambiocanary'];

describe('an account that is long absent', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await openSubjectRuntime();
    await absentAda(runtime);
    await projected(runtime);
    await saveBackup(runtime, join(folder, 'before'), {
      signal: OPTIONS.signal,
      onProgress: () => undefined,
    });
    await copyProjection(runtime, 'directory', { into: 'directory_then' }, OPTIONS);
    expect(await holding(runtime, GONE)).toContainEqual(expect.stringMatching(/^directory_then\./));
    expect(await applyRetention(runtime, OPTIONS)).toBe(6);
  });

  it('is in no table any more, under none of its names, while all others stay', {
    tags: 'long',
  }, async () => {
    expect(await holding(runtime, GONE)).toEqual([]);
    for (const kept of ['keptmover', 'keptlately', 'keptsuspended', 'of another'])
      expect(await holding(runtime, [kept]), kept).toContain('log.events');
  });

  it('is in no backup that continues one from before: that one has to be made anew', {
    tags: 'long',
  }, async () => {
    const since = join(folder, 'before');
    const options = { since, signal: OPTIONS.signal, onProgress: () => undefined };
    await expect(saveBackup(runtime, join(folder, 'after'), options)).rejects.toMatchObject({
      code: 'backup_incompatible',
    });
  });

  it('leaves read models as a rebuild makes them, and is read again when it returns', {
    tags: 'long',
  }, async () => {
    await expectRebuilt(runtime);
    await account(runtime, 'x', 'ada_canary', sighted('ada_canary', new Date().toISOString(), ada));
    await expectRebuilt(runtime);
    expect(await holding(runtime, ['biocanary'])).toContain('log.events');
    expect(await applyRetention(runtime, OPTIONS)).toBe(null);
  });
});

describe('what was read too long ago', () => {
  const kept = async (setting: string): Promise<Runtime> => {
    const runtime = await openSubjectRuntime({ [setting]: '365' });
    await fill(runtime);
    await account(runtime, 'x', 'friend', sighted('friend', long(1), { id: '7', bio: 'too old' }));
    await account(runtime, 'x', 'changed', sighted('changed', long(1), { id: '8', bio: 'oldcanary' }));
    await account(runtime, 'x', 'changed', unchanged(long(2), { followers: 77_001 }));
    await account(runtime, 'x', 'changed', sighted('changed', long(3), { id: '8', bio: 'newcanary' }));
    await account(runtime, 'x', 'changed', unchanged(long(4), { followers: 77_002 }));
    await age(runtime);
    await account(runtime, 'x', 'changed', posted(new Date().toISOString(), { id: '3', text: 'newpost' }));
    await projected(runtime);
    expect(await applyRetention(runtime, OPTIONS)).toBeGreaterThan(0);
    await expectRebuilt(runtime);
    return runtime;
  };

  it('is gone of posts, and of nothing else', { tags: 'long' }, async () => {
    const runtime = await kept('RETENTION_POSTS');
    expect(await holding(runtime, ['postcanary'])).toEqual([]);
    for (const text of ['newpost', 'oldcanary', 'biocanary', 'ada_before'])
      expect(await holding(runtime, [text]), text).toContain('log.events');
  });

  it('is gone of follower lists, and of nothing else', { tags: 'long' }, async () => {
    const runtime = await kept('RETENTION_EDGES');
    const { rows } = await runtime.db.query(sql`
      select from log.events where type = 'FollowsSighted' and data::text like '%990017001%'`);
    expect(rows).toEqual([]);
    expect(await holding(runtime, ['postcanary'])).toContain('log.events');
  });

  it('is gone of former values, but for what is known now, handles, IDs and times', {
    tags: 'long',
  }, async () => {
    const runtime = await kept('RETENTION_HISTORY');
    expect(await holding(runtime, ['oldcanary', '77001'])).toEqual([]);
    for (const text of ['newcanary', '77002', 'postcanary', 'biocanary'])
      expect(await holding(runtime, [text]), text).toContain('log.events');
    const [first, second] = await runtime.log.readStream('account-x:changed');
    expect(first?.data).toMatchObject({
      observed_at: long(1),
      profile: { id: '8', handle: 'changed', bio: null },
    });
    expect(second?.data).toMatchObject({ observed_at: long(2), moved: {} });
  });
});

const PARTS = 3;

describe('retention', () => {
  it('removes from files of the archive as well', { tags: 'long' }, async () => {
    const place = join(folder, 'archive');
    const runtime = await openSubjectRuntime({ LOG_ARCHIVE: place });
    await absentAda(runtime, true);
    await age(runtime);
    await projected(runtime);
    const store = await openArchiveStore(runtime.config);
    const { db, log } = runtime;
    await archiveEvents({ db, log, store }, { to: await log.head(), ...OPTIONS });
    const texts = async (): Promise<string> => {
      const files = await readdir(place, { recursive: true });
      const contents = files
        .filter((name) => name.endsWith('.zst'))
        .map(async (name) => zstdDecompressSync(await readFile(join(place, name))).toString('utf8'));
      return (await Promise.all(contents)).join('').toLowerCase();
    };
    expect(await texts()).toContain('biocanary');
    expect(await applyRetention(runtime, OPTIONS)).toBe(6);
    const left = await texts();
    for (const text of GONE) expect(left).not.toContain(text);
    expect(left).toContain('keptmover');
    expect(await holding(runtime, GONE)).toEqual([]);
    await expectRebuilt(runtime);
  });

  it('is taken up wherever it ended', { tags: 'long' }, async () => {
    const random = seededRandom(20261129);
    const endedAfter = async (after: number): Promise<number> => {
      const runtime = await openSubjectRuntime();
      await absentAda(runtime);
      await projected(runtime);
      const dead = dying(runtime, after);
      await applyRetention(dead, OPTIONS).catch((error: unknown) => {
        expect(String(error)).toContain('the process is gone');
      });
      await applyRetention(runtime, OPTIONS);
      expect(await holding(runtime, GONE), `after ${after} statements`).toEqual([]);
      expect(await endedRuns(runtime)).toHaveLength(1);
      await expectRebuilt(runtime);
      await closeRuntime(runtime);
      return dead.used();
    };
    await endInEachPart(PARTS, random, endedAfter);
  });

  it('makes no read model anew, and says nothing, where nothing has to go', async () => {
    const runtime = await openSubjectRuntime();
    await fill(runtime);
    await projected(runtime);
    const schemas = async () => (await listBuilds(runtime.db)).map(({ schema }) => schema);
    const before = await schemas();
    expect(await applyRetention(runtime, OPTIONS)).toBe(null);
    expect(await schemas()).toEqual(before);
    expect(await runtime.log.readStream(RETENTION_STREAM)).toEqual([]);
  });
});
