import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { accountNamed } from '../../../src/operations/account-name.ts';
import { saveBackup } from '../../../src/operations/backup/backup.ts';
import { loadBackup } from '../../../src/operations/backup/restore.ts';
import { reportProcess, WITHOUT_KEY } from '../../../src/operations/health/processes.ts';
import { copyProjection } from '../../../src/operations/projections/builds.ts';
import { carryOut, openErasure, previewSubject } from '../../../src/operations/subjects/erase.ts';
import { checkMirror, ledgerOf } from '../../../src/operations/subjects/ledger-file.ts';
import { reapplyErasures } from '../../../src/operations/subjects/reapply.ts';
import { listSubjects, receiptOf, searchTables } from '../../../src/operations/subjects/subjects.ts';
import { projections } from '../../../src/projections/registry.ts';
import type { Runtime } from '../../../src/runtime/open-runtime.ts';
import { startErasures } from '../../../src/runtime/roles/erasures.ts';
import { archiveEvents } from '../../../src/write/log/archive.ts';
import { openArchiveStore } from '../../../src/write/log/archive-store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { sighted } from '../../support/program.ts';
import {
  account,
  ada,
  append,
  at,
  CANARIES,
  closeSubjectRuntimes,
  databases,
  differencesOf,
  dying,
  fill,
  NAMES,
  OPTIONS,
  openSubjectRuntime,
  projected,
  read,
  reopen,
  SUBJECT_KEY,
} from '../../support/subjects.ts';
import { until } from '../../support/wait.ts';

const signal = new AbortController().signal;

const erase = async (runtime: Runtime, text: string): Promise<void> => {
  await openErasure(runtime, accountNamed(text));
  expect(await carryOut(runtime, { signal })).toBe(1);
};

let runtime: Runtime;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-erasure-'));
  runtime = await openSubjectRuntime();
  await fill(runtime);
  await projected(runtime);
  await saveBackup(runtime, join(folder, 'before'), OPTIONS as never);
  await copyProjection(runtime, 'directory', { into: 'as_it_was' }, OPTIONS);
  await erase(runtime, 'x:ada_canary');
});
afterAll(async () => {
  await closeSubjectRuntimes();
  await rm(folder, { recursive: true });
});

