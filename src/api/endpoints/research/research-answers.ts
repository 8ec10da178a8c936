import type { EventRow, FindingRow, RunRow } from '../../../read/research/lists.ts';
import { type ResearchEvent, TEXTS_FOR_OPERATORS } from '../../../write/research/research.ts';
import type { EventAnswer, FindingAnswer, RunAnswer } from '../../contract/schemas/research.ts';

export const findingAnswer = (row: FindingRow): FindingAnswer => ({
  id: row.id,
  run_id: row.run,
  kind: row.kind,
  subject: row.subject,
  summary: row.summary,
  metrics: row.metrics,
  confidence: row.confidence,
  decision: row.decision,
  evidence: [...row.evidence_positions],
  status: row.status,
  review: row.reviewed_at === null ? null : { at: row.reviewed_at, superseded_by: row.successor },
  created_at: row.created_at,
});

export const runAnswer = (row: RunRow): RunAnswer => ({
  id: row.run,
  status: row.status,
  started_at: row.started_at,
  finished_at: row.finished_at,
  seed: row.seed,
  policy: row.policy,
  trigger: row.trigger,
  observe_only: row.observe_only,
  pools_evaluated: row.pools_evaluated,
  findings: row.findings,
  expansions: row.expansions,
  decisions: row.decisions,
  failure: row.failure,
});

export const eventAnswer = ({ position, run, type, at, data }: EventRow): EventAnswer => ({
  position,
  run_id: run === LIMITS ? null : run,
  type,
  at,
  data: withoutTexts(type, data),
});

/** What an event has besides texts for operators. */
const withoutTexts = (type: string, data: EventAnswer['data']): EventAnswer['data'] => {
  const hidden: readonly string[] = TEXTS_FOR_OPERATORS[type as ResearchEvent['type']] ?? [];
  return Object.fromEntries(Object.entries(data).filter(([name]) => !hidden.includes(name)));
};

/** The stream of limits, which is of no run. */
const LIMITS = 'limits';
