import type { Queryable } from '../../../kernel/postgres/pool.ts';
import type { PersonRow } from './tables.ts';

/** A person as its row is until now. */
export type FormerPerson = Pick<PersonRow, 'person' | 'accounts' | 'fingerprint'>;

export const loadPersons = async (
  db: Queryable,
  schema: string,
  persons: readonly string[],
): Promise<readonly FormerPerson[]> => {
  if (persons.length === 0) return [];
  const { rows } = await db.query<FormerPerson>({
    name: `persons of ${schema}`,
    text: `select person, accounts, fingerprint from ${schema}.people where person = any($1)`,
    values: [persons],
  });
  return rows;
};
