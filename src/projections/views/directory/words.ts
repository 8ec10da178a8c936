import { folded, searchedWords, wordKey, wordsIn } from '../../../write/people/words.ts';

/** Words of an entry that searches find: hardly any name has more. */
const MAX_WORDS = 24;

/** Handle and words of a name, each after a space. */
export const wordsOfEntry = (handle: string | null, displayName: string | null): string => {
  const words = searchedWords([{ handle, displayName }]);
  let end = 0;
  for (let n = 0; n < MAX_WORDS && end !== -1; n++) end = words.indexOf(' ', end + 1);
  return end === -1 ? words : words.slice(0, end);
};

/** What the index has of a name: its words, and all of them after a space if there are several, as no word begins. */
export const wordKeys = (displayName: string | null): readonly string[] => {
  const words = wordsIn(folded(displayName ?? '')).slice(0, MAX_WORDS);
  const whole = words.length < 2 ? [] : [wordKey(` ${words.join(' ')}`)];
  return [...new Set([...words.map(wordKey), ...whole])];
};

/** A whole name as the index has it. */
export const nameKey = (displayName: string | null): string | undefined => wordKeys(displayName).at(-1);
