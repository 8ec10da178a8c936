import type { Queryable } from '../../../kernel/postgres/pool.ts';
import type { PersonRow } from './tables.ts';

/** A person as its row is until now. */
export type FormerPerson = Pick<PersonRow, 'person' | 'size' | 'fingerprint'>;

export const loadPersons = async (
  db: Queryable,
  schema: string,
  persons: readonly string[],
): Promise<readonly FormerPerson[]> => {
  if (persons.length === 0) return [];
  const { rows } = await db.query<FormerPerson>({
    name: `persons of ${schema}`,
    text: `select person, size, fingerprint from ${schema}.people where person = any($1)`,
    values: [persons],
  });
  return rows;
};

/** The accounts that persons have until now. */
export const accountsOf = async (
  db: Queryable,
  schema: string,
  persons: readonly string[],
): Promise<readonly string[]> => {
  if (persons.length === 0) return [];
  const { rows } = await db.query<{ account: string }>({
    name: `accounts of persons of ${schema}`,
    text: `select m->>'account' as account from ${schema}.people
           cross join lateral jsonb_array_elements(members) m where person = any($1)`,
    values: [persons],
  });
  return rows.map(({ account }) => account);
};
