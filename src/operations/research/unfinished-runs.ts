import { isoOf } from '../../kernel/clock.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog } from '../../write/log/port.ts';
import { failRun, runDecider } from '../../write/research/decide.ts';
import { type ResearchEvent, researchStream } from '../../write/research/events.ts';
import { applyDecisions } from './apply-decisions.ts';

/** The state of a run, from its stream. */
export const readRun = async (log: EventLog, run: string) => {
  const events = (await log.readStream(researchStream(run))) as unknown as readonly ResearchEvent[];
  return { events, state: events.reduce(runDecider.evolve, runDecider.initial) };
};

/**
 * Ends runs whose process ended before them: what they had decided is carried out, which changes nothing where it was, and the run has
 * failed.
 */
export const endUnfinishedRuns = async (
  log: EventLog,
  runs: readonly string[],
  nowMs: number,
): Promise<void> => {
  for (const run of runs) {
    const { state } = await readRun(log, run);
    if (state.started === null || state.ended !== null) continue;
    const applied = state.started.observe_only ? 0 : await applyDecisions(log, state.decided, nowMs);
    const detail = `The process ended before the run did. ${state.decided.length} decisions were recorded, ${applied} of them carried out now.`;
    await handleCommand(log, runDecider, researchStream(run), failRun(isoOf(nowMs), 'interrupted', detail), {
      nowMs,
    });
  }
};
