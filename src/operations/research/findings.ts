import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { research } from '../../projections/views/research/projection.ts';
import {
  type FindingRow,
  findFinding,
  listRecentFindings,
  listRecentRuns,
  type RunRow,
} from '../../read/research/runs.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import { type Review, researchStream, reviewFinding, runDecider } from '../../write/research/research.ts';
import type { OperationsContext } from '../context.ts';
import { currentSchema, waitForProjection } from '../projections/read-model.ts';
import { readRun } from './finish.ts';

export type { FindingRow, RunRow } from '../../read/research/runs.ts';
export type { Review } from '../../write/research/research.ts';

/** Newest findings first. */
export const listFindings = async (
  context: OperationsContext,
  limit: number,
): Promise<readonly FindingRow[]> =>
  listRecentFindings(context.db, await currentSchema(context, research), limit);

/** Newest runs first. */
export const listRuns = async (context: OperationsContext, limit: number): Promise<readonly RunRow[]> =>
  listRecentRuns(context.db, await currentSchema(context, research), limit);

/** @throws {OperatorError} `research_unknown` */
export const findingNamed = async (context: OperationsContext, id: string): Promise<FindingRow> => {
  const found = await findFinding(context.db, await currentSchema(context, research), id);
  if (found === null) throw new OperatorError('research_unknown', `There is no finding ${id}.`);
  return found;
};

/**
 * Records an operator's review of a finding. @returns whether it is new.
 * @throws {OperatorError} `research_unknown`, `reason_missing`
 */
export const review = async (context: OperationsContext, id: string, verdict: Review): Promise<boolean> => {
  if (verdict.reason.trim() === '')
    throw new OperatorError('reason_missing', 'A finding is reviewed with a reason, which is recorded.');
  const { run } = await findingNamed(context, id);
  if (verdict.status === 'superseded') await findingNamed(context, verdict.successor);
  const nowMs = systemClock.now();
  const decide = reviewFinding(isoOf(nowMs), id, verdict);
  const { outcome } = await handleCommand(context.log, runDecider, researchStream(run), decide, { nowMs });
  if (outcome === null) return false;
  await waitForProjection(context, research, outcome.position);
  return true;
};

/** A run, or a finding with its run, and everything they were decided from. */
export const explain = async (context: OperationsContext, id: string) => {
  const own = await readRun(context.log, id);
  if (own.state.started !== null) return { run: id, state: own.state, finding: null };
  const { run } = await findingNamed(context, id);
  const { state } = await readRun(context.log, run);
  return { run, state, finding: state.found.find(({ finding }) => finding === id) ?? null };
};

export type Explanation = Awaited<ReturnType<typeof explain>>;
