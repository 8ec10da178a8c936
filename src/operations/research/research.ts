import { randomInt } from 'node:crypto';
import { isoOf } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { uuidV5, uuidV7 } from '../../kernel/ids.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import { withReadSnapshot } from '../../kernel/postgres/pool.ts';
import { steadyMs } from '../../kernel/retry.ts';
import { directory } from '../../projections/views/directory/projection.ts';
import { frontier } from '../../projections/views/frontier/projection.ts';
import { poolStats } from '../../projections/views/pool-stats/projection.ts';
import { HOUR_MS } from '../../projections/views/pool-stats/tables.ts';
import { pools } from '../../projections/views/pools/projection.ts';
import { research } from '../../projections/views/research/projection.ts';
import {
  type ChangeCount,
  type EngineHourRow,
  type LastFinding,
  type PoolHourRow,
  readLastFindings,
  readUnfinishedRuns,
  type Schemas,
} from '../../read/research/runs.ts';
import type { EventLog, NewEvent } from '../../write/log/port.ts';
import {
  type CountedHour,
  type Counts,
  type EngineCounts,
  type Finding,
  findingsOf,
  type PoolCounts,
} from '../../write/research/findings.ts';
import { type Decision, type DrawnPool, decide, drawPools, POLICY } from '../../write/research/policy.ts';
import {
  decisionEvent,
  type ExpansionDecided,
  type FindingRecorded,
  type ResearchEvent,
  researchStream,
} from '../../write/research/research.ts';
import type { OperationsContext } from '../context.ts';
import { activeSchema, waitForProjection } from '../projections/read-model.ts';
import {
  DISMISSED_MS,
  endUnfinishedRuns,
  type Finishing,
  finishRun,
  newFindings,
  readRun,
} from './finish.ts';
import {
  type EvaluatedPool,
  evaluatePools,
  graceOf,
  isCurrent,
  readSnapshot,
  type Snapshot,
  timeOf,
} from './inputs.ts';
import { type ActiveLimits, readActiveLimits } from './limits.ts';

export interface RunOptions {
  readonly trigger: 'schedule' | 'operator';
  /** Whether to decide only, and record and change nothing. */
  readonly dryRun?: boolean;
  /** Seed of the draws, from 0 to 2^32 - 1; random by default. */
  readonly seed?: number;
}

export interface RunResult extends PlannedRun {
  /** Decisions that changed a pool; null for a dry run. */
  readonly applied: number | null;
}

/**
 * A run, when no other one is running.
 * @throws {OperatorError} `research_busy` if another process runs research for longer than half a minute,
 * `research_lease_lost`.
 */
export const runOnce = async (context: OperationsContext, options: RunOptions): Promise<RunResult> => {
  if (options.dryRun === true) return runResearch(context, options);
  let result: RunResult | undefined;
  const waiting = new AbortController();
  const patience = setTimeout(() => waiting.abort(), PATIENCE_MS);
  try {
    await withLease(context.url, RUN_LEASE, waiting.signal, async (lease) => {
      clearTimeout(patience);
      result = await runResearch({ ...context, log: whileHeld(context.log, lease) }, options);
    });
  } finally {
    clearTimeout(patience);
  }
  if (result === undefined)
    throw new OperatorError(
      'research_busy',
      'Another process runs research: try again when its run has ended.',
    );
  return result;
};

const presentIds = (...ids: readonly (string | null)[]): readonly string[] => ids.flatMap((id) => id ?? []);

const reportIds = (row: PoolHourRow | EngineHourRow | undefined): readonly string[] =>
  row === undefined ? [] : presentIds(row.last_report, row.first_report);

/** The share of an hour that has elapsed, from 0 to 1. */
const elapsedShare = (hour: number, nowMs: number): number => Math.min(1, (nowMs - hour * HOUR_MS) / HOUR_MS);

