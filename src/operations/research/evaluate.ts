import { HOUR_MS } from '../../projections/views/pool-stats/tables.ts';
import type { PoolHourRow } from '../../read/research/runs.ts';
import type { EventLog } from '../../write/log/port.ts';
import {
  evidenceOf,
  type Figures,
  hoursThatCount,
  type PoolInput,
  withPriors,
} from '../../write/research/policy.ts';
import { mayChangeOf, type RunLimits } from '../../write/research/research.ts';
import type { Snapshot } from './inputs.ts';
import { readRecentSettings } from './pool-history.ts';

/** A pool with its figures, and the events that they rest on. */
export interface EvaluatedPool extends PoolInput {
  readonly evidence: readonly string[];
  /** The pool's event that its settings are as of. */
  readonly settings: string | null;
}

const MAX_EVIDENCE = 50;

/** The last and the first report of hours, newest hour first. */
const reportsOf = (hours: readonly PoolHourRow[]): readonly string[] => {
  const ids = hours
    .toReversed()
    .flatMap(({ last_report, first_report }) => [last_report, first_report])
    .filter((id) => id !== null);
  return [...new Set(ids)].slice(0, MAX_EVIDENCE);
};

/** Hours of a pool that its evidence is summed over. */
export const evidenceHours = (
  hours: readonly PoolHourRow[],
  nowMs: number,
  halfLifeH: number,
): readonly PoolHourRow[] => {
  const now = Math.floor(nowMs / HOUR_MS);
  return hours.filter(({ hour }) => hour > now - hoursThatCount(halfLifeH));
};

/** Figures of all pools of a snapshot, as the policy takes them. */
export const evaluatePools = async (
  log: EventLog,
  { pools, poolHours, lateness, nowMs }: Snapshot,
  runLimits: RunLimits,
): Promise<readonly EvaluatedPool[]> => {
  const { limits } = runLimits;
  const mayChange = mayChangeOf(runLimits);
  const evaluated: (Omit<EvaluatedPool, 'figures'> & { readonly figures: Omit<Figures, 'prior'> })[] = [];
  for (const row of pools) {
    const hours = evidenceHours(poolHours.get(row.pool) ?? [], nowMs, limits.half_life_h);
    const { recent, settings } = await readRecentSettings(log, row, nowMs);
    const figures = {
      share: row.share,
      size_cap: row.size_cap,
      ...recent,
      accounts: lateness.get(row.pool)?.accounts ?? null,
      ...evidenceOf(hours, Math.floor(nowMs / HOUR_MS), limits.half_life_h),
      may_change: mayChange(row.pool) ? 1 : 0,
    };
    evaluated.push({ pool: row.pool, platform: row.platform, figures, evidence: reportsOf(hours), settings });
  }
  return withPriors(evaluated);
};
