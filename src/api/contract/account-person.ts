import type { FoundPerson, PersonAccount } from '../../read/people/person.ts';
import type { Services } from '../services.ts';
import type { AccountSource } from './account-ref.ts';

/** The account of a person that was asked for. */
export const askedOf = ({ person, asked }: FoundPerson): PersonAccount | undefined =>
  person.accounts.find(({ key }) => key === asked);

/** Persons by their accounts: under a handle that of the account that has it, not of those that had it. */
export const personsOf = ({ people }: Pick<Services, 'people'>): AccountSource<FoundPerson> => ({
  find: async (key) => {
    const found = await people.ofAccount(key);
    return found !== null && key.by === 'handle' && askedOf(found)?.handle !== key.value ? null : found;
  },
  idOf: (found) => askedOf(found)?.id ?? null,
  statusOf: (found) => askedOf(found)?.status ?? 'unknown',
});
