import { randomInt } from 'node:crypto';
import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import { withReadSnapshot } from '../../kernel/postgres/read-snapshot.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import type { Projection } from '../../projections/projection.ts';
import { directory } from '../../projections/views/directory/projection.ts';
import { frontier } from '../../projections/views/frontier/projection.ts';
import { poolStats } from '../../projections/views/pool-stats/projection.ts';
import { pools } from '../../projections/views/pools/projection.ts';
import { research } from '../../projections/views/research/projection.ts';
import type { Schemas } from '../../read/research/counters.ts';
import { readLastFindings, readUnfinishedRuns } from '../../read/research/open-findings.ts';
import type { OperationsContext } from '../context.ts';
import { waitForProjection } from '../projections/wait-for-projection.ts';
import { readSnapshot } from './inputs.ts';
import { DISMISSED_MS } from './known-findings.ts';
import { readLimits } from './limits.ts';
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

/** A run by the owner of the lease of runs. What an interrupted run decided is carried out before. */
const runResearch = async (
  context: OperationsContext,
  { trigger, dryRun = false, seed = randomInt(2 ** 32) }: RunOptions,
): Promise<RunResult> => {
  const { db, log } = context;
  if (!dryRun) {
    const { research: schema } = await openSchemas(context);
    await endUnfinishedRuns(log, await readUnfinishedRuns(db, schema), systemClock.now());
  }
  const schemas = await openSchemas(context);
  const limits = await readLimits(context);
  const nowMs = systemClock.now();
  const { snapshot, known } = await withReadSnapshot(db, async (client) => ({
    snapshot: await readSnapshot(client, schemas, nowMs),
    known: await readLastFindings(client, schemas.research, new Date(nowMs - DISMISSED_MS)),
  }));
  const inputs = { run: uuidV7(nowMs), trigger, seed, limits, snapshot, known };
  const planned = await planRun(log, inputs);
  if (dryRun) return { ...planned, applied: null };
  return { ...planned, ...(await recordRun(log, planned, inputs)) };
};

const LEASE_MS = 30_000;

/**
 * A run, when no other one is running.
 * @throws {OperatorError} `research_busy` if another process runs research for longer than half a minute.
 */
export const runOnce = async (context: OperationsContext, options: RunOptions): Promise<RunResult> => {
  if (options.dryRun === true) return runResearch(context, options);
  let result: RunResult | undefined;
  await withLease(context.url, RUN_LEASE, AbortSignal.timeout(LEASE_MS), async () => {
    result = await runResearch(context, options);
  });
  if (result === undefined)
    throw new OperatorError(
      'research_busy',
      'Another process runs research: try again when its run has ended.',
    );
  return result;
};
