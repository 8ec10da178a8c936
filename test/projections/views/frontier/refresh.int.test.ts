import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isoOf } from '../../../../src/kernel/clock.ts';
import { uuidV7 } from '../../../../src/kernel/ids.ts';
import { frontier } from '../../../../src/projections/views/frontier/projection.ts';
import type { DueRow } from '../../../../src/projections/views/frontier/tables.ts';
import { readPoolChanges } from '../../../../src/read/frontier.ts';
import type { AccountEvent } from '../../../../src/write/accounts/account.ts';
import { poolStream, recruitMembers } from '../../../../src/write/pools/pool.ts';
import { changeOfBin, thresholdFor } from '../../../../src/write/pools/refresh.ts';
import { poolCreated } from '../../../support/pools.ts';
import {
  createTestProgram,
  sighted,
  type TestProgram,
  unavailable,
  unchanged,
} from '../../../support/program.ts';
import { expectAsRebuilt } from '../../../support/rebuilt.ts';

const START = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;
const DAY_S = 86_400;
const BOUNDS = { refresh_min_s: 3_600, refresh_max_s: 60 * DAY_S, size_cap: 1_000 };

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram({ known: [frontier] });
});
afterAll(() => program.close());

const at = (day: number): string => isoOf(START + day * DAY);

const append = (stream: string, type: string, data: object) =>
  program.log.append(stream, [{ id: uuidV7(Date.now()), type, data }], 'any');

/** A pool of X with these accounts. */
const createPool = async (pool: string, handles: readonly string[], bounds: object = BOUNDS) => {
  await append(poolStream(pool), 'PoolCreated', poolCreated(pool, 'x', START, bounds));
  const members = handles.map((handle) => ({ handle, via: 'seed' as const, from: null, depth: null }));
  await recruitMembers(program.log, [{ platform: 'x', pool, observed_at: at(0), members }]);
};

const rowOf = async (handle: string): Promise<DueRow> => {
  await program.project();
  const { rows } = await program.database.db.query<DueRow>(
    `select * from ${program.builds.schema('frontier')}.due where handle = $1`,
    [handle],
  );
  return rows[0] as DueRow;
};

const read = async (handle: string, ...events: AccountEvent[]): Promise<DueRow> => {
  await program.append('x', handle, ...events);
  return rowOf(handle);
};

const evidenceOf = ({ change_moved, change_exposure }: DueRow) => ({ change_moved, change_exposure });

describe('the interval of an account', () => {
  it('is shorter the more its followers change, within its pool’s bounds', async () => {
    await createPool('paced', ['calm', 'lively', 'wild']);
    const growth = Object.entries({ calm: 1.0001, lively: 1.02, wild: 3 });
    for (let n = 0; n <= 12; n++)
      for (const [handle, factor] of growth)
        await program.append(
          'x',
          handle,
          sighted(handle, at(7 * n), { followers: Math.round(1_234_567 * factor ** n) }),
        );
    const intervals: Record<string, number> = {};
    for (const [handle] of growth) intervals[handle] = (await rowOf(handle)).interval_s;
    const { calm, lively, wild } = intervals as { calm: number; lively: number; wild: number };
    expect(calm).toBeGreaterThan(3 * lively);
    expect(lively).toBeGreaterThan(3 * wild);
    expect(calm).toBeLessThanOrEqual(BOUNDS.refresh_max_s);
    expect(wild).toBeGreaterThanOrEqual(BOUNDS.refresh_min_s);
  });

  it('follows only the shortest interval in a pool with fixed ones', async () => {
    await createPool('fixed', ['steady'], { ...BOUNDS, refresh: 'fixed', refresh_min_s: 7_200 });
    const row = await read('steady', sighted('steady', at(0)), unchanged(at(1), { followers: 90_001 }));
    expect(row.interval_s).toBe(7_200);
  });

  it('changes at the next reading after its pool’s threshold did, not before', async () => {
    await createPool('tuned', ['one']);
    const before = await read('one', sighted('one', at(0)), unchanged(at(7), { followers: 103 }));
    await append(poolStream('tuned'), 'PoolTuned', {
      at: at(8),
      decision: null,
      refresh_threshold: 1e-4,
    });
    expect(await rowOf('one')).toEqual(before);
    const short = await read('one', unchanged(at(14), { followers: 104 }));
    await append(poolStream('tuned'), 'PoolTuned', {
      at: at(15),
      decision: null,
      refresh_threshold: 8e-4,
    });
    const long = await read('one', unchanged(at(21), { followers: 105 }));
    const ratio = long.interval_s / short.interval_s;
    const bins = changeOfBin(short.change_bin as number) / changeOfBin(long.change_bin as number);
    // Four times for eight times the threshold, and what the reading showed.
    expect(ratio / bins ** (2 / 3)).toBeCloseTo(4, 2);
  });
});

