import { isoOf } from '../../kernel/clock.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import { failRun, type ResearchEvent, researchStream, runDecider } from '../../write/research/research.ts';
import { type Finishing, finishRun } from './finish.ts';

/** The state of a run, from its stream, and the position of its first event; null if there is none. */
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
 * Ends runs whose process ended before them, the oldest first: what follows from their findings and decisions is done, which changes
 * nothing where it was, and the run has failed.
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
