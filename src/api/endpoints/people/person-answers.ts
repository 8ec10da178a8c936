import type { z } from 'zod';
import { descriptorOf, isInDirectory } from '../../../platforms/index.ts';
import type { Claims, PersonClaims } from '../../../read/people/claims.ts';
import type { Person, PersonAccount } from '../../../read/people/person.ts';
import type { EndpointRequest } from '../../contract/endpoint.ts';
import type { personSchema } from '../../contract/schemas/people.ts';
import { denialOf } from '../../pipeline/access.ts';

/** Whether a caller may see data of LinkedIn pages, and persons who are on LinkedIn only. */
export const seesLeads = ({
  services,
  caller,
}: Pick<EndpointRequest<unknown, unknown, unknown>, 'services' | 'caller'>): boolean =>
  denialOf(services.plans, caller, { scope: 'leads:read' }) === null;

/**
 * A person as callers see it. Of LinkedIn, without the scope for leads, an answer shows that an account exists and its
 * address: names, which titles and employers are written into, are those of other platforms.
 */
export const answerOf = (person: Person, claims: PersonClaims, withLeads: boolean): Answered => ({
  person_id: person.person_id,
  display_name: person.is_linkedin_only && !withLeads ? null : person.display_name,
  accounts: person.accounts.map((account) => accountOf(account, withLeads)),
  claims: { received: claimsOf(claims.received, withLeads), made: claimsOf(claims.made, withLeads) },
  confidence: leastOf(person.accounts),
});

const claimsOf = ({ total, accounts }: Claims, withLeads: boolean): Answered['claims']['made'] => ({
  total,
  accounts: accounts.map(({ evidence, ...claim }) => {
    const isHidden = !isInDirectory(claim.platform) && !withLeads;
    return {
      ...claim,
      profile_url: claim.handle === null ? null : descriptorOf(claim.platform).profileUrl(claim.handle),
      ...(isHidden ? { followers: null, verified: null } : {}),
      evidence: evidence.filter(({ kind }) => !isHidden || kind !== 'claimant_verified'),
    };
  }),
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

const accountOf = (account: PersonAccount, withLeads: boolean): Answered['accounts'][number] => {
  const { key: _, platform, handle, evidence, ...rest } = account;
  const isHidden = !isInDirectory(platform) && !withLeads;
  return {
    platform,
    handle,
    ...rest,
    profile_url: handle === null ? null : descriptorOf(platform).profileUrl(handle),
    ...(isHidden ? { followers: null, verified: null } : {}),
    evidence: [...evidence],
  };
};

/** The least confidence of an account: of one account alone nothing is to be doubted. */
const leastOf = (accounts: readonly PersonAccount[]): number | null => {
  const known = accounts.flatMap(({ confidence }) => confidence ?? []);
  return known.length === 0 ? null : Math.min(...known);
};
