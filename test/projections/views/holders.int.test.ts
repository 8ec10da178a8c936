import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { rebuild } from '../../../src/projections/builds/rebuild.ts';
import { holders } from '../../../src/projections/views/holders/projection.ts';
import { findHolder, findKey, listHolders, listKeys } from '../../../src/read/holders.ts';
import { type HolderEvent, holderStream } from '../../../src/write/holders/holder.ts';
import { differences } from '../../support/compare.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram();
});
afterAll(() => program.close());

const NEVER = '2100-01-01T00:00:00.000Z';
const day = (n: number): string => new Date(Date.UTC(2026, 10, n)).toISOString();
const hashOf = (n: number): string => String(n).padStart(64, 'b');

/** Appends an event of acme's and folds it. @returns its position. */
const happens = async (event: HolderEvent): Promise<string> => {
  const outcome = await program.log.append(
    holderStream('acme'),
    [{ id: uuidV7(Date.now()), ...event }],
    'any',
  );
  if (outcome.status !== 'appended') throw new Error(outcome.status);
  await program.project();
  return String(outcome.position);
};

const schema = () => program.builds.schema('holders');
const terms = () => findHolder(program.database.db, schema(), 'acme');
const key = (n: number) => findKey(program.database.db, schema(), `key_${n}`);
/** What readers of listings are not told: position of the last change of terms, and hashes of keys. */
const changed = async () =>
  (await program.database.db.query<{ changed: string }>(`select changed from ${schema()}.holders`)).rows[0]
    ?.changed;
const hashes = async () =>
  (
    await program.database.db.query<{ key_hash: string }>(
      `select key_hash from ${schema()}.keys order by key_hash`,
    )
  ).rows.map(({ key_hash }) => key_hash);

