import { expect, it } from 'vitest';
import { createBatchReport } from '../../../src/crawlers/engine/batch-report.ts';
import { quantileOf } from '../../../src/kernel/log-bins.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import type { EventLog, NewEvent } from '../../../src/write/log/port.ts';

const AT = Date.UTC(2026, 9, 1);

const make = ({ live = 1 } = {}) => {
  const events: NewEvent[] = [];
  const log = {
    append: async (_stream: string, appended: readonly NewEvent[]) => {
      events.push(...appended);
      return { status: 'appended' as const, revision: 0n, position: 1n };
    },
  } as unknown as EventLog;
  let requests = live === 0 ? 0 : 3;
  const takeTraffic = async () => ({
    crawl: { requests: requests++, bytes: 1_000 },
    live: { requests: live, bytes: 10 * live },
  });
  const report = createBatchReport('x', 'w1', log, takeTraffic, AT);
  const outcome = (kind: string, latencyMs: number, warnings: readonly string[], pool = 'seed-x') =>
    report.reading({ outcome: kind, latencyMs, warnings, pool, requests: 2, atMs: AT + latencyMs });
  return { report, outcome, events };
};

it('a batch report counts outcomes, latencies and warnings since the last one', async () => {
  const { report, outcome, events } = make();
  for (let ms = 1; ms <= 100; ms++) outcome('present', ms, ms <= 2 ? ['odd'] : []);
  outcome('unknown:timeout', 500, []);
  await report.send(AT + 60_000);
  expect(events).toHaveLength(1);
  const data = events[0]?.data;
  expect(data).toEqual({
    platform: 'x',
    worker: 'w1',
    started_at: new Date(AT).toISOString(),
    finished_at: new Date(AT + 60_000).toISOString(),
    requests: 3,
    bytes: 1_000,
    live: { requests: 1, bytes: 10 },
    outcomes: { present: 100, 'unknown:timeout': 1 },
    latency_ms: { p50: 51, p95: 96, p99: 100 },
    latency_bins: expect.any(Object),
    pools: { 'seed-x': { requests: 202, readings: 101, errors: 1, discovered: 0, namers: 0 } },
    last_success_at: new Date(AT + 100).toISOString(),
    last_error: { reason: 'timeout', at: new Date(AT + 500).toISOString() },
    warnings: { odd: 2 },
  });
  expect(eventTypes.CrawlBatchCompleted.schema.safeParse(data).success).toBe(true);

  outcome('absent', 7, []);
  await report.send(AT + 120_000);
  expect(events[1]?.data).toMatchObject({
    started_at: new Date(AT + 60_000).toISOString(),
    outcomes: { absent: 1 },
    latency_ms: { p50: 7, p95: 7, p99: 7 },
    warnings: {},
  });
});

it('a batch report is omitted if nothing was done', async () => {
  const { report, events } = make({ live: 0 });
  await report.send(AT + 60_000);
  expect(events).toEqual([]);
});

it('a batch report keeps a bounded number of kinds of warnings', async () => {
  const { report, outcome, events } = make();
  for (let i = 0; i < 500; i++) outcome('present', 1, [`warning ${i}`, 'warning 3']);
  await report.send(AT + 60_000);
  const [{ data }] = events as [NewEvent];
  const { warnings } = data as { warnings: Record<string, number> };
  expect(Object.keys(warnings)).toHaveLength(20);
  expect(warnings['warning 3']).toBe(501);
});

it('a batch report credits yield and cost to the pool whose account was read', async () => {
  const { report, outcome, events } = make();
  outcome('present', 1, [], 'seed-x');
  outcome('unknown:timeout', 1, [], 'fans');
  for (const isFirst of [true, false, false, true]) report.discovered('seed-x', isFirst);
  await report.send(AT + 60_000);
  expect(events[0]?.data).toMatchObject({
    pools: {
      'seed-x': { requests: 2, readings: 1, errors: 0, discovered: 4, namers: 2 },
      fans: { requests: 2, readings: 1, errors: 1, discovered: 0 },
    },
  });
});

it('a batch report adds up with others to percentiles of all readings', async () => {
  const latencies = Array.from({ length: 2_000 }, (_, n) => 3 + ((n * 7_919) % 2_000) ** 1.3);
  const merged = new Map<number, number>();
  for (let part = 0; part < 5; part++) {
    const { report, outcome, events } = make();
    for (const ms of latencies.filter((_, n) => n % 5 === part)) outcome('present', ms, []);
    await report.send(AT + 60_000);
    const [event] = events as [NewEvent];
    const { latency_bins } = event.data as { latency_bins: Record<string, number> };
    for (const [bin, n] of Object.entries(latency_bins))
      merged.set(Number(bin), (merged.get(Number(bin)) ?? 0) + n);
  }
  const bins = [...merged].map(([bin, n]) => ({ bin, n })).sort((a, b) => a.bin - b.bin);
  const sorted = latencies.toSorted((a, b) => a - b);
  for (const q of [0.5, 0.95, 0.99]) {
    const exact = sorted[Math.ceil(q * sorted.length) - 1] as number;
    expect(Math.abs((quantileOf(bins, q) as number) - exact) / exact).toBeLessThan(0.05);
  }
});
