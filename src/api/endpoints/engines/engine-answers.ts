import { ageS } from '../../../read/age.ts';
import type { PoolBacklog } from '../../../read/engines/backlog.ts';
import { type EngineState, readEngines } from '../../../read/engines/engines.ts';
import { modelOf, type Window } from '../../../read/engines/windows.ts';
import type { ListReads } from '../../../read/lists/lists.ts';
import type { EngineAnswer } from '../../contract/schemas/engines.ts';
import type { Services } from '../../services.ts';

/** Digits that averages have a meaning in. */
const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100;

const poolOf = (
  { pool, paused, share, members, backlog, oldestDueMs, targetS }: PoolBacklog,
  nowMs: number,
): EngineAnswer['pools'][number] => ({
  pool,
  paused,
  share,
  members,
  backlog,
  oldest_due_s: oldestDueMs === null ? null : ageS(oldestDueMs, nowMs),
  target_s: targetS,
});

/** What operators wrote, and what alarms quote of platforms, is not for callers. */
const decidedOf = ({ row }: EngineState) => ({
  alarm: row?.alarm == null || row.alarm_at === null ? null : { reason: row.alarm, since: row.alarm_at },
  paused_since: row?.paused_at ?? null,
  rate_per_s: row?.rate_per_s ?? null,
  last_success_at: row?.last_success_at ?? null,
  last_error:
    row?.last_error == null || row.last_error_at === null
      ? null
      : { kind: row.last_error, at: row.last_error_at },
});

const answerOf = (engine: EngineState, window: Window, lagS: number | null, nowMs: number): EngineAnswer => ({
  key: engine.key,
  platform: engine.platform,
  status: engine.status,
  ...decidedOf(engine),
  workers: engine.workers,
  throughput_per_min: {
    last_1m: rounded(engine.perMin['1m']),
    last_1h: rounded(engine.perMin['1h']),
    last_24h: rounded(engine.perMin['24h']),
  },
  requests_per_min: rounded(engine.requestsPerMin),
  window,
  success_rate: engine.successRate === null ? null : Math.round(engine.successRate * 10_000) / 10_000,
  outcomes: engine.outcomes,
  latency_ms: engine.latencyMs,
  freshness: engine.freshness,
  catalog_size: engine.catalogSize,
  backlog: engine.backlog,
  oldest_due_s: engine.oldestDueS,
  pools: engine.pools.map((pool) => poolOf(pool, nowMs)),
  projection_lag_s: lagS,
});

/** An engine, and when its workers last reported. */
export interface AnsweredEngine {
  readonly engine: EngineAnswer;
  readonly reportedAtMs: number | null;
}

export const engineAnswers = async (
  { builds, health }: Pick<Services, 'builds' | 'health'>,
  lists: ListReads,
  window: Window,
  nowMs: number,
): Promise<readonly AnsweredEngine[]> => {
  const engines = await readEngines(lists, builds, window, nowMs);
  const lags = new Map(
    await Promise.all(
      (['frontier', 'listings'] as const).map(async (model) => [model, await health.lagS(model)] as const),
    ),
  );
  return engines.map((engine) => ({
    engine: answerOf(engine, window, lags.get(modelOf(engine.key)) ?? null, nowMs),
    reportedAtMs: engine.row?.reported_at == null ? null : Date.parse(engine.row.reported_at),
  }));
};
