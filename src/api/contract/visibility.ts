import type { LiveReading } from '../../crawlers/live-read/port.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { KnownKey } from '../../read/holders.ts';
import type { Claims } from '../../read/people/claims.ts';
import type { FoundPerson, Person } from '../../read/people/person.ts';
import { FIELD_NAMES, type FieldName, perField } from '../../write/accounts/profile.ts';
import type { Scope } from '../../write/holders/plans.ts';
import { authorize, denialOf } from '../pipeline/access.ts';
import type { Services } from '../services.ts';

/**
 * The scope that a field of accounts needs beside the scope of an endpoint. Everybody may know that an account of LinkedIn
 * exists, its address and its status. The contents of its page are leads.
 */
const FIELD_SCOPES: Readonly<Partial<Record<Platform, Readonly<Record<FieldName, Scope>>>>> = {
  linkedin: perField(FIELD_NAMES, () => 'leads:read' as const),
};

/** Who sees such a field, for descriptions. */
export const FIELD_NOTE = 'For LinkedIn only with the scope `leads:read`.';

/** What callers who lack some scopes may see. A hidden value is answered as a value that nobody knows. */
export interface Visibility {
  sees(platform: Platform, field: FieldName): boolean;
  /** An account with empty values in place of the hidden ones: no answer states the age of such a value. */
  part<Account extends { readonly platform: Platform }>(account: Account): Account;
  person(person: Person): Person;
}

/** The services of a caller, and what he may see. */
export type VisibleTo = (caller: KnownKey) => { readonly services: Services; readonly visible: Visibility };

/** Gives the accounts, persons and live readings of requests the fields that their callers may see; endpoints get no others. */
export const createVisibleServices = (services: Services): VisibleTo => {
  const guarding = [...new Set(Object.values(FIELD_SCOPES).flatMap((of) => Object.values(of)))];
  const made = new Map<string, ReturnType<VisibleTo>>();
  return (caller) => {
    const lacking = guarding.filter((scope) => denialOf(services.plans, caller, { scope }) !== null);
    const name = lacking.join();
    let found = made.get(name);
    if (found === undefined) {
      const visible = visibilityWithout(new Set(lacking));
      found = {
        services: lacking.length === 0 ? services : replaced(services, visibleReads(services, visible)),
        visible,
      };
      made.set(name, found);
    }
    return found;
  };
};

/**
 * Checks that a caller may see a field, for a result that tells its value.
 * @throws {ServiceError} `scope_missing`, `plan_required`.
 */
export const requireVisible = (
  { services, caller }: { readonly services: Services; readonly caller: KnownKey },
  platform: Platform,
  field: FieldName,
): void => {
  const scope = FIELD_SCOPES[platform]?.[field] ?? null;
  authorize(services.plans, caller, { scope, why: `The result tells the ${field} of the account.` });
};

const visibilityWithout = (lacking: ReadonlySet<Scope>): Visibility => {
  const sees: Visibility['sees'] = (platform, field) => {
    const scope = FIELD_SCOPES[platform]?.[field];
    return scope === undefined || !lacking.has(scope);
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
const replaced = <Base extends object>(base: Base, members: Partial<Base>): Base =>
  Object.assign(Object.create(base), members);

const visibleReads = (
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
