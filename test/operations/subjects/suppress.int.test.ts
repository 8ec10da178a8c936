import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isoOf, systemClock } from '../../../src/kernel/clock.ts';
import { ident, sql } from '../../../src/kernel/postgres/statement.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { accountNamed } from '../../../src/operations/account-name.ts';
import { saveBackup } from '../../../src/operations/backup/backup.ts';
import { loadBackup } from '../../../src/operations/backup/restore.ts';
import { carryOut, hasOpenErasures, openErasure } from '../../../src/operations/subjects/erase.ts';
import { exportSubject } from '../../../src/operations/subjects/export.ts';
import { ledgerOf } from '../../../src/operations/subjects/ledger-file.ts';
import { reapplyErasures } from '../../../src/operations/subjects/reapply.ts';
import { releaseSubject, showReleased } from '../../../src/operations/subjects/release.ts';
import {
  type Found,
  liftSubject,
  listSubjects,
  type SubjectState,
  searchTables,
} from '../../../src/operations/subjects/subjects.ts';
import { listBuilds } from '../../../src/projections/builds/builds.ts';
import { projections } from '../../../src/projections/registry.ts';
import type { Runtime } from '../../../src/runtime/open-runtime.ts';
import { createHandleLifts } from '../../../src/write/erasure/lift-handles.ts';
import { createTestDatabase } from '../../support/database.ts';
import { posted, sighted, unchanged } from '../../support/program.ts';
import {
  account,
  ada,
  at,
  closeRuntime,
  closeSubjectRuntimes,
  databases,
  differencesOf,
  dying,
  endInEachPart,
  fill,
  NAMES,
  OPTIONS,
  openSubjectRuntime,
  projected,
  reopen,
  SUBJECT_KEY,
} from '../../support/subjects.ts';

const signal = new AbortController().signal;
const ADA = accountNamed('x:ada_canary');

/** Views that may hold an account. */
const HOLDING = projections.flatMap(({ name, forgets }) => (forgets === 'no accounts' ? [] : [name]));

const filled = async (): Promise<Runtime> => {
  const runtime = await openSubjectRuntime();
  await fill(runtime);
  await projected(runtime);
  return runtime;
};

const suppress = async (runtime: Runtime): Promise<void> => {
  await openErasure(runtime, ADA, null);
  expect(await carryOut(runtime, { signal })).toBe(1);
};

const stateOf = async (runtime: Runtime): Promise<SubjectState> =>
  (await listSubjects(runtime))[0] as SubjectState;

const tenuresOf = async ({ db }: Runtime): Promise<readonly string[]> => {
  const { rows } = await db.query<{ tenure: string }>(sql`
    select jsonb_array_elements(tenures)::text as tenure from erasure.open order by 1`);
  return rows.map(({ tenure }) => tenure);
};

/** Every event that the log has of accounts, as it is stored. */
const storedEvents = async ({ db }: Runtime) => {
  const { rows } = await db.query<{ text: string }>(sql`
    select e::text as text from log.events e where stream not like 'subject-%' and type not like '%Erased' order by position`);
  return rows.map(({ text }) => text);
};

/** What only the account itself says. Others may name it. */
const OWN = NAMES.handles.filter((name) => name !== 'ada_canary');

/** Tables of served read models that show something of the account. */
const shownIn = async (runtime: Runtime): Promise<readonly Found[]> => {
  const builds = await listBuilds(runtime.db);
  const served = new Set(builds.flatMap(({ status, schema }) => (status === 'active' ? [schema] : [])));
  const found = await searchTables(runtime.db, { ...NAMES, handles: OWN });
  return found.filter(({ table }) => served.has(table.split('.')[0] as string));
};

/** All rows of the tables of a view, as texts. */
const rowsOf = async ({ db }: Runtime, view: string): Promise<readonly string[]> => {
  const builds = await listBuilds(db);
  const schema = builds.find(({ projection, status }) => projection === view && status === 'active')?.schema;
  const { rows: tables } = await db.query<{ name: string }>(sql`
    select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema ?? ''} and relkind = 'r' order by relname`);
  const all: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.query<{ text: string }>(sql`
      select row_to_json(t)::text as text from ${ident(`${schema}.${name}`)} t`);
    all.push(...rows.map(({ text }) => `${name} ${text}`));
  }
  return all.toSorted();
};

const rowsOfAll = async (runtime: Runtime) =>
  Object.fromEntries(
    await Promise.all(HOLDING.map(async (name) => [name, await rowsOf(runtime, name)] as const)),
  );

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-suppression-'));
});
afterAll(async () => {
  await closeSubjectRuntimes();
  await rm(folder, { recursive: true });
});

