import type { Candidate } from './account.ts';
import { type Comparison, type Context, compareGroups } from './cluster.ts';

/**
 * How sure it is that an account is of the person that the others of its group are: the comparison of it with them as a
 * whole; null if it is the only one.
 */
export const membershipOf = (
  account: Candidate,
  group: readonly Candidate[],
  context: Context,
): Comparison | null => {
  const others = group.filter((one) => one !== account);
  return others.length === 0 ? null : compareGroups([account], others, context);
};
