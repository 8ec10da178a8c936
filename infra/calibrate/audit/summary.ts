import { medianSorted } from 'simple-statistics';
import type { ShareInterval } from '../../../src/analysis/audit/prevalence.ts';
import { exactInterval } from '../coverage.ts';
import { AUDITED, type AuditedPlatform } from './labels.ts';
import type { AuditResult, BlockResult, MeasuredAudits, ScoredFollower } from './measure.ts';

/** Bars: an interval carries the error of its labelled sample, so that it holds the truth more often than 95 times in 100. */
const LEAST = 0.93;
const CONFIDENCE = 0.999;
const LEAST_AUC = 0.9;
const MOST_FALSE = 0.05;
const LEAST_JUDGED = 200;

export interface ShareSummary {
  readonly share: 'suspicious' | 'inactive';
  readonly n: number;
  /** Median of |estimate - truth|. */
  readonly error: number;
  readonly coverage: number;
  readonly coverage_low: number;
  readonly coverage_high: number;
  /** The coverage with the labelled sample that errs most. */
  readonly least_by_sample: number;
  readonly width: number;
  /** Accounts whose share can't be distinguished from 0. */
  readonly indistinguishable: number;
}

export interface AuditSummary {
  readonly platform: AuditedPlatform;
  readonly accounts: number;
  /** Area under the ROC curve. */
  readonly auc: number;
  readonly shares: readonly ShareSummary[];
  /** Blocks of bought followers, and the shares that are named: with a labelled sample and without. */
  readonly bought: number;
  readonly named: number;
  readonly named_without_labels: number;
  /** Organic surges, and the shares that are taken for bought. */
  readonly surges: number;
  readonly false_alarms: number;
  readonly false_alarms_without_labels: number;
  /** Audiences without runs, and the share of them in which a run is found by mistake. */
  readonly quiet: number;
  readonly false_runs: number;
  readonly missed: readonly string[];
}

/** Area under the ROC curve: ranks with ties (Mann and Whitney 1947). */
const areaOf = (scored: readonly ScoredFollower[]): number => {
  const order = scored.toSorted((a, b) => a.score - b.score);
  const positives = order.filter(({ is }) => is).length;
  let ranks = 0;
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && order[to]?.score === order[from]?.score) to += 1;
    const hits = order.slice(from, to).filter(({ is }) => is).length;
    ranks += (hits * (from + 1 + to)) / 2;
  }
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (order.length - positives));
};

interface Known {
  readonly found: ShareInterval;
  readonly truth: number;
}

const isHeld = ({ found: { low, high }, truth }: Known): boolean =>
  low <= truth + 1e-12 && truth - 1e-12 <= high;

const shareSummary = (
  results: readonly AuditResult[],
  share: 'suspicious' | 'inactive',
): ShareSummary | null => {
  const known = results.flatMap((one): (Known & { readonly sample: number })[] => {
    const found = one.audit[share];
    return found === null ? [] : [{ found, truth: one[share], sample: one.sample }];
  });
  const n = known.length;
  if (n === 0) return null;
  const hits = known.filter(isHeld).length;
  const bySample = [...Map.groupBy(known, ({ sample }) => sample).values()];
  const medianOf = (values: readonly number[]) => medianSorted(values.toSorted((a, b) => a - b));
  const [low, high] = exactInterval(hits, n, CONFIDENCE);
  return {
    share,
    n,
    error: medianOf(known.map(({ found, truth }) => Math.abs(found.estimate - truth))),
    coverage: hits / n,
    coverage_low: low,
    coverage_high: high,
    least_by_sample: Math.min(...bySample.map((own) => own.filter(isHeld).length / own.length)),
    width: medianOf(known.map(({ found }) => found.high - found.low)),
    indistinguishable: known.filter(({ found }) => found.low === 0).length / n,
  };
};

const shareNamed = (blocks: readonly BlockResult[], by: 'named' | 'namedWithout'): number =>
  blocks.filter((one) => one[by]).length / Math.max(1, blocks.length);

/** @param isDefault whether the world is the default one. */
export const auditSummaryOf = (measured: MeasuredAudits, isDefault: boolean): AuditSummary => {
  const { platform, results, scored, bought, surges, quiet, quietNamed } = measured;
  const auc = areaOf(scored);
  const shares = (['suspicious', 'inactive'] as const)
    .map((share) => shareSummary(results, share))
    .filter((one) => one !== null);
  const falseAlarms = shareNamed(surges, 'named');
  const missed: string[] = [];
  if (results.length >= LEAST_JUDGED) {
    // A list that shows no figures of followers leaves less to any classifier.
    if (isDefault && AUDITED[platform] && auc < LEAST_AUC) missed.push(`AUC below ${LEAST_AUC}`);
    for (const { share, coverage_high } of shares)
      if (coverage_high < LEAST) missed.push(`${share}: coverage below ${100 * LEAST} %`);
    if (falseAlarms > MOST_FALSE) missed.push(`surges taken for bought above ${100 * MOST_FALSE} %`);
    if (quietNamed / Math.max(1, quiet) > MOST_FALSE) missed.push(`false runs above ${100 * MOST_FALSE} %`);
  } else missed.push('too few accounts, or no labelled sample that carries a model');
  return {
    platform,
    accounts: results.length,
    auc,
    shares,
    bought: bought.length,
    named: shareNamed(bought, 'named'),
    named_without_labels: shareNamed(bought, 'namedWithout'),
    surges: surges.length,
    false_alarms: falseAlarms,
    false_alarms_without_labels: shareNamed(surges, 'namedWithout'),
    quiet,
    false_runs: quietNamed / Math.max(1, quiet),
    missed,
  };
};
