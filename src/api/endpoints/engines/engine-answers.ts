import { engineFigures } from '../../../operations/engines/engines.ts';
import { modelOf, readEngines, type Window } from '../../../read/engines.ts';
import type { ListReads } from '../../../read/lists.ts';
import type { EngineAnswer } from '../../contract/schemas/engines.ts';
import type { Services } from '../../services.ts';

export const engineAnswers = async (
  { builds, health }: Pick<Services, 'builds' | 'health'>,
  queuedReads: ListReads,
  window: Window,
  nowMs: number,
): Promise<readonly AnsweredEngine[]> => {
  const engines = await readEngines(queuedReads, builds, window, nowMs);
  const lags = { frontier: await health.lagS('frontier'), listings: await health.lagS('listings') };
  return engines.map((engine) => ({
    engine: { ...engineFigures(engine, window, nowMs), projection_lag_s: lags[modelOf(engine.key)] },
    reportedAtMs: engine.row?.reported_at == null ? null : Date.parse(engine.row.reported_at),
  }));
};

/** An engine, and when its workers last reported. */
interface AnsweredEngine {
  readonly engine: EngineAnswer;
  readonly reportedAtMs: number | null;
}