/** Every hour since the first one with a row. An hour in which nothing was counted has no row. */
const everyHour = <Row extends { readonly hour: number }>(
  rows: readonly Row[],
  nowMs: number,
): readonly { readonly hour: number; readonly row: Row | undefined }[] => {
  const byHour = new Map(rows.map((row) => [row.hour, row]));
  const first = rows[0]?.hour;
  const last = Math.floor(nowMs / HOUR_MS);
  if (first === undefined || first > last) return [];
  return Array.from({ length: last - first + 1 }, (_, n) => ({
    hour: first + n,
    row: byHour.get(first + n),
  }));
};

type Changes = ReadonlyMap<string, readonly ChangeCount[]>;

const changesBy = (changes: readonly ChangeCount[]): Changes => Map.groupBy(changes, ({ by }) => by);

/** Changes of accounts by hour, with the readings that could have shown them. */
const ofReadings = (
  changes: readonly ChangeCount[] = [],
  rows: readonly (PoolHourRow | EngineHourRow)[],
): readonly CountedHour[] => {
  const found = new Map(changes.map(({ hour, n }) => [hour, n]));
  return rows.map((row) => ({
    hour: row.hour,
    count: found.get(row.hour) ?? 0,
    exposure: row.readings,
    evidence: reportIds(row),
  }));
};

const poolCounts = (
  { poolHours, lateness, nowMs }: Snapshot,
  jumps: Changes,
  isFrontierCurrent: boolean,
  row: Snapshot['pools'][number],
): PoolCounts => {
  const rows = poolHours.get(row.pool) ?? [];
  const late = lateness.get(row.pool);
  return {
    pool: row.pool,
    platform: row.platform,
    discovered: rows.map((each) => ({
      hour: each.hour,
      count: each.discovered,
      namers: each.namers,
      exposure: each.requests,
      evidence: reportIds(each),
    })),
    demanded: everyHour(rows, nowMs).map(({ hour, row: each }) => ({
      hour,
      count: each?.demanded ?? 0,
      exposure: elapsedShare(hour, nowMs),
      evidence: presentIds(each?.last_demand ?? null),
    })),
    jumps: ofReadings(jumps.get(row.pool), rows),
    late:
      !isFrontierCurrent || late === undefined || late.accounts === 0
        ? null
        : { late: late.late, accounts: late.accounts, graceS: graceOf(row) },
  };
};

const engineCounts = (
  { nowMs }: Snapshot,
  renames: Changes,
  engine: string,
  rows: readonly EngineHourRow[],
): EngineCounts => ({
  engine,
  errors: rows.map((row) => ({
    hour: row.hour,
    count: row.errors,
    exposure: row.readings,
    evidence: reportIds(row),
  })),
  alarms: rows.map((row) => ({
    hour: row.hour,
    count: row.alarms,
    exposure: elapsedShare(row.hour, nowMs),
    evidence: presentIds(row.last_alarm),
  })),
  renames: ofReadings(renames.get(engine), rows),
});

/**
 * The counters that the rules of findings compare.
 * @param isFrontierCurrent whether it is known which accounts are late.
 */
const countsOf = (snapshot: Snapshot, isFrontierCurrent: boolean): Counts => {
  const [jumps, renames] = [changesBy(snapshot.jumps), changesBy(snapshot.renames)];
  return {
    now: Math.floor(snapshot.nowMs / HOUR_MS),
    pools: snapshot.pools.map((row) => poolCounts(snapshot, jumps, isFrontierCurrent, row)),
    engines: [...snapshot.engineHours].map(([engine, rows]) => engineCounts(snapshot, renames, engine, rows)),
  };
};

/** Appends events to the stream of a run. */
interface Recorder {
  /** @returns the event's position. @throws {OperatorError} `research_run_ended` if another process ended the run. */
  append(event: ResearchEvent): Promise<bigint>;
}

/**
 * Records a run event by event, so that the stream never claims more than the process did. Others may append meanwhile:
 * operators review findings during a run.
 */