describe('a suppressed account', () => {
  let runtime: Runtime;
  let before: readonly string[];
  beforeAll(async () => {
    runtime = await filled();
    await account(runtime, 'x', 'ada_canary', posted(at(13), { id: '3', text: 'postcanary with @friend' }));
    await projected(runtime);
    before = await storedEvents(runtime);
    await suppress(runtime);
    await projected(runtime);
  });

  it('is in no read model but in what others wrote, and the log is as it was', async () => {
    expect(await shownIn(runtime)).toEqual([]);
    expect(await storedEvents(runtime)).toEqual(before);
    expect(await stateOf(runtime)).toMatchObject({ state: 'suppressed', due_at: null, erased_at: null });
  });

  it.each(HOLDING)('leaves %s as a rebuild makes it', async (name) => {
    expect(await differencesOf(runtime, name)).toEqual([]);
  });

  it('is refused by the log, and read by nobody', async () => {
    const head = await runtime.log.head();
    await account(runtime, 'x', 'ada_canary', sighted('ada_canary', at(20), ada));
    await account(runtime, 'x', 'ada_new', sighted('ada_new', at(20), ada));
    expect(await runtime.log.head()).toBe(head);
    expect(await runtime.log.readStream('account-x:ada_canary')).toMatchObject([{ type: 'AccountErased' }]);
  });

  it('can be exported for the person whose it is', async () => {
    const held = await Array.fromAsync(exportSubject(runtime, ADA, OPTIONS));
    const types = held.flatMap((each) => (each.held === 'event' ? [each.type] : []));
    expect(types).toContain('AccountSighted');
    expect(types).toContain('PostsSighted');
    const others = await Array.fromAsync(exportSubject(runtime, accountNamed('x:friend'), OPTIONS));
    expect(JSON.stringify(others)).not.toContain('postcanary');
  });

  it('is in a backup, which hides it again with the ledger, and shows it once it is released', async () => {
    const path = join(folder, 'suppressed');
    await saveBackup(runtime, path, OPTIONS as never);
    const empty = await createTestDatabase(2, 'migrated');
    databases.push(empty);
    const restored = await reopen(empty.url, SUBJECT_KEY);
    await loadBackup(restored, [path], {
      signal,
      erasures: (await ledgerOf(runtime)) ?? undefined,
      onChecked: () => undefined,
      onLoaded: () => undefined,
    });
    expect(await reapplyErasures(restored, OPTIONS)).toBe(1);
    await restored.fence.refresh();
    expect(await restored.log.readStream('account-x:ada_canary')).toMatchObject([{ type: 'AccountErased' }]);
    expect(await tenuresOf(restored)).toEqual(await tenuresOf(runtime));
    expect(await carryOut(restored, { signal })).toBe(1);
    expect(await stateOf(restored)).toMatchObject({ state: 'suppressed' });
    expect(await reapplyErasures(restored, OPTIONS)).toBe(0);
    await releaseSubject(restored, (await stateOf(restored)).subject, signal);
    await restored.db.query(sql`delete from erasure.open`);
    expect(await reapplyErasures(restored, OPTIONS)).toBe(1);
    await restored.fence.refresh();
    const events = await restored.log.readStream('account-x:ada_canary');
    expect(events.filter(({ type }) => type === 'AccountErased')).toEqual([]);
    expect(events[0]?.data).toMatchObject({ profile: { id: ada.id } });
  });
});

describe('a released account', () => {
  it('comes back with all that was known of it, any number of times, and can be read again', {
    tags: 'long',
  }, async () => {
    const runtime = await filled();
    for (const minute of [30, 31]) {
      const before = await rowsOfAll(runtime);
      await suppress(runtime);
      await projected(runtime);
      expect(await rowsOfAll(runtime)).not.toEqual(before);
      await liftSubject(runtime, await stateOf(runtime), OPTIONS);
      await projected(runtime);
      expect(await rowsOfAll(runtime)).toEqual(before);
      expect(await stateOf(runtime)).toMatchObject({ state: 'released' });
      const { rows: left } = await runtime.db.query(sql`select from erasure.open`);
      expect(left).toEqual([]);
      await account(runtime, 'x', 'ada_canary', unchanged(at(minute), { followers: 7_000 + minute }));
      await projected(runtime);
      for (const name of HOLDING) expect(await differencesOf(runtime, name), name).toEqual([]);
      expect(await rowsOfAll(runtime)).not.toEqual(before);
    }
  });

  it('is read as one that nobody knows, until it waited for others and its read models are made anew', async () => {
    const runtime = await filled();
    await suppress(runtime);
    await releaseSubject(runtime, (await stateOf(runtime)).subject, signal);
    expect(await showReleased(runtime, systemClock.now() - 60_000, OPTIONS)).toBe(0);
    await account(runtime, 'x', 'ada_canary', sighted('ada_canary', at(40), ada));
    expect(await runtime.log.readStream('account-x:ada_canary')).toMatchObject([
      { type: 'AccountErased', revision: 3n },
      { type: 'AccountSighted', revision: 4n },
    ]);
    await projected(runtime);
    for (const name of HOLDING) expect(await differencesOf(runtime, name), name).toEqual([]);
    // Suppressed again, it has all of its names and events.
    await suppress(runtime);
    const { rows } = await runtime.db.query<{ handles: string[]; tenures: { through: number }[] }>(
      sql`select handles, released_at, tenures from erasure.open`,
    );
    expect(rows).toMatchObject([{ handles: ['ada_canary', 'ada_before'], released_at: null }]);
    expect(rows[0]?.tenures).toContainEqual({
      stream: 'account-x:ada_canary',
      from: 0,
      through: 4,
      since: null,
    });
    await projected(runtime);
    for (const name of HOLDING) expect(await differencesOf(runtime, name), name).toEqual([]);
  });
});

