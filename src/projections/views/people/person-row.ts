import { createHash } from 'node:crypto';
import { isInDirectory } from '../../../platforms/index.ts';
import type { Candidate } from '../../../write/people/account.ts';
import type { Context } from '../../../write/people/cluster.ts';
import { membershipOf } from '../../../write/people/confidence.ts';
import { evidenceOf } from '../../../write/people/evidence.ts';
import { personIdOf } from '../../../write/people/person-id.ts';
import { searchedWords } from '../../../write/people/words.ts';
import type { Neighborhood } from './neighborhood.ts';
import { type PersonMembers, type PersonRow, rankOf } from './tables.ts';

const memberOf = (
  account: Candidate,
  group: readonly Candidate[],
  context: Context,
): PersonMembers[number] => {
  const membership = membershipOf(account, group, context);
  if (membership === null) return { account: account.key, log_odds: null, evidence: [] };
  const evidence = evidenceOf(membership, context.model.weights, context.links);
  // What is shown adds up: rounded weights, and their sum.
  const sum = evidence.reduce((total, { weight }) => total + weight, 0);
  return { account: account.key, log_odds: Math.round(sum * 100) / 100, evidence };
};

/** The accounts of a person, those with more followers first; those of LinkedIn last, as their followers are not for all. */
const listed = (group: readonly Candidate[], graph: Pick<Neighborhood, 'account'>) => {
  const ranked = group.map((candidate) => ({
    candidate,
    rank: rankOf(graph.account(candidate.key)?.row.followers ?? null),
  }));
  const shown = ranked
    .filter(({ candidate }) => isInDirectory(candidate.platform))
    .toSorted((a, b) => b.rank - a.rank || (a.candidate.key < b.candidate.key ? -1 : 1));
  return { shown, hidden: ranked.filter(({ candidate }) => !isInDirectory(candidate.platform)) };
};

const fingerprintOf = (row: Omit<PersonRow, 'fingerprint'>): string =>
  createHash('sha1').update(JSON.stringify(row)).digest('base64url');

/** The row of a person. Names and sizes of LinkedIn are shown and found only where there is no other account. */
export const personRow = (
  group: readonly Candidate[],
  context: Context,
  graph: Pick<Neighborhood, 'account'>,
): PersonRow => {
  const { shown, hidden } = listed(group, graph);
  const seen = (shown.length > 0 ? shown : hidden).map(({ candidate }) => candidate);
  const ranks = (shown.length > 0 ? shown : hidden).map(({ rank }) => rank);
  const row = {
    person: personIdOf((group[0] as Candidate).key),
    display_name: seen.find(({ displayName }) => displayName !== null)?.displayName ?? null,
    members: [...shown, ...hidden].map(({ candidate }) => memberOf(candidate, group, context)),
    platforms: [...new Set(group.map(({ platform }) => platform))].toSorted(),
    rank: Math.max(...ranks),
    words: searchedWords(seen),
    is_linkedin_only: shown.length === 0,
    accounts: group.map(({ key }) => key),
  };
  return { ...row, fingerprint: fingerprintOf(row) };
};