const createRecorder = (log: EventLog, run: string, clock: () => number): Recorder => {
  const stream = researchStream(run);
  let revision: bigint | null = null;
  return {
    append: async ({ type, data }) => {
      const event: NewEvent = { id: uuidV7(clock()), type, data };
      for (;;) {
        const outcome = await log.append(stream, [event], revision ?? 'no_stream');
        revision = outcome.revision;
        if (outcome.status === 'appended') return outcome.position;
        if ((await readRun(log, run)).state.ended !== null)
          throw new OperatorError('research_run_ended', `The run ${run} was ended by another process.`);
      }
    },
  };
};

/** What a run rests on. */
interface RunInputs {
  readonly run: string;
  readonly trigger: 'schedule' | 'operator';
  readonly seed: number;
  readonly limits: ActiveLimits;
  readonly snapshot: Snapshot;
  readonly known: readonly LastFinding[];
  /** Whether the read model that lateness is counted in has all but the last minutes of the log. */
  readonly isFrontierCurrent: boolean;
}

/** A run before it is recorded. */
interface PlannedRun {
  readonly run: string;
  readonly events: readonly ResearchEvent[];
  readonly decisions: readonly ExpansionDecided[];
  readonly findings: readonly FindingRecorded[];
}

const findingOf = (
  { run, snapshot }: RunInputs,
  { kind, subject, summary, metrics, confidence, evidence }: Finding,
  decisions: ReadonlyMap<string, Decision>,
): FindingRecorded => {
  const isOfYield = kind === 'pool_yield' || kind === 'pool_exhausted';
  const own = isOfYield ? decisions.get(subject) : undefined;
  return {
    at: isoOf(snapshot.nowMs),
    finding: uuidV5(`finding ${run} ${kind} ${subject}`),
    ...{ kind, subject, summary, metrics, confidence },
    decision: own === undefined || own.action === 'hold' ? null : own.decision,
    evidence: [...evidence],
  };
};

const startedEvent = ({ run, trigger, seed, limits, snapshot }: RunInputs): ResearchEvent => {
  const { poolStats: pool_stats, ...others } = snapshot.builds;
  return {
    type: 'ResearchRunStarted',
    data: {
      at: isoOf(snapshot.nowMs),
      ...{ run, trigger, seed, policy: POLICY, as_of: snapshot.asOf, builds: { pool_stats, ...others } },
      limits: { ...limits.limits },
      pools: limits.pools === null ? null : [...limits.pools],
      observe_only: limits.observe_only,
      limits_set: limits.set,
    },
  };
};

const evaluatedEvent = (
  at: string,
  { pool, platform, figures, draws, evidence, settings }: DrawnPool & EvaluatedPool,
): ResearchEvent => ({
  type: 'PoolEvaluated',
  data: {
    at,
    pool,
    platform: platform as Extract<ResearchEvent, { type: 'PoolEvaluated' }>['data']['platform'],
    figures: { ...figures },
    evidence: [...evidence],
    settings,
    draws: [...draws],
  },
});

/** Everything that a run finds and decides, as its events have it. */
const planRun = async (log: EventLog, inputs: RunInputs): Promise<PlannedRun> => {
  const { run, seed, limits, snapshot, known, isFrontierCurrent } = inputs;
  const at = isoOf(snapshot.nowMs);
  const pools: readonly EvaluatedPool[] = await evaluatePools(log, snapshot, limits);
  const drawn = drawPools(seed, pools, limits.limits);
  const decisions = decide(run, drawn, limits.limits);
  const byPool = new Map(decisions.map((each) => [each.pool, each]));
  const findings = newFindings(findingsOf(countsOf(snapshot, isFrontierCurrent)), known, snapshot.nowMs).map(
    (each) => findingOf(inputs, each, byPool),
  );
  const decided = decisions.map((each) => decisionEvent(at, each));
  return {
    run,
    findings,
    decisions: decided.map(({ data }) => data as ExpansionDecided),
    events: [
      startedEvent(inputs),
      ...drawn.map((pool) => evaluatedEvent(at, pool)),
      ...findings.map((data): ResearchEvent => ({ type: 'FindingRecorded', data })),
      ...decided,
    ],
  };
};

