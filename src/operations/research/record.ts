import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import type { EventLog, NewEvent } from '../../write/log/port.ts';
import { type ResearchEvent, researchStream } from '../../write/research/events.ts';
import { readRun } from './unfinished-runs.ts';

/** Appends to the stream of a run, whose process it is in. */
export interface Recorder {
  /** @returns the event's position. @throws {OperatorError} `research_run_ended` if another process ended the run. */
  append(event: ResearchEvent): Promise<bigint>;
}

/**
 * Records a run event by event: what is recorded is never more than what the process came to. Others may append in between: an operator
 * reviews findings during a run.
 */
export const createRecorder = (log: EventLog, run: string, clock: () => number): Recorder => {
  const stream = researchStream(run);
  let revision: bigint | null = null;
  return {
    append: async ({ type, data }) => {
      const event: NewEvent = { id: uuidV7(clock()), type, data };
      for (;;) {
        const outcome = await log.append(stream, [event], revision ?? 'no_stream');
        revision = outcome.revision;
        if (outcome.status === 'appended') return outcome.position;
        if ((await readRun(log, run)).state.ended !== null)
          throw new OperatorError('research_run_ended', `The run ${run} was ended by another process.`);
      }
    },
  };
};
