import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/kernel/random.ts';
import { createBuild } from '../../../../src/projections/builds/builds.ts';
import { poolStats } from '../../../../src/projections/views/pool-stats/projection.ts';
import { openWriter } from '../../../../src/projections/writer.ts';
import { engineReportStream, engineStream } from '../../../../src/write/engines.ts';
import type { RecordedEvent } from '../../../../src/write/log/port.ts';
import { membersStream } from '../../../../src/write/pools/pool.ts';
import { differences } from '../../../support/compare.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { reportOf } from '../../../support/engines.ts';
import { decodeEvent } from '../../../support/memory-log.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 22, 8, 16, 5);
const HOURS = 600;
const iso = (ms: number): string => new Date(ms).toISOString();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Happening {
  readonly stream: string;
  readonly type: string;
  readonly data: unknown;
  readonly at: number;
}

const work = (requests: number, discovered: number) => ({
  requests,
  readings: requests,
  errors: 1,
  discovered,
});

const report = (
  at: number,
  recordedAt: number,
  pools: Record<string, ReturnType<typeof work>>,
): Happening => ({
  stream: engineReportStream('x'),
  type: 'CrawlBatchCompleted',
  data: reportOf(
    'x',
    'w',
    at,
    [
      { outcome: 'present', latencyMs: 5 },
      { outcome: 'unknown:timeout', latencyMs: 5 },
    ],
    { pools },
  ),
  at: recordedAt,
});

const recruited = (at: number, via: readonly ('mention' | 'demand')[]): Happening => ({
  stream: membersStream('x', 'wanted'),
  type: 'MembersRecruited',
  data: {
    observed_at: iso(at),
    members: via.map((each, n) => ({ handle: `a${n}`, via: each, from: null, depth: 0 })),
  },
  at,
});

const degraded = (at: number): Happening => ({
  stream: engineStream('x'),
  type: 'EngineDegraded',
  data: { at: iso(at), platform: 'x', reason: 'challenge', detail: 'all', worker: 'w' },
  at,
});

/** Twenty-five days; some reports arrive hours late, some weeks. */
const history = (): readonly Happening[] => {
  const random = seededRandom(11);
  return Array.from({ length: HOURS }, (_, hour) => NOW + hour * HOUR).flatMap((at) => {
    const late = random.next() < 0.1 ? random.int(500) * HOUR : 0;
    return [
      report(at - late, at, {
        press: work(10 + random.int(20), random.int(9)),
        [`p${random.int(3)}`]: work(3, 1),
      }),
      ...(random.next() < 0.2
        ? [recruited(at, random.next() < 0.5 ? ['mention'] : ['demand', 'mention'])]
        : []),
      ...(random.next() < 0.02 ? [degraded(at)] : []),
    ];
  });
};

const logOf = (happenings: readonly Happening[]): RecordedEvent[] =>
  happenings.map(({ at, ...event }, n) => decodeEvent(n + 1, { ...event, recorded_at: iso(at) }));

/** Folds events in pages of so many, by a new writer for each page if it is restarted. */
const folded = async (
  events: readonly RecordedEvent[],
  pageSize: number,
  isRestarted = false,
): Promise<string> => {
  const { schema } = await createBuild(database.db, poolStats, 'building');
  let writer = await openWriter(database.db, poolStats, schema);
  for (let from = 0; from < events.length; from += pageSize) {
    const page = events.slice(from, from + pageSize);
    if (isRestarted) writer = await openWriter(database.db, poolStats, schema);
    await writer.write({ events: page, endPosition: page.at(-1)?.position ?? 0n });
  }
  return schema;
};

const rowsOf = async (schema: string, table: string) =>
  (await database.db.query(`select * from ${schema}.${table}`)).rows;

describe('counters of pools', () => {
  it('are the same for any division of the log into batches, and after restarts', async () => {
    const events = logOf(history());
    const whole = await folded(events, events.length);
    expect(await differences(database.db, whole, await folded(events, 7))).toEqual([]);
    expect(await differences(database.db, whole, await folded(events, 131, true))).toEqual([]);
  });

  it('keep exactly the hours that findings compare', async () => {
    const schema = await folded(logOf(history()), 100);
    const { rows } = await database.db.query(
      `select max(hour) - min(hour) as hours from ${schema}.pool_hours where pool = 'press'`,
    );
    expect(rows[0].hours).toBeGreaterThan(390);
    expect(rows[0].hours).toBeLessThanOrEqual(400);
  });

  it('credit discoveries to the pool whose account was read, in requests, with the first and last report', async () => {
    const events = logOf([
      report(NOW, NOW, { press: work(10, 4) }),
      report(NOW + 60_000, NOW + 60_000, { press: work(5, 1), fans: work(2, 0) }),
      recruited(NOW + 70_000, ['demand', 'demand', 'mention']),
      degraded(NOW + 80_000),
    ]);
    const schema = await folded(events, 2);
    const pools = await rowsOf(schema, 'pool_hours');
    const [first, second, third, fourth] = events.map(({ id }) => id);
    expect(pools.find(({ pool }) => pool === 'press')).toMatchObject({
      ...{ requests: '15', readings: '15', errors: '2', discovered: '5' },
      ...{ first_report: first, last_report: second },
    });
    expect(pools.find(({ pool }) => pool === 'wanted')).toMatchObject({
      ...{ requests: '0', recruited: '3', demanded: '2', last_demand: third, first_report: null },
    });
    expect(await rowsOf(schema, 'engine_hours')).toMatchObject([
      { engine: 'x', readings: '4', errors: '2', alarms: 1, last_alarm: fourth, last_report: second },
    ]);
    expect(await rowsOf(schema, 'newest')).toMatchObject([{ event: fourth, position: '4' }]);
  });

  it('count a report from a fast clock in the hour of its recording', async () => {
    const schema = await folded(logOf([report(NOW + 9_000 * HOUR, NOW, { press: work(1, 0) })]), 1);
    expect(await rowsOf(schema, 'pool_hours')).toMatchObject([
      { pool: 'press', hour: Math.floor(NOW / HOUR) },
    ]);
  });
});
