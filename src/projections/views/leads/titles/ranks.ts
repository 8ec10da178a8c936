import { type JobFunction, jobFunctionSchema, type Seniority, senioritySchema } from './classes.ts';
import { Lexicon } from './lexicon.ts';
import { readTerms } from './read-terms.ts';

/** What a term says of the rank. */
export interface RankTerm {
  /** Null: the words say nothing of the rank, although parts of them would. */
  readonly rank: Seniority | null;
  /** The function that the rank has if the title names no other. */
  readonly of?: JobFunction;
  /** The function that the rank includes. */
  readonly is?: JobFunction;
  /** Counts only if it is the last word of a job, or a preposition follows. */
  readonly isAlone: boolean;
  /** Counts only if it is the whole job. */
  readonly isWhole: boolean;
}

/** `cxo, is finance` → the rank and the function it includes. */
const rankTermOf = ([rank, ...rest]: readonly string[]): RankTerm => {
  const functionAfter = (word: string) => {
    const found = rest.find((part) => part.startsWith(`${word} `));
    return found === undefined ? undefined : jobFunctionSchema.parse(found.slice(word.length + 1));
  };
  const of = functionAfter('of');
  const is = functionAfter('is');
  return {
    rank: rank === 'none' ? null : senioritySchema.parse(rank),
    ...(of === undefined ? {} : { of }),
    ...(is === undefined ? {} : { is }),
    isAlone: rest.includes('alone'),
    isWhole: rest.includes('whole'),
  };
};

export const loadRanks = (): Lexicon<RankTerm> => {
  const ranks = new Lexicon<RankTerm>();
  for (const { heading, terms } of readTerms('ranks.txt')) ranks.add(terms, rankTermOf(heading));
  return ranks;
};
