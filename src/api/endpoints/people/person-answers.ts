import type { z } from 'zod';
import { descriptorOf } from '../../../platforms/index.ts';
import type { Claims, PersonClaims } from '../../../read/people/claims.ts';
import type { Person, PersonAccount } from '../../../read/people/person.ts';
import type { personSchema } from '../../contract/schemas/people.ts';

/** A person as callers see it. */
export const answerOf = (person: Person, claims: PersonClaims): Answered => ({
  person_id: person.person_id,
  display_name: person.display_name,
  accounts: person.accounts.map(accountOf),
  claims: { received: claimsOf(claims.received), made: claimsOf(claims.made) },
  confidence: leastOf(person.accounts),
});

const claimsOf = ({ total, accounts }: Claims): Answered['claims']['made'] => ({
  total,
  accounts: accounts.map(({ evidence, ...claim }) => ({
    ...claim,
    profile_url: claim.handle === null ? null : descriptorOf(claim.platform).profileUrl(claim.handle),
    evidence: [...evidence],
  })),
});

/**
 * A person without the accounts whose confidence is lower. An account that was asked for remains; where none was, and all
 * are less certain, the largest one does.
 */
export const withConfidence = (person: Person, least: number | undefined, asked?: string): Person => {
  if (least === undefined) return person;
  const accounts = person.accounts.filter(
    ({ key, confidence }) => confidence === null || confidence >= least || key === asked,
  );
  return { ...person, accounts: accounts.length > 0 ? accounts : person.accounts.slice(0, 1) };
};

export const oldestMs = ({ accounts }: Person): number | null =>
  accounts.length === 0 ? null : Math.min(...accounts.map(({ last_seen_at }) => Date.parse(last_seen_at)));

type Answered = z.input<typeof personSchema>;

const accountOf = ({ key: _, evidence, ...account }: PersonAccount): Answered['accounts'][number] => ({
  ...account,
  profile_url: account.handle === null ? null : descriptorOf(account.platform).profileUrl(account.handle),
  evidence: [...evidence],
});

/** The least confidence of an account: of one account alone nothing is to be doubted. */
const leastOf = (accounts: readonly PersonAccount[]): number | null => {
  const known = accounts.flatMap(({ confidence }) => confidence ?? []);
  return known.length === 0 ? null : Math.min(...known);
};
