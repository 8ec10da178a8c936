import { truncated } from '../../kernel/text.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const MAX_CHARS = 1_000;
/** Code units of a word in an index, whose rows Postgres limits to 2,704 bytes. */
const MAX_KEY_UNITS = 60;

/** A text as it is compared in searches. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Words of a name that is folded. */
export const wordsIn = (text: string): readonly string[] => text.match(WORD) ?? [];

/** A word as an index has it. */
export const wordKey = (word: string): string => truncated(word, MAX_KEY_UNITS);

/** Whole handles and the words of names, each after a space. */
export const searchedWords = (
  shown: readonly { readonly handle: string | null; readonly displayName: string | null }[],
): string => {
  const words = new Set<string>();
  for (const { handle, displayName } of shown) {
    if (handle !== null) words.add(folded(handle));
    for (const word of wordsIn(folded(displayName ?? ''))) words.add(word);
  }
  return truncated([...words].map((word) => ` ${word}`).join(''), MAX_CHARS);
};

/** What an index has of such words. */
export const searchedKeys = (words: string): ReadonlySet<string> =>
  new Set(words.split(' ').slice(1).map(wordKey));
