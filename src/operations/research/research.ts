import { randomInt } from 'node:crypto';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import { withReadSnapshot } from '../../kernel/postgres/read-snapshot.ts';
import { steadyMs } from '../../kernel/retry.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import type { Projection } from '../../projections/projection.ts';
import { directory } from '../../projections/views/directory/projection.ts';
import { frontier } from '../../projections/views/frontier/projection.ts';
import { poolStats } from '../../projections/views/pool-stats/projection.ts';
import { pools } from '../../projections/views/pools/projection.ts';
import { research } from '../../projections/views/research/projection.ts';
import type { Schemas } from '../../read/research/counters.ts';
import { readLastFindings, readUnfinishedRuns } from '../../read/research/open-findings.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { OperationsContext } from '../context.ts';
import { waitForProjection } from '../projections/wait-for-projection.ts';
import { isCurrent, readSnapshot, timeOf } from './inputs.ts';
import { DISMISSED_MS } from './known-findings.ts';
import { readActiveLimits } from './limits.ts';
import { type PlannedRun, planRun, recordRun } from './run.ts';
import { endUnfinishedRuns } from './unfinished-runs.ts';

/** The lease of a run: there is one at a time. */
const RUN_LEASE = { kind: ADVISORY_LOCKS.RESEARCH_LEASE, name: 'research run' };

const schemaOf = async (context: OperationsContext, { name, version }: Projection): Promise<string> => {
  const build = await activeBuild(context.db, name, version);
  if (build === null)
    throw new OperatorError(
      'read_model_behind',
      `The read model ${name} is still being built: try again later.`,
    );
  return build.schema;
};

/** Read models that a run reads. Those of research, pools and their counters have the whole log. */
const openSchemas = async (context: OperationsContext): Promise<Schemas> => {
  const head = await context.log.head();
  for (const each of [poolStats, pools, research]) await waitForProjection(context, each, head);
  return {
    poolStats: await schemaOf(context, poolStats),
    pools: await schemaOf(context, pools),
    frontier: await schemaOf(context, frontier),
    directory: await schemaOf(context, directory),
    research: await schemaOf(context, research),
  };
};

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

/** The time of the database, from a time of it on. */
const clockFrom = (nowMs: number): (() => number) => {
  const from = steadyMs();
  return () => Math.floor(nowMs + steadyMs() - from);
};

/** A run by the owner of the lease of runs. What an interrupted run decided is carried out before. */
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

/** How long the run of another process is waited for. */
const PATIENCE_MS = 30_000;

/** A log that takes events as long as the lease is held: a process that has lost it may not know of the one that has it now. */
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

/**
 * A run, when no other one is running.
 * @throws {OperatorError} `research_busy` if another process runs research for longer than half a minute, `research_lease_lost`.
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
