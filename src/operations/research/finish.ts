import { isoOf } from '../../kernel/clock.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { listPools, type PoolRow } from '../../read/pools.ts';
import { readOpenFindings } from '../../read/research/runs.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog } from '../../write/log/port.ts';
import { carryOut, type PoolEvent, poolDecider, poolStream } from '../../write/pools/pool.ts';
import { allows } from '../../write/research/policy.ts';
import {
  type ExpansionDecided,
  type FindingRecorded,
  mayChangeOf,
  type PoolEvaluated,
  researchStream,
  runDecider,
  supersedeFindings,
} from '../../write/research/research.ts';
import { keyOf } from './known-findings.ts';
import { readLimits } from './limits.ts';
import { readPool } from './pool-history.ts';

type PoolChange = Exclude<PoolEvent, { type: 'PoolCreated' }>;

/** The pool's event that carries a decision out; null if it changes nothing. */
const changeOf = (
  { decision, action, tuning, pool, heir }: ExpansionDecided,
  at: string,
): PoolChange | null => {
  const { share, size_cap } = tuning;
  if (action === 'hold') return null;
  if (action === 'retire')
    return { type: 'PoolRetired', data: { at, decision, why: `research retired ${pool}`, heir } };
  if (share !== undefined && size_cap !== undefined)
    return { type: 'PoolExpanded', data: { at, decision, share, size_cap } };
  return { type: 'PoolTuned', data: { at, decision, ...tuning } };
};

/** What a run decided, with the figures of the pools. */
interface Decided {
  readonly decisions: readonly ExpansionDecided[];
  readonly pools: readonly Pick<PoolEvaluated, 'pool' | 'figures'>[];
  /** Position of the run's first event. */
  readonly since: bigint;
}

/** What decisions are carried out with. */
interface Applying {
  readonly log: EventLog;
  readonly db: Queryable;
  /** Schema of the read model of pools. */
  readonly schema: string;
  readonly clock: () => number;
}

/** Carries a decision out, if the limits that are active now allow it. @returns whether it changed the pool. */
const applyOne = async (
  { log, clock }: Applying,
  decided: ExpansionDecided,
  figures: PoolEvaluated['figures'],
  row: PoolRow,
  since: bigint,
): Promise<boolean> => {
  const active = await readLimits({ log });
  if (active.observe_only || !mayChangeOf(active)(decided.pool)) return false;
  const nowMs = clock();
  const event = changeOf(decided, isoOf(nowMs));
  if (event === null) return false;
  const { recent, ...snapshot } = await readPool(log, row, since, nowMs);
  const { tuning } = snapshot.state;
  if (recent === null || tuning === null || !allows(active.limits, { ...tuning, ...recent }, decided.tuning))
    return false;
  const evaluated = { share: figures.share as number, size_cap: figures.size_cap as number };
  const { outcome } = await handleCommand(
    log,
    poolDecider,
    poolStream(decided.pool),
    carryOut(event, evaluated),
    { nowMs, snapshot: snapshot.revision === null ? null : snapshot },
  );
  return outcome !== null;
};

/**
 * Carries decisions out. A pool takes each once, and none if it is not as it was evaluated; none is carried out that the limits forbid by
 * now.
 * @returns how many changed a pool now.
 */
const applyDecisions = async (applying: Applying, { decisions, pools, since }: Decided): Promise<number> => {
  const changing = decisions.filter(({ action }) => action !== 'hold');
  if (changing.length === 0) return 0;
  const figures = new Map(pools.map((each) => [each.pool, each.figures]));
  const rows = new Map((await listPools(applying.db, applying.schema)).map((row) => [row.pool, row]));
  let applied = 0;
  for (const decided of changing) {
    const [own, row] = [figures.get(decided.pool), rows.get(decided.pool)];
    if (own === undefined || row === undefined) continue;
    if (await applyOne(applying, decided, own, row, since)) applied++;
  }
  return applied;
};

/**
 * Gives all open findings of the kinds and subjects that a run found again their successors. Idempotent: it is repeated for a run whose
 * process ended before it was done.
 * @param schema of the read model of research.
 * @param before position of the run's first event: findings of later runs stay.
 */
const supersedeFormer = async (
  {
    log,
    db,
    schema,
    clock,
  }: {
    readonly log: EventLog;
    readonly db: Queryable;
    readonly schema: string;
    readonly clock: () => number;
  },
  found: readonly FindingRecorded[],
  before: bigint,
): Promise<void> => {
  if (found.length === 0) return;
  const successors = new Map(found.map((each) => [keyOf(each), each.finding]));
  const former = await readOpenFindings(db, schema, found, before);
  for (const [run, some] of Map.groupBy(former, (each) => each.run)) {
    const nowMs = clock();
    const own = new Map(some.map((each) => [each.id, successors.get(keyOf(each)) as string]));
    await handleCommand(log, runDecider, researchStream(run), supersedeFindings(isoOf(nowMs), own), {
      nowMs,
    });
  }
};

/** What the recorded part of a run is finished with. */
export interface Finishing {
  readonly log: EventLog;
  readonly db: Queryable;
  /** Schemas of read models. */
  readonly schemas: { readonly pools: string; readonly research: string };
  readonly clock: () => number;
}

/** What a run recorded. */
export interface RecordedRun extends Decided {
  readonly found: readonly FindingRecorded[];
  readonly observe_only: boolean;
}

/**
 * Does what follows from the events of a run: its findings supersede former ones, and its decisions are carried out. Idempotent.
 * @returns how many decisions changed a pool now.
 */
export const finishRun = async (
  { schemas, ...context }: Finishing,
  { found, observe_only, ...decided }: RecordedRun,
): Promise<number> => {
  await supersedeFormer({ ...context, schema: schemas.research }, found, decided.since);
  return observe_only ? 0 : applyDecisions({ ...context, schema: schemas.pools }, decided);
};
