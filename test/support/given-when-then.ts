import { expect } from 'vitest';
import { OperatorError } from '../../src/kernel/errors.ts';
import type { Decider } from '../../src/write/log/command-handler.ts';

interface Decided {
  readonly type: string;
  readonly data: unknown;
}

/** given(events).when(command).then(events): decisions told as stories. */
export const storyOf = <State, Event extends Decided>(decider: Decider<State, Event>) => ({
  given: (...events: Event[]) => {
    const state = events.reduce(decider.evolve, decider.initial);
    return {
      when: (decide: (state: State) => readonly Event[]) => ({
        // biome-ignore lint/suspicious/noThenProperty: nobody awaits a story
        then: (...expected: Event[]) => {
          const decided = decide(state);
          expect(decided).toEqual(expected);
          // Repeating the command after its events changes nothing.
          expect(decide(decided.reduce(decider.evolve, state))).toEqual([]);
        },
        /** @param refusal matches `code: message {parameters}`. */
        thenRefused: (refusal: RegExp) => {
          expect(() => {
            try {
              decide(state);
            } catch (error) {
              if (!(error instanceof OperatorError)) throw error;
              throw new Error(`${error.code}: ${error.message} ${JSON.stringify(error.params)}`);
            }
          }).toThrow(refusal);
        },
      }),
    };
  },
});
