import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV5 } from '../../../../src/kernel/ids.ts';
import { createBuild } from '../../../../src/projections/builds/builds.ts';
import { research } from '../../../../src/projections/views/research/projection.ts';
import { openWriter } from '../../../../src/projections/writer.ts';
import { engineReportStream } from '../../../../src/write/engines.ts';
import type { RecordedEvent } from '../../../../src/write/log/port.ts';
import { differences } from '../../../support/compare.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { reportOf } from '../../../support/engines.ts';
import { decodeEvent } from '../../../support/memory-log.ts';

const NOW = Date.UTC(2026, 10, 22, 8, 17);
const HOUR = 3_600_000;
const DAYS = 40;
const iso = (ms: number): string => new Date(ms).toISOString();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A run a day for forty days, between reports; every fifth run fails, findings of every third are superseded. */
const history = (): readonly RecordedEvent[] => {
  const events: RecordedEvent[] = [];
  const add = (stream: string, type: string, data: object, at: number): string => {
    const event = decodeEvent(events.length + 1, { stream, type, data, recorded_at: iso(at) });
    events.push(event);
    return event.id;
  };
  for (let day = 0; day < DAYS; day++) {
    const at = NOW + day * 24 * HOUR;
    const run = uuidV5(`run ${day}`);
    const stream = `research-${run}`;
    const reports = [0, 1].map((n) =>
      add(engineReportStream('x'), 'CrawlBatchCompleted', reportOf('x', 'w', at - n, []), at),
    );
    const limits = { limits: { floor: 0.1 }, pools: ['press'], observe_only: false };
    const started = {
      at: iso(at),
      run,
      trigger: 'schedule',
      seed: day,
      policy: 'p',
      as_of: reports[1],
      builds: {},
      ...limits,
      limits_set: null,
    };
    add(stream, 'ResearchRunStarted', started, at);
    add(
      stream,
      'PoolEvaluated',
      { at: iso(at), pool: 'press', platform: 'x', figures: {}, evidence: [], settings: null, draws: [] },
      at,
    );
    const finding = uuidV5(`finding ${day}`);
    const about = {
      kind: 'pool_yield',
      subject: 'press',
      summary: 's',
      metrics: {},
      confidence: 1,
      decision: null,
    };
    add(stream, 'FindingRecorded', { at: iso(at), finding, ...about, evidence: reports.toReversed() }, at);
    if (day % 3 === 1) {
      const old = `research-${uuidV5(`run ${day - 1}`)}`;
      const data = {
        at: iso(at),
        finding: uuidV5(`finding ${day - 1}`),
        reason: 'newer',
        successor: finding,
      };
      add(old, 'FindingSuperseded', data, at);
    }
    if (day % 5 === 0)
      add(stream, 'ResearchRunFailed', { at: iso(at), reason: 'interrupted', detail: '' }, at);
    else add(stream, 'ResearchRunCompleted', { at: iso(at), pools: 1, findings: 1, decisions: 0 }, at);
  }
  return events;
};

const folded = async (events: readonly RecordedEvent[], pageSize: number): Promise<string> => {
  const { schema } = await createBuild(database.db, research, 'building');
  const writer = await openWriter(database.db, research, schema);
  for (let from = 0; from < events.length; from += pageSize) {
    const page = events.slice(from, from + pageSize);
    await writer.write({ events: page, endPosition: page.at(-1)?.position ?? 0n });
  }
  return schema;
};

describe('the read model of research', () => {
  it('is the same for any division of the log into batches', async () => {
    const events = history();
    const whole = await folded(events, events.length);
    expect(await differences(database.db, whole, await folded(events, 1))).toEqual([]);
    expect(await differences(database.db, whole, await folded(events, 17))).toEqual([]);
  });

  it('resolves the evidence of every finding to positions in log order, and forgets it after some weeks', async () => {
    const schema = await folded(history(), 10);
    const { rows } = await database.db.query(
      `select evidence_positions as positions, status, position from ${schema}.findings order by position`,
    );
    expect(rows).toHaveLength(DAYS);
    for (const { positions, position } of rows) {
      expect(positions).toHaveLength(2);
      expect(Number(positions[0])).toBeLessThan(Number(positions[1]));
      expect(Number(positions[1])).toBeLessThan(Number(position));
    }
    expect(rows.filter(({ status }) => status === 'superseded')).toHaveLength(13);
    const kept = await database.db.query(`select count(*)::int as n from ${schema}.sources`);
    expect(kept.rows[0].n).toBe(2 * 18);
  });

  it('ignores reviews of unknown findings', async () => {
    const data = { at: iso(NOW), finding: uuidV5('nothing'), reason: 'r' };
    const event = decodeEvent(1, {
      stream: 'research-x',
      type: 'FindingConfirmed',
      data,
      recorded_at: iso(NOW),
    });
    const schema = await folded([event], 1);
    expect((await database.db.query(`select from ${schema}.findings`)).rowCount).toBe(0);
    expect((await database.db.query(`select from ${schema}.events`)).rowCount).toBe(1);
  });
});
