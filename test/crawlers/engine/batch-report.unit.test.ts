import { expect, it } from 'vitest';
import { createBatchReport } from '../../../src/crawlers/engine/batch-report.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import type { EventLog, NewEvent } from '../../../src/write/log/port.ts';

const AT = Date.UTC(2026, 9, 1);

const make = () => {
  const events: NewEvent[] = [];
  const log = {
    append: async (_stream: string, appended: readonly NewEvent[]) => {
      events.push(...appended);
      return { status: 'appended' as const, revision: 0n, position: 1n };
    },
  } as unknown as EventLog;
  let requests = 3;
  const takeTraffic = () => ({ requests: requests++, bytes: 1_000 });
  return { report: createBatchReport('x', log, takeTraffic, AT), events };
};

it('counts outcomes, latencies and warnings since the last one', async () => {
  const { report, events } = make();
  for (let ms = 1; ms <= 100; ms++) report.outcome('present', ms, ms <= 2 ? ['odd'] : []);
  report.outcome('unknown:timeout', 500, []);
  await report.send(AT + 60_000);
  expect(events).toHaveLength(1);
  const data = events[0]?.data;
  expect(data).toEqual({
    platform: 'x',
    started_at: new Date(AT).toISOString(),
    finished_at: new Date(AT + 60_000).toISOString(),
    requests: 3,
    bytes: 1_000,
    outcomes: { present: 100, 'unknown:timeout': 1 },
    latency_ms: { p50: 51, p95: 96, p99: 100 },
    warnings: { odd: 2 },
  });
  expect(eventTypes.CrawlBatchCompleted.schema.safeParse(data).success).toBe(true);

  report.outcome('absent', 7, []);
  await report.send(AT + 120_000);
  expect(events[1]?.data).toMatchObject({
    started_at: new Date(AT + 60_000).toISOString(),
    outcomes: { absent: 1 },
    latency_ms: { p50: 7, p95: 7, p99: 7 },
    warnings: {},
  });
});

it('says nothing where nothing was done', async () => {
  const { report, events } = make();
  await report.send(AT + 60_000);
  expect(events).toEqual([]);
});

it('keeps a bounded number of kinds of warnings', async () => {
  const { report, events } = make();
  for (let i = 0; i < 500; i++) report.outcome('present', 1, [`warning ${i}`, 'warning 3']);
  await report.send(AT + 60_000);
  const [{ data }] = events as [NewEvent];
  const { warnings } = data as { warnings: Record<string, number> };
  expect(Object.keys(warnings)).toHaveLength(20);
  expect(warnings['warning 3']).toBe(501);
});
