/** Text of accounts as it is compared: search words, names, handles, bios, pictures. */

import { truncated } from '../../kernel/text.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const MAX_INDEXED_CHARS = 1_000;
/** Code units of a word in an index, whose rows Postgres limits to 2,704 bytes. */
const MAX_KEY_UNITS = 60;

/** A text in the form in which searches compare it. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Words of a folded name. */
export const wordsIn = (text: string): readonly string[] => text.match(WORD) ?? [];

/** A word in the form in which the index holds it. */
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
  return truncated([...words].map((word) => ` ${word}`).join(''), MAX_INDEXED_CHARS);
};

/** The part of such words that the index holds. */
export const searchedKeys = (words: string): ReadonlySet<string> =>
  new Set(words.split(' ').slice(1).map(wordKey));

/** Words by which an account says that it is not the person or brand that it is named after, in languages of the platforms. */
const DISCLAIMERS: ReadonlySet<string> = new Set(
  'parody satire spoof fake fan fanpage fanclub fans unofficial tribute parodia parodie satira sátira пародия фан パロディ ファン 非公式 ساخر'.split(
    ' ',
  ),
);

/** Longest names that are read, in words: longer ones are sentences. */
const MAX_WORDS = 6;

const MAX_KEY_CHARS = 100;

/** A displayed name in the form in which it is compared: words of two letters or more, initials, and whether it is disclaimed. */
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
  const words = parts.filter((part) => !DISCLAIMERS.has(part)).slice(0, MAX_WORDS);
  if (words.length === 0) return null;
  // A letter of a script without case is a word.
  const isInitial = (part: string) => [...part].length === 1 && part.toUpperCase() !== part;
  return {
    words: words.filter((part) => !isInitial(part)),
    initials: words.filter(isInitial),
    isDisclaimed: words.length < parts.length && parts.some((part) => DISCLAIMERS.has(part)),
  };
};

/** Whether a text says that its account is not the person or brand that it is named after. */
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

/** Handles with fewer characters are too common for their equality to be evidence. */
const MIN_DISTINCTIVE_CHARS = 7;

const letters = (handle: string): string => handle.replaceAll(/[^\p{L}]/gu, '');

const pairsOf = (text: string): Map<string, number> => {
  const pairs = new Map<string, number>();
  for (let n = 0; n + 1 < text.length; n++) {
    const pair = text.slice(n, n + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
};

/** Share of letter pairs that two texts have in common (Dice 1945). */
const dice = (a: string, b: string): number => {
  const [one, two] = [pairsOf(a), pairsOf(b)];
  let common = 0;
  for (const [pair, n] of one) common += Math.min(n, two.get(pair) ?? 0);
  return (2 * common) / Math.max(1, a.length + b.length - 2);
};

/** Likeness above which two handles seem to be made of the same words. */
const ALIKE = 0.6;

/**
 * How two handles relate. Only distinctive handles are `equal`: the surprisal of a handle grows with its length, so that short ones
 * are at most `alike`.
 */
export type HandleRelation = 'equal' | 'alike' | 'unlike';

export const relateHandles = (a: string | null, b: string | null): HandleRelation => {
  if (a === null || b === null) return 'unlike';
  if (a === b) return a.length >= MIN_DISTINCTIVE_CHARS ? 'equal' : 'alike';
  const [one, two] = [letters(a), letters(b)];
  if (one.length < 4 || two.length < 4) return 'unlike';
  return dice(one, two) > ALIKE ? 'alike' : 'unlike';
};

const LINKS_AND_NAMES = /https?:\/\/\S+|@[\w.-]+/g;
/** Shorter texts are too common. */
const MIN_INTRO_CHARS = 12;
const MAX_INTRO_CHARS = 300;

/**
 * The statement of a bio about its owner: its first line in lower case, without links and names of others; null if hardly anything
 * is left.
 */
export const introIn = (bio: string | null): string | null => {
  if (bio === null) return null;
  const firstLine = truncated(bio.split('\n')[0] ?? '', 2 * MAX_INTRO_CHARS).replaceAll(LINKS_AND_NAMES, ' ');
  const plain = truncated(
    firstLine.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim(),
    MAX_INTRO_CHARS,
  );
  return plain.length < MIN_INTRO_CHARS ? null : plain;
};

const RUNS = /[a-z2-7]+/g;
const BEFORE = '/.~_';
const AFTER = '/.~_@?';
const MULTIBASE = 'bafkrei';
const CONTENT_ID_LETTERS = 20;

/** Characters of it that are equal for crops of the same picture. */
const MOTIF_LETTERS = 8;

/**
 * The part of a picture's address that identifies its content. Platforms that store files by a hash of their content (as Bluesky's
 * CIDs) use one address per picture. Twenty letters of base 32; null if the address has none.
 */
export const pictureOf = (avatarUrl: string | null): string | null => {
  for (const { 0: run, index, input } of avatarUrl?.matchAll(RUNS) ?? []) {
    if (run.length < CONTENT_ID_LETTERS || !AFTER.includes(input.charAt(index + run.length))) continue;
    const isWhole = BEFORE.includes(input.charAt(index - 1));
    const from = isWhole ? 0 : run.indexOf(MULTIBASE) + MULTIBASE.length;
    const isNamed = isWhole || from >= MULTIBASE.length;
    if (isNamed && run.length - from >= CONTENT_ID_LETTERS) return run.slice(from, from + CONTENT_ID_LETTERS);
  }
  return null;
};

/** Whether two accounts show the same picture, or crops of it. */
export const isOnePicture = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && a.slice(0, MOTIF_LETTERS) === b.slice(0, MOTIF_LETTERS);
