import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { holderStream } from '../../src/write/holders/holder.ts';
import { publishedPlans } from '../../src/write/holders/plans.ts';
import { endIdlePeriods, foldUsage, settlePeriods } from '../../src/write/metering/maintenance.ts';
import { createTestHome, type TestHome } from '../support/cli.ts';
import { catalogRead, createMeteringWorld, liveCall, type MeteringWorld } from '../support/metering.ts';

let world: MeteringWorld;
let home: TestHome;

const START = '2026-09-01T00:00:00.000Z';

/** Lets a holder make reads on a day. */
const reads = async (
  holder: string,
  day: string,
  n: number,
  operation = 'getDirectoryEntry',
  keyId = 'key_1',
) => {
  world.time = `${day}T12:00:00.000Z`;
  const admission = world.admission();
  await Promise.all(
    Array.from({ length: n }, () => admission.admit(catalogRead(holder, { operation, keyId }))),
  );
};

beforeAll(async () => {
  world = await createMeteringWorld(publishedPlans('A').all);
  home = await createTestHome({ DATABASE_URL: world.database.url });
  for (const holder of ['acme', 'idle', 'mute']) await world.register(holder, 'growth', START);
  await world.tell(
    'acme',
    { type: 'OverageSet', data: { at: START, on: true, cap_micro_usd: null } },
    { type: 'WalletCredited', data: { at: START, amount_micro_usd: '25000000', reference: null } },
  );
  // A first period that is settled, a second that runs.
  await reads('acme', '2026-09-10', 40);
  await reads('idle', '2026-09-10', 3);
  await reads('acme', '2026-10-02', 8);
  // The last units of the budget: what follows is overage.
  await foldUsage(world.db);
  await world.db.query(`update metering.accounts set budget_units = 149990 where holder = 'acme'`);
  await world.db.query(
    `update metering.usage set budget_units = 149990 where holder = 'acme' and period = 2`,
  );
  await reads('acme', '2026-10-03', 6, 'searchDirectory', 'key_2');
  await reads('acme', '2026-10-04', 6, 'searchDirectory');
  world.time = '2026-10-04T12:00:30.000Z';
  await world.admission().admit(liveCall('acme'));
  await endIdlePeriods(world.db, world.schema, world.plans, '2026-10-04T13:00:00.000Z');
  await settlePeriods(world.db, world.log, '2026-10-04T13:15:01.000Z');
});

afterAll(async () => {
  await home.remove();
  await world.close();
});

const good = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await home.run(args, WIDE);
  expect([code, err], args.join(' ')).toEqual([0, '']);
  return out.trim();
};

const refused = async (says: RegExp, ...args: string[]): Promise<void> => {
  const { code, out, err } = await home.run(args, WIDE);
  expect([code, out], `${args.join(' ')}\n${err}`).toEqual([2, '']);
  expect(err.trim()).toMatch(says);
  expect(err, 'no stack').not.toContain('    at ');
};

// biome-ignore lint/suspicious/noExplicitAny: each test states what an answer has
const json = async (...args: string[]): Promise<any> => JSON.parse(await good(...args, '--json'));

/** A terminal on which no table is shortened. */
const WIDE = { COLUMNS: '200' };

/** Name and value of each line under a title. */
const fields = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .flatMap((line) =>
        [/^ {2}(\S.*?) {2,}(.*)$/.exec(line)?.slice(1) ?? []].filter((each) => each.length > 0),
      ),
  );

/** The cells of all tables in a text, their heads among them: between the ends of their rules. */
const cells = (text: string): string[][] => {
  const lines = text.split('\n');
  let columns: number[][] = [];
  return lines.flatMap((line, i) => {
    if (line.startsWith('─')) return [];
    const below = lines[i + 1]?.startsWith('─') === true ? lines[i + 1] : undefined;
    if (below !== undefined)
      columns = [...below.matchAll(/─+/g)].map((run) => [run.index, run.index + run[0].length]);
    const isRow = columns.every(([, to], n) => line.slice(to, columns[n + 1]?.[0]).trim() === '');
    return columns.length === 0 || !isRow ? [] : [columns.map(([from, to]) => line.slice(from, to).trim())];
  });
};

