import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Source } from '../../../../src/kernel/platform.ts';
import { seededRandom } from '../../../../src/kernel/random.ts';
import { createBuild } from '../../../../src/projections/builds/builds.ts';
import { engines } from '../../../../src/projections/views/engines/projection.ts';
import { openWriter } from '../../../../src/projections/writer.ts';
import { engineReportStream, engineStream } from '../../../../src/write/engines.ts';
import type { RecordedEvent } from '../../../../src/write/log/port.ts';
import { differences } from '../../../support/compare.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { drawnReadings, type ReportData, reportOf } from '../../../support/engines.ts';
import { decodeEvent } from '../../../support/memory-log.ts';

const NOW = Date.UTC(2026, 10, 22, 8, 16, 5);
const MINUTE = 60_000;
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
  /** When the log recorded it. */
  readonly at: number;
}

const report = (
  engine: Source,
  data: ReportData,
  at = NOW,
  stream = engineReportStream(engine),
): Happening => ({
  stream,
  type: 'CrawlBatchCompleted',
  data,
  at,
});

const logOf = (happenings: readonly Happening[]): RecordedEvent[] =>
  happenings.map(({ stream, type, data, at }, n) =>
    decodeEvent(n + 1, { stream, type, data, recorded_at: iso(at) }),
  );

/** Folds events into a build of its own, in pages of so many, by a new writer for each page if it is restarted. */
const folded = async (
  events: readonly RecordedEvent[],
  pageSize: number,
  isRestarted = false,
): Promise<string> => {
  const { schema } = await createBuild(database.db, engines, 'building');
  let writer = await openWriter(database.db, engines, schema);
  for (let from = 0; from < events.length; from += pageSize) {
    const page = events.slice(from, from + pageSize);
    if (isRestarted) writer = await openWriter(database.db, engines, schema);
    await writer.write({ events: page, endPosition: page.at(-1)?.position ?? 0n });
  }
  return schema;
};

const rowsOf = async (schema: string, table: string, order: string) =>
  (await database.db.query(`select * from ${schema}.${table} order by ${order}`)).rows;

const rowOf = async (happenings: readonly Happening[], engine: string) => {
  const schema = await folded(logOf(happenings), 100);
  return (await rowsOf(schema, 'engines', 'engine')).find((row) => row.engine === engine);
};

/** Two days of reports of three engines and four workers, some of which arrive hours late. */
const history = (): readonly Happening[] => {
  const random = seededRandom(5);
  const happenings: Happening[] = [];
  for (let minute = 0; minute < 2 * 24 * 60; minute += 3) {
    for (const engine of ['x', 'tiktok', 'marketplace'] as const) {
      const worker = `w${random.int(4)}`;
      const at = NOW + minute * MINUTE;
      const finishedAt = random.next() < 0.1 ? at - random.int(40 * 60) * MINUTE : at;
      happenings.push(
        report(engine, reportOf(engine, worker, finishedAt, drawnReadings(random, random.int(4))), at),
      );
    }
  }
  return happenings;
};

describe('the read model of engines', () => {
  it('is the same for any division of the log into batches, and after restarts', async () => {
    const events = logOf(history());
    const whole = await folded(events, events.length);
    expect(await differences(database.db, whole, await folded(events, 97))).toEqual([]);
    expect(await differences(database.db, whole, await folded(events, 331, true))).toEqual([]);
  });

  it('keeps what each engine’s 24-hour windows need, however long the log is', async () => {
    const schema = await folded(logOf(history()), 500);
    const spans = await database.db.query<{ engine: string; hours: string; minutes: string }>(
      `select engine, (select max(hour) - min(hour) from ${schema}.hours h where h.engine = e.engine) as hours,
         (select max(minute) - min(minute) from ${schema}.minutes m where m.engine = e.engine) as minutes
       from ${schema}.engines e order by engine`,
    );
    expect(spans.rows.map(({ engine }) => engine)).toEqual(['marketplace', 'tiktok', 'x']);
    for (const { hours, minutes } of spans.rows) {
      expect(Number(hours)).toBeGreaterThanOrEqual(24);
      expect(Number(hours)).toBeLessThanOrEqual(30);
      expect(Number(minutes)).toBeGreaterThan(60);
      expect(Number(minutes)).toBeLessThanOrEqual(90);
    }
  });

  it('counts a report from a fast clock by its recording time, so that it ends no other bucket', async () => {
    const sound = reportOf('x', 'sound', NOW, [{ outcome: 'present', latencyMs: 10 }]);
    const ahead = reportOf('x', 'ahead', NOW + 400 * 86_400_000, [
      { outcome: 'unknown:timeout', latencyMs: 10 },
    ]);
    const schema = await folded(logOf([report('x', sound), report('x', ahead), report('x', sound)]), 1);
    const minute = Math.floor(NOW / MINUTE);
    expect(await rowsOf(schema, 'minutes', 'worker')).toMatchObject([
      { worker: 'ahead', minute, readings: '1' },
      { worker: 'sound', minute, readings: '2' },
    ]);
    const [row] = await rowsOf(schema, 'engines', 'engine');
    expect(row).toMatchObject({ last_error_at: iso(NOW), reported_at: iso(NOW) });
  });

  it('knows the newest success and error for any order of reports', async () => {
    const early = reportOf('x', 'a', NOW, [], {
      last_success_at: iso(NOW - 5),
      last_error: { reason: 'timeout', at: iso(NOW - 1) },
    });
    const late = reportOf('x', 'b', NOW, [], {
      last_success_at: iso(NOW - 2),
      last_error: { reason: 'challenge', at: iso(NOW - 1) },
    });
    const expected = {
      last_success_at: iso(NOW - 2),
      last_error: 'timeout',
      last_error_at: iso(NOW - 1),
      read_at: null,
    };
    expect(await rowOf([report('x', early), report('x', late)], 'x')).toMatchObject(expected);
    expect(await rowOf([report('x', late), report('x', early)], 'x')).toMatchObject(expected);
  });

  it('shows the open alarm, and what operators decided', async () => {
    const stream = engineStream('marketplace');
    const at = iso(NOW);
    const degraded = { at, platform: null, reason: 'sweep_implausible', detail: 'all are gone', worker: 'w' };
    const story: Happening[] = [
      { stream, type: 'EngineDegraded', data: degraded, at: NOW },
      { stream, type: 'EnginePaused', data: { at, why: 'their feed is broken' }, at: NOW },
      { stream, type: 'EngineTuned', data: { at, rate_per_s: 0.3 }, at: NOW },
    ];
    expect(await rowOf(story, 'marketplace')).toMatchObject({
      alarm: 'sweep_implausible',
      alarm_detail: 'all are gone',
      paused_why: 'their feed is broken',
      rate_per_s: 0.3,
      reported_at: null,
    });
    const ended: Happening[] = [
      ...story,
      { stream, type: 'EngineRecovered', data: { at, platform: null, worker: 'w' }, at: NOW },
      { stream, type: 'EngineResumed', data: { at }, at: NOW },
    ];
    expect(await rowOf(ended, 'marketplace')).toMatchObject({
      alarm: null,
      alarm_at: null,
      paused_at: null,
      paused_why: null,
      rate_per_s: 0.3,
    });
  });
});
