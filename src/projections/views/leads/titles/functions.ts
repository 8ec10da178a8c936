import { type JobFunction, jobFunctionSchema } from './classes.ts';
import { Lexicon } from './lexicon.ts';
import { readTerms } from './read-terms.ts';

export interface FunctionTerm {
  /** Null: the words say nothing of the function, although parts of them would. */
  readonly of: JobFunction | null;
  readonly isRole: boolean;
  readonly weight: number;
}

/** An occupation or a subject with this weight decides alone. */
export const STRONG = 3;

/**
 * Kinds of terms by their headings. Roles are occupations: who has one has a job, of entry rank if the title says no
 * other. Fields are subjects and departments. Areas are subjects that decide like an occupation: "customer service"
 * alone is a department. The weak kinds count only where no other does: an engineer may be of any industry.
 */
const KINDS: Readonly<Record<string, Omit<FunctionTerm, 'of'>>> = {
  roles: { isRole: true, weight: 4 },
  areas: { isRole: false, weight: 4 },
  'common roles': { isRole: true, weight: STRONG },
  fields: { isRole: false, weight: STRONG },
  'weak roles': { isRole: true, weight: 2 },
  'weak fields': { isRole: false, weight: 1 },
};

/** Of two terms alike, the one of the earlier file counts. */
const FILES = ['technology', 'commerce', 'business', 'operations', 'society', 'professions', 'executive'];

const functionTermOf = ([of, kind = '']: readonly string[]): FunctionTerm => {
  const known = KINDS[kind];
  if (known === undefined) throw new Error(`there is no kind of terms called ${kind}`);
  return { of: jobFunctionSchema.parse(of), ...known };
};

export const loadFunctions = (): Lexicon<FunctionTerm> => {
  const functions = new Lexicon<FunctionTerm>();
  for (const file of FILES) {
    for (const { heading, terms } of readTerms(`functions/${file}.txt`)) {
      functions.add(terms, functionTermOf(heading));
    }
  }
  for (const { terms } of readTerms('functions/none.txt')) {
    functions.add(terms, { of: null, isRole: false, weight: 0 });
  }
  return functions;
};
