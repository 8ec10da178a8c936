import type { Db } from '../../kernel/postgres/pool.ts';
import { createPersonReads } from '../../read/people/person.ts';
import { type AccountName, accountNamed } from '../account-name.ts';
import { peopleSchema } from '../people/explain.ts';

/**
 * Accounts that texts name. @param isPerson whether with all that are of the same persons.
 * @throws {OperatorError} `argument_invalid` for a text that names none.
 */
export const accountsNamed = async (
  context: { readonly db: Db },
  texts: readonly string[],
  isPerson: boolean,
): Promise<readonly AccountName[]> => {
  const accounts = texts.map(accountNamed);
  if (!isPerson) return accounts;
  const found: AccountName[] = [];
  for (const account of accounts) found.push(...(await accountsOfPerson(context, account)));
  return found;
};

/** All accounts that are confirmed to be of the same person as an account; the account alone if it is nobody's. */
const accountsOfPerson = async (
  { db }: { readonly db: Db },
  account: AccountName,
): Promise<readonly AccountName[]> => {
  const schema = await peopleSchema(db);
  const { platform, kind, name } = account;
  const found = await createPersonReads(db, { schema: () => schema }).ofAccount({
    platform,
    by: kind,
    value: name,
  });
  return found === null ? [account] : found.person.accounts.map(({ key }) => accountNamed(key));
};
