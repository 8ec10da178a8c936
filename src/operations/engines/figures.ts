import { ageS } from '../../read/age.ts';
import type { EngineState, PoolBacklog, Window } from '../../read/engines.ts';

const rounded = (value: number | null, digits: number): number | null =>
  value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits;

const poolFigures = (
  { pool, paused, share, members, backlog, oldestDueMs, targetS }: PoolBacklog,
  nowMs: number,
) => ({
  pool,
  paused,
  share,
  members,
  backlog,
  oldest_due_s: oldestDueMs === null ? null : ageS(oldestDueMs, nowMs),
  target_s: targetS,
});

const errorOf = (reason: string | null | undefined, at: string | null | undefined) =>
  reason == null || at == null ? null : { kind: reason, at };

/** An engine as the API shows it: without what operators wrote, and what alarms quote of platforms. */
export const engineFigures = (engine: EngineState, window: Window, nowMs: number) => {
  const { row } = engine;
  return {
    key: engine.key,
    platform: engine.platform,
    status: engine.status,
    alarm: row?.alarm == null || row.alarm_at === null ? null : { reason: row.alarm, since: row.alarm_at },
    paused_since: row?.paused_at ?? null,
    rate_per_s: row?.rate_per_s ?? null,
    workers: engine.workers,
    throughput_per_min: {
      last_1m: rounded(engine.perMin['1m'], 2),
      last_1h: rounded(engine.perMin['1h'], 2),
      last_24h: rounded(engine.perMin['24h'], 2),
    },
    requests_per_min: rounded(engine.requestsPerMin, 2),
    window,
    success_rate: rounded(engine.successRate, 4),
    outcomes: engine.outcomes,
    latency_ms: engine.latencyMs,
    freshness: engine.freshness,
    catalog_size: engine.catalogSize,
    backlog: engine.backlog,
    oldest_due_s: engine.oldestDueS,
    pools: engine.pools.map((pool) => poolFigures(pool, nowMs)),
    last_success_at: row?.last_success_at ?? null,
    last_error: errorOf(row?.last_error, row?.last_error_at),
  };
};

/** The same for operators. */
export const operatorFigures = (engine: EngineState, window: Window, nowMs: number) => ({
  ...engineFigures(engine, window, nowMs),
  alarm_detail: engine.row?.alarm_detail ?? null,
  paused_why: engine.row?.paused_why ?? null,
  reported_at: engine.row?.reported_at ?? null,
});