describe('a suppressed account that is to be erased', () => {
  it('is erased once it is due, and not before', { tags: 'long' }, async () => {
    const runtime = await filled();
    await openErasure(runtime, ADA, isoOf(systemClock.now() + 3_600_000));
    await carryOut(runtime, { signal });
    expect(await stateOf(runtime)).toMatchObject({ state: 'suppressed', due_at: expect.any(String) });
    expect(await hasOpenErasures(runtime)).toBe(false);
    expect(await shownIn(runtime)).toEqual([]);
    expect(await storedEvents(runtime)).toContainEqual(expect.stringContaining('biocanary'));
    await openErasure(runtime, ADA, isoOf(systemClock.now() - 1));
    expect(await carryOut(runtime, { signal })).toBe(1);
    expect(await searchTables(runtime.db, NAMES)).toEqual([]);
    expect(await stateOf(runtime)).toMatchObject({ state: 'forgotten', suppressed_at: expect.any(String) });
    await projected(runtime);
    for (const name of HOLDING) expect(await differencesOf(runtime, name), name).toEqual([]);
    await expect(releaseSubject(runtime, (await stateOf(runtime)).subject, signal)).rejects.toThrow(
      'can’t be undone',
    );
  });

  it('leaves a handle that another account took meanwhile to that account', async () => {
    const runtime = await filled();
    await suppress(runtime);
    const { fence, log } = runtime;
    const lift = createHandleLifts({ log, fence });
    await lift('x', 'ada_canary');
    await openErasure(runtime, accountNamed(`x:id:${ada.id}`), isoOf(systemClock.now() + 3_600_000));
    await carryOut(runtime, { signal });
    expect(fence.has('x', 'id', ada.id)).toBe(true);
    // What is hidden again is void already.
    expect(await runtime.log.readStream('account-x:ada_canary')).toMatchObject([{ type: 'AccountErased' }]);
    expect(fence.has('x', 'handle', 'ada_canary')).toBe(false);
  });
});

describe('another account that is erased meanwhile', () => {
  it('leaves all events of a suppressed one whole', { tags: 'long' }, async () => {
    const runtime = await filled();
    await suppress(runtime);
    const own = async () => (await storedEvents(runtime)).filter((text) => text.includes('ada_'));
    const before = await own();
    await openErasure(runtime, accountNamed('x:friend'));
    await carryOut(runtime, { signal });
    const left = new Set(await own());
    // Those that name the erased one are changed: its own list, her list of it, a link page of it.
    const changed = before.filter((text) => !left.has(text));
    expect(changed.every((text) => /friend|7,/.test(text))).toBe(true);
    expect(changed.filter((text) => /^\(\d+,"?account-x:ada/.test(text))).toEqual([]);
    await projected(runtime);
    for (const name of HOLDING) expect(await differencesOf(runtime, name), name).toEqual([]);
    const released = (await listSubjects(runtime)).find(({ state }) => state === 'suppressed');
    await liftSubject(runtime, released as SubjectState, OPTIONS);
    await projected(runtime);
    for (const name of HOLDING) expect(await differencesOf(runtime, name), name).toEqual([]);
    expect(await runtime.log.readStream('account-x:ada_canary', { limit: 3 })).toHaveLength(3);
  });
});

const PARTS = 6;

describe('a suppression and a release that end at any statement', () => {
  it('are taken up, and leave read models as a rebuild makes them', { tags: 'long' }, async () => {
    const random = seededRandom(20261129);
    const died = (error: unknown) => expect(String(error)).toContain('the process is gone');
    const endedAfter = async (after: number): Promise<number> => {
      const runtime = await filled();
      const before = await storedEvents(runtime);
      const dead = dying(runtime, after);
      await openErasure(dead, ADA, null).catch(died);
      await carryOut(dead, { signal }).catch(died);
      const hidden = dead.used();
      await suppress(runtime).catch(async () => carryOut(runtime, { signal }));
      await projected(runtime);
      expect(await shownIn(runtime), `after ${after} statements`).toEqual([]);
      for (const name of HOLDING)
        expect(await differencesOf(runtime, name), `${name} after ${after} statements`).toEqual([]);
      const { subject, state } = await stateOf(runtime);
      expect(state).toBe('suppressed');
      const gone = dying(runtime, after % 4);
      await releaseSubject(gone, subject, signal).catch(died);
      await releaseSubject(runtime, subject, signal);
      expect(await storedEvents(runtime)).toEqual(before);
      expect(await stateOf(runtime)).toMatchObject({ state: 'released' });
      await projected(runtime);
      for (const name of HOLDING)
        expect(await differencesOf(runtime, name), `${name} after ${after} statements`).toEqual([]);
      await closeRuntime(runtime);
      return hidden;
    };
    await endInEachPart(PARTS, random, endedAfter);
  });
});
