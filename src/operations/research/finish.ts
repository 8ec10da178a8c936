import { isoOf } from '../../kernel/clock.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { listPools, type PoolRow } from '../../read/pools.ts';
import { type LastFinding, readOpenFindings } from '../../read/research/runs.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import { carryOut, type PoolEvent, poolDecider, poolStream } from '../../write/pools/pool.ts';
import type { Finding } from '../../write/research/findings.ts';
import { allows } from '../../write/research/policy.ts';
import {
  type ExpansionDecided,
  type FindingRecorded,
  failRun,
  mayChangeOf,
  type PoolEvaluated,
  type ResearchEvent,
  researchStream,
  runDecider,
  supersedeFindings,
} from '../../write/research/research.ts';
import { readPool } from './inputs.ts';
import { readLimits } from './limits.ts';

/** What finishing a recorded run needs. */
export interface Finishing {
  readonly log: EventLog;
  readonly db: Queryable;
  /** Schemas of read models. */
  readonly schemas: { readonly pools: string; readonly research: string };
  readonly clock: () => number;
}

/**
 * Carries out the consequences of a recorded run: its findings supersede earlier ones, and its decisions change pools.
 * Idempotent.
 * @returns how many decisions changed a pool now.
 */
export const finishRun = async (
  { schemas, ...context }: Finishing,
  { found, observe_only, ...decided }: RecordedRun,
): Promise<number> => {
  await supersedeFormer({ ...context, schema: schemas.research }, found, decided.since);
  return observe_only ? 0 : applyDecisions({ ...context, schema: schemas.pools }, decided);
};

/** The events and state of a run, and the position of its first event; `since` is null if there is no such run. */
export const readRun = async (log: EventLog, run: string) => {
  const recorded: readonly RecordedEvent[] = await log.readStream(researchStream(run));
  const events = recorded as unknown as readonly ResearchEvent[];
  return {
    events,
    state: events.reduce(runDecider.evolve, runDecider.initial),
    since: recorded[0]?.position ?? null,
  };
};

/**
 * Ends runs whose process ended before they did, the oldest first: their findings and decisions take effect, unless they
 * did before, and the run is recorded as failed.
 */
export const endUnfinishedRuns = async (finishing: Finishing, runs: readonly string[]): Promise<void> => {
  const { log, clock } = finishing;
  for (const run of runs) {
    const { state, since } = await readRun(log, run);
    if (state.started === null || state.ended !== null || since === null) continue;
    const applied = await finishRun(finishing, {
      ...{ found: state.found, decisions: state.decided, pools: state.pools, since },
      observe_only: state.started.observe_only,
    });
    const detail = `The process ended before the run did. ${state.decided.length} decisions were recorded, ${applied} of them carried out now.`;
    const nowMs = clock();
    await handleCommand(log, runDecider, researchStream(run), failRun(isoOf(nowMs), 'interrupted', detail), {
      nowMs,
    });
  }
};

const DAY_MS = 86_400_000;

export const DISMISSED_MS = 7 * DAY_MS;

/** The findings that were not recorded recently. @param known the last finding of each kind and subject. */
export const newFindings = (
  found: readonly Finding[],
  known: readonly LastFinding[],
  nowMs: number,
): readonly Finding[] => {
  const lasts = new Map(known.map((last) => [keyOf(last), last]));
  return found.filter((finding) => {
    const last = lasts.get(keyOf(finding));
    return last === undefined || !isKnown(last, nowMs);
  });
};

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

/** What carrying out decisions needs. */
interface Applying {
  readonly log: EventLog;
  readonly db: Queryable;
  /** Schema of the read model of pools. */
  readonly schema: string;
  readonly clock: () => number;
}

/** Carries out a decision if the current limits allow it. @returns whether it changed the pool. */
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
 * Carries out decisions. A pool takes each decision once, and none if its settings have changed since its evaluation.
 * Decisions that the current limits forbid are left out.
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
 * Marks open findings as superseded by the run's findings of the same kind and subject. Idempotent, since it is repeated
 * for a run whose process ended early.
 * @param schema schema of the read model of research.
 * @param before position of the run's first event. Findings of later runs are left alone.
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

/** What a run recorded. */
interface RecordedRun extends Decided {
  readonly found: readonly FindingRecorded[];
  readonly observe_only: boolean;
}

/** A finding that still holds is recorded once a day; a dismissed one, once a week. */
const AGAIN_MS = DAY_MS;

const isKnown = ({ status, created_at, reviewed_at }: LastFinding, nowMs: number): boolean =>
  status === 'dismissed'
    ? nowMs - Date.parse(reviewed_at ?? created_at) < DISMISSED_MS
    : nowMs - Date.parse(created_at) < AGAIN_MS;

/** Equal for findings of one kind about one subject. */
const keyOf = ({ kind, subject }: Pick<LastFinding, 'kind' | 'subject'>): string => `${kind}\0${subject}`;
