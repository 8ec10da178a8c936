import type { JobFunction } from '../classes.ts';

/**
 * Terms of a function, in the notation of `lexicon.ts`. `roles` are occupations: who has one has a job, of entry rank
 * if the title says no other. `fields` are subjects and departments. The weak ones count only where no other term does:
 * an engineer may be of any industry, an assistant of any department.
 */
export interface FunctionTerms {
  readonly of: JobFunction;
  readonly roles: string;
  readonly fields: string;
  /** Subjects that decide like an occupation, but are none: "customer service" alone is a department. */
  readonly areas?: string;
  /** Occupations of many industries, which count as much as a subject. */
  readonly commonRoles?: string;
  readonly weakRoles?: string;
  readonly weakFields?: string;
}
