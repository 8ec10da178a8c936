import { termLines } from './read-terms.ts';

const withoutOne = (word: string): string[] =>
  Array.from(word, (_, n) => word.slice(0, n) + word.slice(n + 1));

let byDeletion: ReadonlyMap<string, string> | undefined;

/** Frequent words of titles, long enough that a word one letter away from them is a typing error, by what is left of them. */
const deletions = (): ReadonlyMap<string, string> => {
  byDeletion ??= new Map(
    termLines('frequent.txt').flatMap((word) =>
      [word, ...withoutOne(word)].map((left): [string, string] => [left, word]),
    ),
  );
  return byDeletion;
};

const LETTERS = 7;

/** The frequent word that a word is one letter away from; the word itself if there is none. */
export const corrected = (word: string): string => {
  if (word.length < LETTERS - 1 || word.length > 20) return word;
  const exact = deletions().get(word);
  if (exact !== undefined) return exact;
  for (const shorter of withoutOne(word)) {
    const found = deletions().get(shorter);
    // Exchanged or neighbouring letters; other words share a deletion by chance.
    if (found !== undefined && Math.abs(found.length - word.length) <= 1) return found;
  }
  return word;
};