describe('usage show', () => {
  it('shows the running period, the wallet and the live calls in flight', async () => {
    const shown = fields(await good('usage', 'show', 'acme'));
    expect(shown).toMatchObject({
      period: '2 (running)',
      plan: 'growth',
      from: '2026-10-01T00:00:00.000Z',
      to: '2026-10-31T00:00:00.000Z',
      'units of the quota': '150,000 of 150,000 (100.0 %)',
      overage: '7 units, 0.0245 dollars',
      'live calls': '1',
      requests: '21',
      refused: '0',
      wallet: '25.00 dollars credited, 0.0245 dollars charged',
      balance: '24.9755 dollars',
      'in flight': '1 live call: 5 units, 0.0175 dollars of overage',
    });
  });

  it('groups usage by day with bars, by endpoint, by key, and by all of them', async () => {
    const byDay = cells(await good('usage', 'show', 'acme', '--by-day')).slice(-5);
    expect(byDay.map((row) => [row[0], row[1], row[4], row[6], row[7]])).toEqual([
      ['day (UTC)', 'requests', 'units', 'overage, dollars', ''],
      ['2026-10-02', '8', '149,990', '0.00', '█'.repeat(20)],
      ['2026-10-03', '6', '6', '0.00', '▏'],
      ['2026-10-04', '7', '11', '0.0245', '▏'],
      ['total', '21', '150,007', '0.0245', ''],
    ]);
    const byKey = cells(await good('usage', 'show', 'acme', '--by-key', '--by-endpoint')).slice(-6);
    expect(byKey.map((row) => row.slice(0, 3))).toEqual([
      ['endpoint', 'key', 'requests'],
      ['checkAccountLive', 'key_1', '1'],
      ['getDirectoryEntry', 'key_1', '8'],
      ['searchDirectory', 'key_1', '6'],
      ['searchDirectory', 'key_2', '6'],
      ['total', '', '21'],
    ]);
  });

  it('shows a period by its number, and all of them with a total', async () => {
    const first = fields(await good('usage', 'show', 'acme', '--period', '1'));
    expect(first).toMatchObject({
      period: '1 (settled)',
      requests: '40',
      'units of the quota': '40 of 150,000 (0.0 %)',
    });
    const all = cells(await good('usage', 'show', 'acme', '--period', 'all')).slice(-3);
    expect(all.map((row) => [row[0], row[4], row[5], row[8]])).toEqual([
      ['1', 'settled', '40', '40'],
      ['2', 'running', '21', '150,007'],
      ['total', '', '61', '150,047'],
    ]);
    const { periods, usage } = await json('usage', 'show', 'acme', '--period', 'all', '--by-key');
    expect(periods).toMatchObject([
      { period: 1, state: 'settled', units: 150_000, budget_units: 40 },
      { period: 2, state: 'running', overage_units: 7, overage_micro_usd: '24500' },
    ]);
    expect(usage).toMatchObject([
      { key: 'key_1', requests: 55 },
      { key: 'key_2', requests: 6 },
    ]);
  });

  it('says so for a holder that never called, or whose period is over', async () => {
    expect(await good('usage', 'show', 'mute')).toContain('mute has never called');
    expect(await json('usage', 'show', 'mute', '--by-day')).toMatchObject({ periods: [], usage: [] });
    expect(await good('usage', 'show', 'idle')).toContain('No period is running');
    await refused(/mute has no period 1: it has never called/, 'usage', 'show', 'mute', '--period', '1');
  });

  it('refuses unknown arguments', async () => {
    await refused(/no holder nobody.*holders list/, 'usage', 'show', 'nobody');
    await refused(/acme has no period 9: they are 1 to 2, or all/, 'usage', 'show', 'acme', '--period', '9');
    for (const bad of ['0', '-1', 'last', '1.5'])
      await refused(/number from 1 on, or all/, 'usage', 'show', 'acme', `--period=${bad}`);
    await refused(/unknown option/, 'usage', 'show', 'acme', '--by-week');
    await refused(/no holder nobody/, 'usage', 'audit', 'nobody');
  });

  it('is part of what holders show', async () => {
    expect(fields(await good('holders', 'show', 'acme'))).toMatchObject({
      'credited to the wallet': '25.00 dollars',
      charged: '0.0245 dollars',
      balance: '24.9755 dollars',
    });
    expect(await json('holders', 'show', 'acme')).toMatchObject({
      credit_micro_usd: '25000000',
      charged_micro_usd: '24500',
      balance_micro_usd: '24975500',
    });
  });
});