describe('the read model of holders', () => {
  it('follows the terms, event by event', async () => {
    await happens({ type: 'HolderRegistered', data: { at: day(1), holder: 'acme', name: 'Acme' } });
    expect(await terms()).toEqual({
      holder: 'acme',
      name: 'Acme',
      plan: null,
      registered_at: day(1),
      plan_started_at: day(1),
      overage_on: false,
      cap_micro_usd: null,
      credit_micro_usd: '0',
      suspended_at: null,
      suspended_why: null,
      keys: 0,
    });
    const suspended = await happens({ type: 'HolderSuspended', data: { at: day(1), why: 'unpaid' } });
    expect(await terms()).toMatchObject({ suspended_at: day(1), suspended_why: 'unpaid' });
    expect(await changed()).toBe(suspended);
    await happens({ type: 'HolderResumed', data: { at: day(2) } });
    expect(await terms()).toMatchObject({ suspended_at: null, suspended_why: null });
    const chosen = await happens({ type: 'PlanChosen', data: { at: day(2), plan: 'growth' } });
    expect(await terms()).toMatchObject({ plan: 'growth', plan_started_at: day(2), registered_at: day(1) });
    expect(await changed()).toBe(chosen);
    const capped = await happens({
      type: 'OverageSet',
      data: { at: day(3), on: true, cap_micro_usd: '5000000' },
    });
    expect(await terms()).toMatchObject({
      overage_on: true,
      cap_micro_usd: '5000000',
      plan_started_at: day(2),
    });
    expect(await changed()).toBe(capped);
    await happens({ type: 'OverageSet', data: { at: day(3), on: false, cap_micro_usd: null } });
    expect(await terms()).toMatchObject({ overage_on: false, cap_micro_usd: null });
    // More than a JSON number holds.
    for (const amount_micro_usd of ['9007199254740993', '1'])
      await happens({ type: 'WalletCredited', data: { at: day(4), amount_micro_usd, reference: null } });
    expect(await terms()).toMatchObject({ credit_micro_usd: '9007199254740994', plan: 'growth' });
  });

  it('follows the keys, event by event', async () => {
    const before = await changed();
    await happens({
      type: 'KeyIssued',
      data: { at: day(5), key_id: 'key_1', key_hash: hashOf(1), scopes: ['accounts:read'], label: 'job' },
    });
    expect(await key(1)).toEqual({
      key_id: 'key_1',
      holder: 'acme',
      label: 'job',
      state: 'in_use',
      scopes: ['accounts:read'],
      allowlist: [],
      issued_at: day(5),
      revoked_at: null,
      expires_at: null,
      replaced_by: null,
    });
    await happens({ type: 'KeyPinned', data: { at: day(6), key_id: 'key_1', allowlist: ['10.0.0.0/8'] } });
    expect(await key(1)).toMatchObject({ allowlist: ['10.0.0.0/8'] });
    await happens({
      type: 'ScopesGranted',
      data: { at: day(6), key_id: 'key_1', scopes: ['accounts:read', 'tools:run'] },
    });
    expect(await key(1)).toMatchObject({ scopes: ['accounts:read', 'tools:run'] });
    const rotate = (n: number, expires_at: string) =>
      happens({
        type: 'KeyRotated',
        data: {
          at: day(7),
          key_id: `key_${n}`,
          successor_id: `key_${n + 1}`,
          successor_hash: hashOf(n + 1),
          expires_at,
        },
      });
    await rotate(1, NEVER);
    expect(await key(1)).toMatchObject({ state: 'in_grace', expires_at: NEVER, replaced_by: 'key_2' });
    const inherited = { scopes: ['accounts:read', 'tools:run'], allowlist: ['10.0.0.0/8'], label: 'job' };
    expect(await key(2)).toMatchObject({
      state: 'in_use',
      issued_at: day(7),
      expires_at: null,
      ...inherited,
    });
    await rotate(2, day(7));
    expect(await key(2)).toMatchObject({ state: 'replaced', replaced_by: 'key_3' });
    expect(await key(3)).toMatchObject({ state: 'in_use', ...inherited });
    await happens({ type: 'KeyRevoked', data: { at: day(8), key_id: 'key_1' } });
    expect(await key(1)).toMatchObject({ state: 'revoked', revoked_at: day(8), replaced_by: 'key_2' });
    await happens({ type: 'KeyPinned', data: { at: day(8), key_id: 'key_3', allowlist: [] } });
    expect(await key(3)).toMatchObject({ state: 'in_use', allowlist: [] });
    expect(await hashes()).toEqual([hashOf(1), hashOf(2), hashOf(3)]);
    expect(await changed(), 'keys are no terms').toBe(before);
    expect((await terms())?.keys, 'those in use').toBe(1);
  });

  it('tells keys that ended by themselves from those in use, and a successor ends with its key', async () => {
    for (const [n, expires_at] of [
      [7, day(6)],
      [8, NEVER],
    ] as const) {
      const data = { at: day(5), key_id: `key_${n}`, key_hash: hashOf(n), scopes: [], label: null };
      await happens({ type: 'KeyIssued', data: { ...data, expires_at } });
    }
    expect(await key(7)).toMatchObject({ state: 'expired', expires_at: day(6) });
    expect(await key(8)).toMatchObject({ state: 'in_use', expires_at: NEVER });
    expect((await terms())?.keys).toBe(2);
    await happens({
      type: 'KeyRotated',
      data: {
        ...{ at: day(7), key_id: 'key_8', successor_id: 'key_9', successor_hash: hashOf(9) },
        expires_at: day(7),
      },
    });
    expect(await key(8)).toMatchObject({ state: 'replaced' });
    expect(await key(9)).toMatchObject({ state: 'in_use', expires_at: NEVER });
    for (const n of [7, 8, 9])
      await happens({ type: 'KeyRevoked', data: { at: day(8), key_id: `key_${n}` } });
  });

  it('lists the newest keys first, and no other holder’s', async () => {
    await program.issueKey();
    const ids = async (holder: string | null) =>
      (await listKeys(program.database.db, schema(), holder)).map(({ key_id }) => key_id);
    expect(await ids('acme')).toEqual(['key_2', 'key_3', 'key_9', 'key_1', 'key_7', 'key_8']);
    expect((await ids(null)).length).toBe(7);
    expect(await ids('nobody')).toEqual([]);
    expect((await listHolders(program.database.db, schema())).map((row) => [row.holder, row.keys])).toEqual([
      ['acme', 1],
      ['tester', 1],
    ]);
    expect(await findHolder(program.database.db, schema(), 'nobody')).toBeNull();
    expect(await findKey(program.database.db, schema(), 'key_none')).toBeNull();
  });

  it('is the same after a rebuild', async () => {
    const before = schema();
    const stop = new AbortController();
    const { db } = program.database;
    const rebuilding = rebuild(holders, {
      db,
      log: program.log,
      logger: silentLogger,
      signal: stop.signal,
      graceMs: 60_000,
    });
    await until('the new build is served', async () => {
      await program.builds.refresh();
      return schema() !== before;
    });
    expect(await differences(db, before, schema())).toEqual([]);
    stop.abort();
    await rebuilding;
  });
});