describe('an erased account', () => {
  it('is named by no row of any table, but by the list of those that feeds tell of', async () => {
    expect(await searchTables(runtime.db, NAMES)).toEqual([]);
    const { rows } = await runtime.db.query(sql`select native_id, handles from erasure.open`);
    expect(rows).toEqual([{ native_id: '990017001', handles: ['ada_canary', 'ada_before'] }]);
  });

  it('leaves others as they are, who have her former handle or named her', async () => {
    const [other] = await runtime.log.readStream('account-x:ada_before', { from: 2n });
    expect(other?.data).toMatchObject({ profile: { id: '42', display_name: 'Another' } });
    const [friend, posts] = await runtime.log.readStream('account-x:friend');
    expect(friend?.data).toMatchObject({
      profile: { bio: 'married to @…', links: ['https://friend.example/'] },
    });
    expect(posts?.data).toMatchObject({ posts: [{ text: 'with @… at …', mentions: [], reply_to: null }] });
    const [list] = await runtime.log.readStream('follows-x:friend');
    expect(list?.data).toMatchObject({ members: [{ id: '42' }] });
  });

  it.each(projections.map(({ name }) => name))(
    'is in no rebuild of %s, which equals what is served',
    async (name) => {
      await projected(runtime);
      expect(await differencesOf(runtime, name)).toEqual([]);
    },
  );

  it('is refused by the log under every name, and others are not', async () => {
    const head = await runtime.log.head();
    await account(runtime, 'x', 'ada_new', sighted('ada_new', at(20), ada));
    await account(runtime, 'x', 'ada_canary', sighted('ada_canary', at(21), { ...ada, id: null }));
    expect(await runtime.log.head()).toBe(head);
    await account(runtime, 'x', 'ada_canary', sighted('ada_canary', at(22), { id: '43' }));
    expect(await runtime.log.head()).toBe(head + 1n);
  });

  it('has a receipt that its key confirms, and stands in the list', async () => {
    const [state] = await listSubjects(runtime);
    expect(state).toMatchObject({ state: 'forgotten', platform: 'x' });
    expect(state?.events).toBeGreaterThan(5);
    expect(state?.references).toBeGreaterThan(3);
    const { receipt, signature, key } = await receiptOf(runtime, state as never);
    const { createPublicKey, verify } = await import('node:crypto');
    const text = Buffer.from(JSON.stringify(receipt));
    const publicKey = createPublicKey({ key: key as never, format: 'jwk' });
    expect(verify(null, text, publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  it('does not come back with an older backup and the ledger', async () => {
    const empty = await createTestDatabase(2, 'migrated');
    databases.push(empty);
    const restored = await reopen(empty.url, SUBJECT_KEY);
    const erasures = await ledgerOf(runtime);
    await loadBackup(restored, [join(folder, 'before')], {
      signal,
      erasures: erasures ?? undefined,
      onChecked: () => undefined,
      onLoaded: () => undefined,
    });
    expect(await reapplyErasures(restored, OPTIONS)).toBe(1);
    expect(await searchTables(restored.db, NAMES)).toEqual([]);
    expect(await reapplyErasures(restored, OPTIONS)).toBe(0);
  });

  it('lets nothing start without the key, or with another', async () => {
    const { url } = databases[0] as TestDatabase;
    await expect(reopen(url, undefined)).rejects.toThrow('ERASURE_KEY is not set');
    await expect(reopen(url, Buffer.alloc(32, 8).toString('base64'))).rejects.toThrow('not the key');
  });

  it('is in no list of others either if it has none of its own', async () => {
    const names = { platform: 'x' as const, nativeId: null, handles: ['fan_canary', '990017002'] };
    await account(runtime, 'x', 'fan_canary', sighted('fan_canary', at(30), { id: '990017002' }));
    await append(runtime, 'follows-x:friend', {
      type: 'FollowsSighted',
      data: {
        ...read,
        observed_at: at(31),
        direction: 'followers',
        owner: '7',
        sweep: '01a20253-e8b7-7fbe-97e0-f6d430ff7814',
        page: 0,
        members: [{ id: '990017002', handle: 'fan_canary' }],
        order: 'newest_first',
        done: false,
        capped: false,
      },
    });
    await projected(runtime);
    expect(await searchTables(runtime.db, names)).not.toEqual([]);
    await erase(runtime, 'x:fan_canary');
    expect(await searchTables(runtime.db, names)).toEqual([]);
    expect(await differencesOf(runtime, 'follows')).toEqual([]);
  });
});

describe('a mirror', () => {
  it('has digests and no names, and refuses a database that lacks an erasure', async () => {
    const path = join(folder, 'mirror.json');
    const mirrored = await openSubjectRuntime({ ERASURE_MIRROR: path });
    await expect(checkMirror(mirrored)).resolves.toBeUndefined();
    await fill(mirrored);
    await projected(mirrored);
    await erase(mirrored, 'x:ada_canary');
    const text = (await readFile(path, 'utf8')).toLowerCase();
    expect(CANARIES.filter((canary) => text.includes(canary))).toEqual([]);
    await expect(checkMirror(mirrored)).resolves.toBeUndefined();
    await expect(checkMirror(await openSubjectRuntime({ ERASURE_MIRROR: path }))).rejects.toThrow(
      'lacks 1 erasures',
    );
    await writeFile(path, '{}');
    await expect(checkMirror(mirrored)).rejects.toThrow("can't be read");
  });
});

describe('an erasure whose command ended', () => {
  it('is carried out by the service', async () => {
    const served = await openSubjectRuntime();
    await fill(served);
    await projected(served);
    await openErasure(served, accountNamed('x:ada_canary'));
    const role = startErasures(served);
    await until('it is forgotten', async () => (await listSubjects(served))[0]?.state === 'forgotten');
    await role.stop();
    expect(await searchTables(served.db, NAMES)).toEqual([]);
  });
});

describe('an erasure that is only looked at', () => {
  it('changes nothing, so that processes without the key go on', async () => {
    const fresh = await openSubjectRuntime();
    await fill(fresh);
    await projected(fresh);
    const { nativeId, handles } = await previewSubject(fresh, accountNamed('x:ada_canary'));
    expect({ nativeId, handles }).toEqual({ nativeId: '990017001', handles: ['ada_canary', 'ada_before'] });
    await expect(reopen((databases.at(-1) as TestDatabase).url, undefined)).resolves.toBeDefined();
  });

  it('is refused while a process that lives has no key', async () => {
    const fresh = await openSubjectRuntime();
    const process = { id: 'p', host: 'alpha', roles: ['crawl'], requests: null, failed: null };
    await reportProcess(fresh.db, {
      ...process,
      disk_free: null,
      disk_hours_left: null,
      erasures: WITHOUT_KEY,
    });
    await expect(openErasure(fresh, accountNamed('x:ada_canary'))).rejects.toThrow(
      'alpha (crawl) runs without',
    );
  });
});

describe('an archive', () => {
  it('is written anew without an erased account, and its former files are removed', {
    tags: 'long',
  }, async () => {
    const place = join(folder, 'archive');
    const archived = await openSubjectRuntime({ LOG_ARCHIVE: place });
    const { db, log } = archived;
    await fill(archived);
    await projected(archived);
    const store = await openArchiveStore({ LOG_ARCHIVE: place });
    await archiveEvents({ db, log, store }, { ...OPTIONS, to: await log.head() });
    const files = async () => readdir(place, { recursive: true, withFileTypes: true });
    const textOf = async (): Promise<string> => {
      const texts = (await files())
        .filter((entry) => entry.isFile())
        .map(async ({ parentPath, name }) =>
          zstdDecompressSync(await readFile(join(parentPath, name))).toString(),
        );
      return (await Promise.all(texts)).join('').toLowerCase();
    };
    const canariesIn = (text: string) => CANARIES.filter((canary) => text.includes(canary));
    expect(canariesIn(await textOf())).toEqual(CANARIES);
    await erase(archived, 'x:ada_canary');
    expect(canariesIn(await textOf())).toEqual([]);
    expect(await searchTables(db, NAMES)).toEqual([]);
    const [friend] = await log.readStream('account-x:friend');
    expect(friend?.data).toMatchObject({ profile: { bio: 'married to @…' } });
    for (const name of ['directory', 'posts', 'people'])
      expect(await differencesOf(archived, name)).toEqual([]);
  });
});

const PARTS = 8;

describe('an erasure that ends at any statement', () => {
  it('is taken up, forgets all, and leaves read models as a rebuild makes them', {
    tags: 'long',
  }, async () => {
    const random = seededRandom(20261128);
    const endedAfter = async (after: number): Promise<number> => {
      const killed = await openSubjectRuntime();
      await fill(killed);
      await projected(killed);
      await openErasure(killed, accountNamed('x:ada_canary'));
      const dead = dying(killed, after);
      await carryOut(dead, { signal }).catch((error: unknown) => {
        expect(String(error)).toContain('the process is gone');
      });
      await carryOut(killed, { signal });
      expect(await searchTables(killed.db, NAMES), `after ${after} statements`).toEqual([]);
      await projected(killed);
      for (const name of ['accounts', 'directory', 'posts', 'people', 'frontier', 'follows', 'listings'])
        expect(await differencesOf(killed, name), `${name} after ${after} statements`).toEqual([]);
      expect((await listSubjects(killed)).map(({ state }) => state)).toEqual(['forgotten']);
      return dead.used();
    };
    const statements = await endedAfter(Number.POSITIVE_INFINITY);
    // Somewhere in each part of it.
    for (let part = 0; part < PARTS; part++)
      await endedAfter(Math.floor(((part + random.next()) * statements) / PARTS));
  });
});
