import { endPause } from '../../crawlers/engine/token-bucket.ts';
import { endFeedPauses } from '../../crawlers/marketplace/feed-store.ts';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { isSource, platformOfSource, SOURCES, type Source } from '../../kernel/platform.ts';
import { inTransaction } from '../../kernel/postgres/pool.ts';
import { watchBuilds } from '../../read/active-builds.ts';
import { ageS } from '../../read/age.ts';
import {
  type EngineMinute,
  type EngineState,
  type PoolBacklog,
  readEngineMinutes,
  readEngines,
  type Window,
} from '../../read/engines.ts';
import { openReadPool } from '../../read/read-pool.ts';
import { decideEngine, type EngineCommand, engineEvent, engineStream } from '../../write/engines.ts';
import type { OperationsContext } from '../context.ts';

export type { EngineMinute, EngineState, PoolBacklog, Window } from '../../read/engines.ts';

/** @throws {OperatorError} `engine_unknown` */
export const parseEngine = (name: string): Source => {
  const key = name.toLowerCase();
  if (isSource(key)) return key;
  throw new OperatorError('engine_unknown', `"${name}" is no engine. The engines are: ${SOURCES.join(', ')}`);
};

/** Reads the state of engines, until it is closed. */
export interface EngineReads {
  /** All engines as of now. @param window of outcomes, success and latencies. */
  read(window: Window): Promise<readonly EngineState[]>;
  /** The work of an engine in each minute of the last hour. */
  minutes(engine: Source): Promise<readonly EngineMinute[]>;
  close(): Promise<void>;
}

export const openEngineReads = async ({
  db,
  url,
  logger,
}: Pick<OperationsContext, 'db' | 'url' | 'logger'>): Promise<EngineReads> => {
  const builds = await watchBuilds(db, logger);
  const pool = await openReadPool(url, 2);
  return {
    read: (window) => readEngines(pool, builds, window, systemClock.now()),
    minutes: (engine) => readEngineMinutes(pool, builds, engine, systemClock.now()),
    close: async () => {
      builds.close();
      await pool.end();
    },
  };
};

/**
 * Pauses or resumes an engine, or sets its rate. Every process obeys within two seconds. To resume it also ends the pause that
 * failed readings began.
 * @returns whether that changed anything.
 * @throws {OperatorError} `argument_invalid`, `reason_missing`
 */
export const controlEngine = async (
  { log, db }: Pick<OperationsContext, 'log' | 'db'>,
  engine: Source,
  command: EngineCommand,
): Promise<boolean> => {
  if (command.do === 'pause' && command.why.trim() === '')
    throw new OperatorError('reason_missing', 'A pause needs a reason, which is recorded with it.');
  if (command.do === 'tune' && !(command.ratePerS >= 0.01 && command.ratePerS <= 10_000))
    throw new OperatorError('argument_invalid', 'A rate is from 0.01 to 10000 requests a second.');
  const isDecided = await decideEngine(log, db, engine, command, systemClock.now());
  if (command.do !== 'resume') return isDecided;
  const platform = platformOfSource(engine);
  const isEnded = await inTransaction(db, async (client) => {
    const nowMs = systemClock.now();
    const wasResting = platform === null ? await endFeedPauses(client) : await endPause(client, platform);
    // The rest ends only if the log has it.
    if (wasResting)
      await log.append(
        engineStream(engine),
        [engineEvent('EngineRestEnded', { at: isoOf(nowMs) }, nowMs)],
        'any',
      );
    return wasResting;
  });
  return isDecided || isEnded;
};

/** An engine as the API shows it: without texts of operators, and without what alarms quote from platforms. */
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

/** An engine as operators see it. */
export const operatorFigures = (engine: EngineState, window: Window, nowMs: number) => ({
  ...engineFigures(engine, window, nowMs),
  alarm_detail: engine.row?.alarm_detail ?? null,
  paused_why: engine.row?.paused_why ?? null,
  reported_at: engine.row?.reported_at ?? null,
  pause: engine.pause,
});

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
