import type { Candidate } from '../../../write/people/account.ts';
import type { Context } from '../../../write/people/cluster.ts';
import { membershipOf } from '../../../write/people/confidence.ts';
import { evidenceOf } from '../../../write/people/evidence.ts';
import { personIdOf } from '../../../write/people/person-id.ts';
import type { Neighborhood } from './neighborhood.ts';
import { type PersonMembers, type PersonRow, rankOf } from './tables.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const MAX_WORDS_CHARS = 1_000;

/** Whole handles and the words of names, in lower case, each after a space. */
const wordsOf = (group: readonly Candidate[]): string => {
  const words = new Set<string>();
  for (const { handle, displayName } of group) {
    if (handle !== null) words.add(handle.toLowerCase());
    for (const word of (displayName ?? '').normalize('NFKC').toLowerCase().match(WORD) ?? []) words.add(word);
  }
  const all = [...words].map((word) => ` ${word}`).join('');
  return all.slice(0, MAX_WORDS_CHARS);
};

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

/** The row of a person. Names of LinkedIn are shown and found only where there is no other. */
export const personRow = (
  group: readonly Candidate[],
  context: Context,
  graph: Pick<Neighborhood, 'account'>,
): PersonRow => {
  const ranked = group
    .map((candidate) => ({ candidate, rank: rankOf(graph.account(candidate.key)?.row.followers ?? null) }))
    .toSorted((a, b) => b.rank - a.rank || (a.candidate.key < b.candidate.key ? -1 : 1));
  const public_ = ranked.filter(({ candidate }) => candidate.platform !== 'linkedin');
  const shown = public_.length > 0 ? public_ : ranked;
  const [first] = group as [Candidate];
  return {
    person: personIdOf(first.key),
    display_name:
      shown.find(({ candidate }) => candidate.displayName !== null)?.candidate.displayName ?? null,
    members: ranked.map(({ candidate }) => memberOf(candidate, group, context)),
    platforms: [...new Set(group.map(({ platform }) => platform))].toSorted(),
    rank: ranked[0]?.rank ?? -1,
    words: wordsOf(shown.map(({ candidate }) => candidate)),
    is_linkedin_only: public_.length === 0,
  };
};
