import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { searchedKeys } from '../../../write/people/words.ts';
import type { PersonRow, WordRow } from './tables.ts';

/** A person as its row is until now. */
export type FormerPerson = Pick<PersonRow, 'person' | 'accounts' | 'fingerprint' | 'rank' | 'words'>;

export const loadPersons = async (
  db: Queryable,
  schema: string,
  persons: readonly string[],
): Promise<readonly FormerPerson[]> => {
  if (persons.length === 0) return [];
  const { rows } = await db.query<FormerPerson>({
    name: `persons of ${schema}`,
    text: `select person, accounts, fingerprint, rank, words from ${schema}.people where person = any($1)`,
    values: [persons],
  });
  return rows;
};

type Searched = Pick<PersonRow, 'person' | 'rank' | 'words'>;

const wordsOf = ({ person, rank, words }: Searched): readonly WordRow[] =>
  [...searchedKeys(words)].map((word) => ({ rank, word, person }));

/** Rows of words that a person has and another one had not: all of them if it has moved in the list. */
const wordsBeyond = (row: Searched, other: Searched | undefined): readonly WordRow[] => {
  if (other === undefined || other.rank !== row.rank) return wordsOf(row);
  if (other.words === row.words) return [];
  const known = searchedKeys(other.words);
  return wordsOf(row).filter(({ word }) => !known.has(word));
};

/** Rows of words that are new with persons as they are now, and those that are no more. */
export const wordChanges = (
  former: ReadonlyMap<string, Searched>,
  now: ReadonlyMap<string, Searched>,
): { readonly added: readonly WordRow[]; readonly removed: readonly WordRow[] } => ({
  added: [...now.values()].flatMap((row) => wordsBeyond(row, former.get(row.person))),
  removed: [...former.values()].flatMap((row) => wordsBeyond(row, now.get(row.person))),
});
