import type { LiveReading } from '../../crawlers/live-read/port.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Claims } from '../../read/people/claims.ts';
import type { FoundPerson, Person } from '../../read/people/person.ts';
import { FIELD_NAMES, type FieldName, perField } from '../../write/accounts/profile.ts';
import type { Scope } from '../../write/holders/plans.ts';
import type { Services } from '../services.ts';

/**
 * The scope that a field of accounts needs beside the scope of an endpoint. Everybody may know that an account of LinkedIn
 * exists, its address and its status. The contents of its page are leads.
 */
const FIELD_SCOPES: Readonly<Partial<Record<Platform, Readonly<Record<FieldName, Scope>>>>> = {
  linkedin: perField(FIELD_NAMES, () => 'leads:read' as const),
};

/** The scope that a field of a platform's accounts needs; null if every key may see it. */
export const scopeOfField = (platform: Platform, field: FieldName): Scope | null =>
  FIELD_SCOPES[platform]?.[field] ?? null;

/** All scopes that some field needs. */
export const SCOPES_OF_FIELDS: readonly Scope[] = [
  ...new Set(Object.values(FIELD_SCOPES).flatMap((of) => Object.values(of))),
];

/** Who sees such a field, for descriptions. */
export const FIELD_NOTE = 'For LinkedIn only with the scope `leads:read`.';

/** What callers who lack some scopes may see. A hidden value is answered as a value that nobody knows. */
export interface Visibility {
  sees(platform: Platform, field: FieldName): boolean;
  /** An account with empty values in place of the hidden ones: no answer states the age of such a value. */
  part<Account extends { readonly platform: Platform }>(account: Account): Account;
  person(person: Person): Person;
}

/** What callers see who lack some scopes. */
export const visibilityWithout = (lacking: ReadonlySet<Scope>): Visibility => {
  const sees: Visibility['sees'] = (platform, field) => {
    const scope = scopeOfField(platform, field);
    return scope === null || !lacking.has(scope);
  };
  const part: Visibility['part'] = (account) => {
    const hidden = FIELD_NAMES.filter((field) => field in account && !sees(account.platform, field));
    if (hidden.length === 0) return account;
    return { ...account, ...perField(hidden, ({ empty }) => empty) };
  };
  const person: Visibility['person'] = ({ display_name, ...rest }) => ({
    ...rest,
    // The name of a person is one of its accounts elsewhere, if there are any.
    display_name: rest.is_linkedin_only && !sees('linkedin', 'display_name') ? null : display_name,
    accounts: rest.accounts.map(part),
  });
  return { sees, part, person };
};

/** An object with other members in place of some. */
export const replaced = <Base extends object>(base: Base, members: Partial<Base>): Base =>
  Object.assign(Object.create(base), members);

/** The reads of endpoints whose results have what a caller may see. */
export const visibleReads = (
  { accounts, people, claims, live }: Services,
  { part, person, sees }: Visibility,
): Pick<Services, 'accounts' | 'people' | 'claims' | 'live'> => {
  const foundPerson = (found: FoundPerson | null) => found && { ...found, person: person(found.person) };
  const shownClaims = ({ total, accounts: claiming }: Claims): Claims => ({
    total,
    accounts: claiming.map(({ evidence, ...claim }) => ({
      ...part(claim),
      evidence: evidence.filter(
        ({ kind }) => kind !== 'claimant_verified' || sees(claim.platform, 'verified'),
      ),
    })),
  });
  const shownReading = (platform: Platform, { reading, ...rest }: LiveReading): LiveReading => {
    if (!('profile' in reading)) return { reading, ...rest };
    const { platform: _, ...profile } = part({ platform, ...reading.profile });
    return { reading: { ...reading, profile }, ...rest };
  };
  return {
    accounts: replaced(accounts, {
      find: async (key) => {
        const known = await accounts.find(key);
        return known && part(known);
      },
      verdict: async (key) => {
        const known = await accounts.verdict(key);
        return known && part(known);
      },
    }),
    people: {
      ofAccount: async (key) => foundPerson(await people.ofAccount(key)),
      byId: async (id) => foundPerson(await people.byId(id)),
    },
    claims: {
      of: async (of) => {
        const { received, made } = await claims.of(of);
        return { received: shownClaims(received), made: shownClaims(made) };
      },
    },
    live: replaced(live, {
      read: async (platform, ...asked) => shownReading(platform, await live.read(platform, ...asked)),
    }),
  };
};