/** Records a planned run, does what follows from it, and ends it. */
const recordRun = async (
  finishing: Finishing,
  { run, events, decisions, findings }: PlannedRun,
  { limits: { observe_only } }: Pick<RunInputs, 'limits'>,
): Promise<{ readonly applied: number }> => {
  const { log, clock } = finishing;
  const recorder = createRecorder(log, run, clock);
  const [first, ...others] = events as readonly [ResearchEvent, ...ResearchEvent[]];
  const since = await recorder.append(first);
  for (const event of others) await recorder.append(event);
  const pools = events.flatMap(({ type, data }) => (type === 'PoolEvaluated' ? data : []));
  const applied = await finishRun(finishing, { found: findings, decisions, pools, since, observe_only });
  const changes = decisions.filter(({ action }) => action !== 'hold').length;
  const data = { at: isoOf(clock()), pools: pools.length, findings: findings.length, decisions: changes };
  await recorder.append({ type: 'ResearchRunCompleted', data });
  return { applied };
};

/** The lease of a run: there is one at a time. */
const RUN_LEASE = { kind: ADVISORY_LOCKS.RESEARCH_LEASE, name: 'research run' };

/** Read models that a run reads. Those of research, pools and their counters have the whole log. */
const openSchemas = async (context: OperationsContext): Promise<Schemas> => {
  const head = await context.log.head();
  for (const each of [poolStats, pools, research]) await waitForProjection(context, each, head);
  return {
    poolStats: await activeSchema(context.db, poolStats),
    pools: await activeSchema(context.db, pools),
    frontier: await activeSchema(context.db, frontier),
    directory: await activeSchema(context.db, directory),
    research: await activeSchema(context.db, research),
  };
};

/** A clock that continues from a time of the database. */
const clockFrom = (nowMs: number): (() => number) => {
  const from = steadyMs();
  return () => Math.floor(nowMs + steadyMs() - from);
};

/** Runs research. The caller holds the lease of runs. First carries out what interrupted runs decided. */
const runResearch = async (
  context: OperationsContext,
  { trigger, dryRun = false, seed = randomInt(2 ** 32) }: RunOptions,
): Promise<RunResult> => {
  const { db, log } = context;
  if (!dryRun) {
    const schemas = await openSchemas(context);
    const clock = clockFrom(await timeOf(db));
    await endUnfinishedRuns({ log, db, schemas, clock }, await readUnfinishedRuns(db, schemas.research));
  }
  const schemas = await openSchemas(context);
  const limits = await readActiveLimits(context);
  const { snapshot, known } = await withReadSnapshot(db, async (client) => {
    const read = await readSnapshot(client, schemas);
    const since = new Date(read.nowMs - DISMISSED_MS);
    return { snapshot: read, known: await readLastFindings(client, schemas.research, since) };
  });
  const clock = clockFrom(snapshot.nowMs);
  const isFrontierCurrent = await isCurrent(log, frontier, snapshot.builds.frontier, snapshot.nowMs);
  const inputs = { run: uuidV7(snapshot.nowMs), trigger, seed, limits, snapshot, known, isFrontierCurrent };
  const planned = await planRun(log, inputs);
  if (dryRun) return { ...planned, applied: null };
  return { ...planned, ...(await recordRun({ log, db, schemas, clock }, planned, inputs)) };
};

/** How long to wait for the run of another process. */
const PATIENCE_MS = 30_000;

/** A log that refuses appends once the lease is lost, since another process may hold it by then. */
const whileHeld = (log: EventLog, lease: AbortSignal): EventLog => {
  const check = () => {
    if (lease.aborted)
      throw new OperatorError(
        'research_lease_lost',
        'The lease of research was lost: the next run ends this one.',
      );
  };
  return {
    ...log,
    append: async (...args) => {
      check();
      return log.append(...args);
    },
    appendMany: async (...args) => {
      check();
      return log.appendMany(...args);
    },
  };
};
