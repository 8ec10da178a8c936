import { createHandles } from '../../infra/simulator/world/handles.ts';

const SEED = 7;

/** A handle and the name of its account. */
export interface NamedAccount {
  readonly handle: string;
  readonly name: string;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * Accounts of X with the handles of a simulated world: two names in either order, with a word, a number or nothing after them;
 * three of four as the person has them everywhere, some of the others with a separator.
 */
export const namesOf = (count: number): readonly NamedAccount[] => {
  const handles = createHandles(SEED);
  return Array.from({ length: count }, (_, number) => {
    const form = number % 4 === 3 ? 'own' : 'same';
    const parts = { form, number, generation: 0, separated: number % 8 === 7 } as const;
    const { first, last, second } = handles.namesOf('x', parts);
    return {
      handle: handles.encode('x', parts),
      name: [first, last, second].map(capital).join(' '),
    };
  });
};