describe('a reading', () => {
  it('is no observation if it does not show followers', async () => {
    await createPool('kept', ['hidden']);
    const before = await read('hidden', sighted('hidden', at(0)), unchanged(at(7), { followers: 107 }));
    const kept = unchanged(at(14));
    const again = { ...kept, data: { ...kept.data, kept: { followers: at(7) } } } as AccountEvent;
    const after = await read('hidden', again);
    expect(evidenceOf(after)).toEqual(evidenceOf(before));
    expect(after.followers_at).toEqual(before.followers_at);
    const full = sighted('hidden', at(21), { followers: 107 });
    const renamed = { ...full, data: { ...full.data, kept: { followers: at(7) } } } as AccountEvent;
    expect(evidenceOf(await read('hidden', renamed))).toEqual(evidenceOf(before));
    // The next number that is shown has the whole time since the one before.
    const shown = await read('hidden', unchanged(at(28), { followers: 108 }));
    expect(shown.change_exposure).toBeGreaterThan(before.change_exposure + 1_500);
  });

  it('does not count separately if it follows another at once, however often callers ask', async () => {
    await createPool('live', ['popular']);
    const before = await read('popular', sighted('popular', at(0)), unchanged(at(7), { followers: 107 }));
    const after = await read(
      'popular',
      ...Array.from({ length: 50 }, (_, n) => unchanged(at(7 + (n + 1) / 10_000))),
    );
    expect(evidenceOf(after)).toEqual(evidenceOf(before));
    expect(after.change_bin).toBe(before.change_bin);
  });

  it('puts a suspended account at the longest interval, and treats it as new when it returns', async () => {
    await createPool('ended', ['gone']);
    const gone = await read(
      'gone',
      sighted('gone', at(0)),
      unchanged(at(7), { followers: 300 }),
      unavailable(at(14), 'suspended'),
    );
    expect(gone.interval_s).toBe(BOUNDS.refresh_max_s);
    const back = await read('gone', sighted('gone', at(40), { followers: 20 }));
    expect(evidenceOf(back)).toEqual({ change_moved: 0, change_exposure: 0 });
    expect(back.interval_s).toBeLessThan(BOUNDS.refresh_max_s);
  });
});

describe('the sums of a pool', () => {
  it('count each account once, and yield the threshold for a wanted rate', async () => {
    const handles = Array.from({ length: 40 }, (_, n) => `summed${n}`);
    await createPool('summed', handles);
    for (const [n, handle] of handles.entries()) {
      // The last ten are never read.
      if (n >= 30) break;
      await program.append('x', handle, sighted(handle, at(0), { followers: 50_001 + n }));
      if (n % 3 === 0) continue;
      await program.append('x', handle, unchanged(at(5), { followers: 50_001 + n * 37 }));
      if (n % 5 === 0) await program.append('x', handle, unavailable(at(9), 'absent'));
    }
    await program.project();
    const { db } = program.database;
    const found = (await readPoolChanges(db, program.builds)).get('summed');
    if (found === undefined) throw new Error('the pool has no sums');
    const { byBin, unavailable: ended } = found.accounts;
    expect(byBin.reduce((a, b) => a + b, 0) + ended).toBe(40);
    expect(ended).toBe(4);
    const all = await readPoolChanges(db, program.builds, () => 'heir');
    const heirs = all.get('heir')?.accounts;
    const { rows } = await db.query(
      `select count(*)::int as n from ${program.builds.schema('frontier')}.due`,
    );
    expect((heirs?.byBin.reduce((a, b) => a + b, 0) ?? 0) + (heirs?.unavailable ?? 0)).toBe(rows[0]?.n);
    const settings = { ...BOUNDS, refresh: 'by_change', refresh_factor: 1, refresh_threshold: null } as const;
    const { readingsPerDay } = thresholdFor(settings, found.accounts, 6);
    expect(readingsPerDay).toBeCloseTo(6, 6);
  });

  it('equal a rebuild’s, like all rows', async () => {
    await program.project();
    await expectAsRebuilt(program.database.db, program.log, [frontier]);
  });
});
