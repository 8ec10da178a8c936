import { truncated } from '../../kernel/text.ts';

/** Words by which an account says that it is not the one that it is named after, in languages of the platforms. */
const DISCLAIMERS: ReadonlySet<string> = new Set(
  'parody satire spoof fake fan fanpage fanclub fans unofficial tribute parodia parodie satira sátira пародия фан パロディ ファン 非公式 ساخر'.split(
    ' ',
  ),
);

/** Longest names that are read, in words: longer ones are sentences. */
const MAX_WORDS = 6;

const MAX_KEY_CHARS = 100;

/** A displayed name as it is compared: words of two letters or more, initials, and what the account says about it. */
export interface PersonName {
  readonly words: readonly string[];
  readonly initials: readonly string[];
  readonly isDisclaimed: boolean;
}

const LETTERS = /[\p{L}\p{M}]+/gu;

/**
 * Reads a displayed name without its ornaments, in the order "given family": "Family, Given" is turned around.
 * @returns null if it has no letters.
 */
export const readName = (displayed: string | null): PersonName | null => {
  if (displayed === null) return null;
  const folded = displayed.normalize('NFKC').toLowerCase();
  const comma = folded.indexOf(',');
  const turned = comma < 0 ? folded : `${folded.slice(comma + 1)} ${folded.slice(0, comma)}`;
  const parts = turned.match(LETTERS) ?? [];
  const said = parts.filter((part) => !DISCLAIMERS.has(part)).slice(0, MAX_WORDS);
  if (said.length === 0) return null;
  // A letter of a script without case is a word.
  const isInitial = (part: string) => [...part].length === 1 && part.toUpperCase() !== part;
  return {
    words: said.filter((part) => !isInitial(part)),
    initials: said.filter(isInitial),
    isDisclaimed: said.length < parts.length && parts.some((part) => DISCLAIMERS.has(part)),
  };
};

/** Whether a text says that its account is not the one that it is named after. */
export const isDisclaimed = (text: string | null): boolean =>
  text !== null && (text.toLowerCase().match(LETTERS) ?? []).some((word) => DISCLAIMERS.has(word));

/**
 * The key under which accounts with one name are counted: the first two words, in alphabetical order.
 * @returns null if the name has fewer than two words.
 */
export const nameKey = (name: PersonName | null): string | null => {
  if (name === null || name.words.length < 2) return null;
  return truncated(name.words.slice(0, 2).toSorted().join(' '), MAX_KEY_CHARS);
};

/**
 * How two names relate.
 * - `equal`: the same words. `alike`: two words in common, and nothing that contradicts. `short`: one word, and nothing
 *   that contradicts.
 * - `partial`: two words in common, and others that contradict. `unlike`: anything else. `unknown`: one has no name.
 */
export type NameRelation = 'equal' | 'alike' | 'short' | 'partial' | 'unlike' | 'unknown';

export const relateNames = (a: PersonName | null, b: PersonName | null): NameRelation => {
  if (a === null || b === null) return 'unknown';
  const inB = new Set(b.words);
  const common = a.words.filter((word) => inB.has(word));
  if (common.length === a.words.length && common.length === b.words.length && common.length > 0)
    return a.initials.length + b.initials.length === 0 ? 'equal' : 'alike';
  const shared = new Set(common);
  const restOfA = a.words.filter((word) => !shared.has(word));
  const restOfB = b.words.filter((word) => !shared.has(word));
  // An initial stands for a word of the other name; words of both that are left over contradict each other.
  const meant = (initial: string, rest: readonly string[]) => rest.some((word) => word.startsWith(initial));
  const contradicts =
    (restOfA.length > 0 && restOfB.length > 0) ||
    a.initials.some((initial) => !meant(initial, b.words) && !b.initials.includes(initial)) ||
    b.initials.some((initial) => !meant(initial, a.words) && !a.initials.includes(initial));
  if (common.length >= 2) return contradicts ? 'partial' : 'alike';
  return common.length === 1 && !contradicts ? 'short' : 'unlike';
};