describe('usage audit', () => {
  it('confirms that everything adds up, for all holders and for one', async () => {
    const out = await good('usage', 'audit');
    expect(cells(out).slice(1)).toEqual([
      ['acme', '2', '5', '0.0245', '24.9755', 'consistent'],
      ['idle', '1', '1', '0.00', '0.00', 'consistent'],
      ['mute', '0', '0', '0.00', '0.00', 'consistent'],
    ]);
    expect(out).toMatch(/^3 holders, 3 periods, 6 ledger lines, 0\.0245 dollars charged: consistent\.$/m);
    expect(await json('usage', 'audit', 'acme')).toEqual({
      holders: 1,
      periods: 2,
      ledger_lines: 5,
      charged_micro_usd: '24500',
      differences: [],
    });
  });

  /** Changes rows by hand, looks at what the audit finds, and puts them back. */
  const planted = async (change: string, undo: string) => {
    await world.db.query(change);
    try {
      const { code, out, err } = await home.run(['usage', 'audit', '--json']);
      expect([code, err]).toEqual([1, '']);
      return JSON.parse(out).differences.map(
        (one: Record<string, string>) => `${one.holder}: ${one.what}: ${one.expected}, not ${one.found}`,
      );
    } finally {
      await world.db.query(undo);
    }
  };

  it.each([
    [
      'a running period',
      `update metering.accounts set live_calls = 9 where holder = 'acme'`,
      `update metering.accounts set live_calls = 1 where holder = 'acme'`,
      ['acme: running period 2, against its ledger entries: live_calls: 1, not 9'],
    ],
    [
      'an ended period',
      `update metering.periods set requests = 4 where holder = 'idle'`,
      `update metering.periods set requests = 3 where holder = 'idle'`,
      [
        'idle: ended period 1, against its ledger entries: requests: 3, not 4',
        'idle: UsageSettled of period 1: requests: 4, not 3',
      ],
    ],
    [
      'charges',
      `update metering.accounts set charged_micro_usd = 24499 where holder = 'acme'`,
      `update metering.accounts set charged_micro_usd = 24500 where holder = 'acme'`,
      ['acme: charged_micro_usd, against all ledger entries: 24500, not 24499'],
    ],
    [
      'a line that has no period',
      `select metering.fold_usage(1000); update metering.usage set period = 7 where holder = 'idle'`,
      `update metering.usage set period = 1 where holder = 'idle'`,
      [
        'idle: ended period 1, against its ledger entries: requests: 0, not 3',
        'idle: ended period 1, against its ledger entries: budget_units: 0, not 3',
        'idle: period 7: a running or ended period, not none',
      ],
    ],
    [
      'a reservation',
      `update metering.reservations set budget_units = 3`,
      `update metering.reservations set budget_units = 0`,
      ['acme: reserved in period 2, 2026-10-04 key_1 checkAccountLive: budget_units: at most 0, not 3'],
    ],
    [
      'a told period that the log knows nothing of',
      `insert into metering.periods values
         ('mute', 1, 'growth', '2026-09-01Z', '2026-10-01Z', '2026-10-01Z', 0, 0, 0, 0, 0, now(), now())`,
      `delete from metering.periods where holder = 'mute'`,
      ['mute: UsageSettled of period 1: 1 event, not none'],
    ],
    [
      'a period that was never told',
      `update metering.periods set settled_at = null, published_at = null where holder = 'idle'`,
      `update metering.periods set settled_at = '2026-10-04T13:15:01Z', published_at = now() where holder = 'idle'`,
      ['idle: UsageSettled of period 1 at position', 'a settled period, not ended'],
    ],
  ])('names %s that was changed by hand', async (_, change, undo, expected) => {
    const found = await planted(change, undo);
    const normal = found.join('\n').replace(/position \d+: /, 'position\n');
    expect(normal).toBe(expected.join('\n'));
    expect((await home.run(['usage', 'audit'])).code).toBe(0);
  });

  it('names credits that the log lacks, and a negative balance', async () => {
    const table = `${world.schema}.holders`;
    expect(
      await planted(
        `update ${table} set credit_micro_usd = 24499 where holder = 'acme'`,
        `update ${table} set credit_micro_usd = 25000000 where holder = 'acme'`,
      ),
    ).toEqual([
      'acme: credit_micro_usd, against the log: 25000000, not 24499',
      'acme: balance, micro-dollars: 0 or more, not -1',
    ]);
  });

  it('names a settlement that is in the log twice, only for the requested holder', async () => {
    const [event] = (await world.log.readStream(holderStream('idle'))).filter(
      (one) => one.type === 'UsageSettled',
    );
    await world.log.append(
      holderStream('idle'),
      [{ id: uuidV7(Date.now()), type: 'UsageSettled', data: event?.data }],
      'any',
    );
    const { code, out } = await home.run(['usage', 'audit'], WIDE);
    expect(code).toBe(1);
    expect(cells(out)).toContainEqual(['idle', 'UsageSettled of period 1', '1 event', '2 events']);
    expect(cells(out)).toContainEqual(['idle', '1', '1', '0.00', '0.00', '1 difference']);
    expect(out).toMatch(/charged: 1 difference\.$/m);
    expect((await home.run(['usage', 'audit', 'acme'])).code).toBe(0);
    expect((await home.run(['usage', 'audit', 'idle'])).code).toBe(1);
  });
});
