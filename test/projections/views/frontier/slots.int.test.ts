import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuidV7 } from '../../../../src/kernel/ids.ts';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { seededRandom } from '../../../../src/kernel/random.ts';
import { verify } from '../../../../src/projections/verify.ts';
import { frontier } from '../../../../src/projections/views/frontier/projection.ts';
import {
  DUE_SLOT_MS,
  GIVEN_UP,
  NEVER_READ,
  SPAN_MS,
  SPANS,
} from '../../../../src/projections/views/frontier/tables.ts';
import { poolCreated } from '../../../support/pools.ts';
import {
  createTestProgram,
  sighted,
  type TestProgram,
  unavailable,
  unchanged,
} from '../../../support/program.ts';

const FROM = Date.UTC(2026, 10, 1);
const POOLS = { 'seed-x': 'x', 'other-x': 'x', 'seed-tiktok': 'tiktok' } as const;

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram({ known: [frontier] });
});
afterAll(() => program.close());

const append = (stream: string, type: string, data: unknown) =>
  program.log.append(stream, [{ id: uuidV7(Date.now()), type, data }], 'any');

const IS_MEMBER = `(not removed and (is_seed or absences < ${GIVEN_UP}))`;

/** Rows of a table of slots, and the same counted from the accounts. */
const slots = async (kind: 'due' | 'read') => {
  const schema = program.builds.schema('frontier');
  const { db } = program.database;
  const columns = kind === 'due' ? 'platform, pool, slot' : 'platform, span, slot';
  const slotOf = (time: string, ms: number) => `floor(extract(epoch from ${time}) * 1000 / ${ms})::int`;
  const due = `select platform, pool,
      case when observed_at is null then ${NEVER_READ} else ${slotOf('due_at', DUE_SLOT_MS)} end as slot
    from ${schema}.due where ${IS_MEMBER}`;
  const read = SPANS.map(
    (span) => `select platform, '${span}' as span, ${slotOf('observed_at', SPAN_MS[span])} as slot
      from ${schema}.due where observed_at is not null and ${IS_MEMBER}`,
  ).join(' union all ');
  const kept = await db.query(`select ${columns}, n from ${schema}.${kind}_slots order by ${columns}`);
  const exact = await db.query(
    `select ${columns}, count(*) as n from (${kind === 'due' ? due : read}) d group by ${columns} order by ${columns}`,
  );
  return { kept: kept.rows, exact: exact.rows };
};

it('slots of the frontier count every account once, however it was recruited, read, missed, moved and removed', async () => {
  for (const [pool, platform] of Object.entries(POOLS)) {
    await append(`pool-${pool}`, 'PoolCreated', poolCreated(pool, platform, FROM, { size_cap: 1_000 }));
  }
  const random = seededRandom(8);
  const instant = () => new Date(FROM + random.int(10 * 86_400_000)).toISOString();
  for (let n = 0; n < 800; n++) {
    const pools = Object.keys(POOLS) as (keyof typeof POOLS)[];
    const pool = pools[random.int(pools.length)] ?? 'seed-x';
    const platform = POOLS[pool];
    const handle = `account_${random.int(40)}`;
    const at = instant();
    const via = random.int(3) === 0 ? 'seed' : 'mention';
    const member = { handle, via, from: null, depth: null };
    switch (random.int(8)) {
      case 0:
        await append(`members-${platform}:${pool}`, 'MembersRecruited', {
          observed_at: at,
          members: [member],
        });
        break;
      case 1:
        await program.append(platform, handle, sighted(handle, at));
        break;
      case 2:
        await program.append(platform, handle, unchanged(at, { followers: random.int(900) }));
        break;
      case 3:
        await append(`members-${platform}:${pool}`, 'MembersMoved', { at, handles: [handle, 'nobody'] });
        break;
      case 4:
        await append(`members-${platform}:${pool}`, 'MembersRemoved', { at, handles: [handle, 'nobody'] });
        break;
      default:
        await program.append(platform, handle, unavailable(at, 'absent'));
    }
    // Batches of every size.
    if (random.int(9) === 0) await program.project();
  }
  await program.project();
  for (const kind of ['due', 'read'] as const) {
    const { kept, exact } = await slots(kind);
    expect(exact.length).toBeGreaterThan(20);
    expect(kept).toEqual(exact);
  }
  const { db } = program.database;
  const schema = program.builds.schema('frontier');
  const members = await db.query(
    `select platform, pool, n, absent, seeds from ${schema}.members order by 1, 2`,
  );
  const counted = await db.query(`
    select platform, pool, count(*) as n, count(*) filter (where absences > 0) as absent,
      count(*) filter (where is_seed and absences = 0) as seeds
    from ${schema}.due where ${IS_MEMBER} group by 1, 2 order by 1, 2`);
  expect(members.rows).toEqual(counted.rows);
  const bins = await db.query(
    `select pool, bin, n, measured from ${schema}.changes where n > 0 order by pool, bin`,
  );
  const binned = await db.query(`
    select pool, change_bin as bin, count(*) as n, count(*) filter (where change_exposure > 0) as measured
    from ${schema}.due where change_bin is not null group by 1, 2 order by 1, 2`);
  expect(bins.rows.length).toBeGreaterThan(3);
  expect(bins.rows).toEqual(binned.rows);
  const left = await db.query(`select count(*)::int as n from ${schema}.due where not ${IS_MEMBER}`);
  expect(left.rows[0].n).toBeGreaterThan(1);
  const due = await db.query(
    `select handle from ${schema}.due where not ${IS_MEMBER} and due_at < '2200-01-01'`,
  );
  expect(due.rows).toEqual([]);
  const compared = await verify(frontier, {
    db,
    log: program.log,
    logger: silentLogger,
    signal: new AbortController().signal,
    max: 10,
  });
  expect(compared).toMatchObject({ different: 0 });
});
