/** Text of accounts as it is compared: search words, names, handles, bios, pictures. */

import { readFileSync } from 'node:fs';
import anyAscii from 'any-ascii';
import { truncated } from '../../kernel/text.ts';
import { withoutDisclaimer } from './disclaimers.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const MAX_INDEXED_CHARS = 1_000;
/** Code units of a word in an index, whose rows Postgres limits to 2,704 bytes. */
const MAX_KEY_UNITS = 60;

/** Most names and handles have no other characters. */
const IS_ASCII = /^[\0-\x7f]*$/;
const LATIN = /\p{Script=Latin}\p{M}*/gu;

/** A text in the form in which searches compare it: without case, width and accents. Other scripts keep their letters. */
export const folded = (text: string): string =>
  IS_ASCII.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKC')
        .replaceAll(LATIN, (letter) => anyAscii(letter))
        .toLowerCase();

/** Words of a folded name. */
export const wordsIn = (text: string): readonly string[] => text.match(WORD) ?? [];

/** A word in the form in which the index holds it. */
export const wordKey = (word: string): string => truncated(word, MAX_KEY_UNITS);

/** Syllables of Chinese and Korean begin with a capital. */
const SYLLABLE = /[A-Z]?[a-z]+/g;

/** Words of another script in Latin letters: those of Chinese and Korean are syllables. */
const romanised = (word: string): readonly string[] =>
  (anyAscii(word).replaceAll("'", '').match(SYLLABLE) ?? []).map((part) => part.toLowerCase());

/** Words of a displayed name as searches find them: as they are written, and those of other scripts in Latin letters as well. */
export const searchedIn = (
  displayName: string | null,
): { readonly written: readonly string[]; readonly romanised: readonly string[] } => {
  const written = wordsIn(folded(displayName ?? ''));
  return { written, romanised: written.filter((word) => !IS_ASCII.test(word)).flatMap(romanised) };
};

/** Whole handles and the words of names, each after a space. */
export const searchedWords = (
  shown: readonly { readonly handle: string | null; readonly displayName: string | null }[],
): string => {
  const words = new Set<string>();
  for (const { handle, displayName } of shown) {
    if (handle !== null) words.add(folded(handle));
    const found = searchedIn(displayName);
    for (const word of [...found.written, ...found.romanised]) words.add(word);
  }
  return truncated([...words].map((word) => ` ${word}`).join(''), MAX_INDEXED_CHARS);
};

/** The part of such words that the index holds. */
export const searchedKeys = (words: string): ReadonlySet<string> =>
  new Set(words.split(' ').slice(1).map(wordKey));

/** Longest names that are read, in words: longer ones are sentences. */
const MAX_WORDS = 6;

const MAX_KEY_CHARS = 100;

/** How a word that was written in another script relates to its spellings in Latin letters. */
type Spelling = 'sound' | 'consonants';

/** A displayed name in the form in which it is compared. */
export interface PersonName {
  /** Words of two letters or more in Latin letters; what is written without spaces, in Chinese characters, kana or hangul, as one. */
  readonly words: readonly string[];
  readonly initials: readonly string[];
  /** Words that others may spell otherwise. */
  readonly spelled: ReadonlyMap<string, Spelling>;
  /** Whether it says that the account is not the person or brand that it is named after. */
  readonly isDisclaimed: boolean;
}

const LETTERS = /[\p{L}\p{M}]+/gu;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/u;
const SPACELESS_RUNS = new RegExp(SPACELESS, 'gu');
/** Scripts that leave vowels out. */
const CONSONANTAL =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Thai}]/u;
const UMLAUT = /[äöüæøœ]/i;
const LATIN_WORD = /^[\p{Script=Latin}\p{M}]+$/u;
/** "JP" in "JP Hess": letters that stand for words. */
const CAPITALS = /^[A-Z]{2}$/;

/** Titles and marks of generations, which one account writes and another does not. */
const TITLES: ReadonlySet<string> = new Set('jr sr ii iii iv dr prof mr mrs ms phd md'.split(' '));

const spellingOf = (part: string): Spelling | null =>
  CONSONANTAL.test(part) ? 'consonants' : !LATIN_WORD.test(part) || UMLAUT.test(part) ? 'sound' : null;

/**
 * Reads a displayed name without its ornaments, in the order "given family": "Family, Given" is turned around.
 * @returns null if it has no letters.
 */
export const readName = (displayed: string | null): PersonName | null => {
  if (displayed === null) return null;
  const normal = displayed.normalize('NFKC');
  const rest = withoutDisclaimer(normal);
  const name = rest ?? normal;
  const comma = name.indexOf(',');
  const turned = comma < 0 ? name : `${name.slice(comma + 1)} ${name.slice(0, comma)}`;
  const spaceless = (turned.match(SPACELESS_RUNS) ?? []).join('');
  const parts = (turned.replaceAll(SPACELESS_RUNS, ' ').match(LETTERS) ?? []).filter(
    (part) => !TITLES.has(part.toLowerCase()),
  );
  const isMixed = turned !== turned.toUpperCase();
  const words: string[] = spaceless === '' ? [] : [spaceless];
  const initials: string[] = [];
  const spelled = new Map<string, Spelling>();
  for (const part of parts.slice(0, MAX_WORDS)) {
    if (IS_ASCII.test(part)) {
      const word = part.toLowerCase();
      if (isMixed && CAPITALS.test(part)) initials.push(...word);
      else (word.length === 1 ? initials : words).push(word);
      continue;
    }
    const word = romanised(part.toLowerCase()).join('');
    const spelling = spellingOf(part);
    if (word === '') continue;
    // A letter of a script without case is a word.
    const isInitial = [...part].length === 1 && part.toUpperCase() !== part.toLowerCase();
    (isInitial ? initials : words).push(word);
    if (spelling !== null && !isInitial) spelled.set(word, spelling);
  }
  if (words.length + initials.length === 0) return null;
  return { words, initials, spelled, isDisclaimed: rest !== null };
};

/**
 * How many words of an alphabet a word says as much as. Names in Chinese characters and hangul are whole in two to four characters;
 * kana are syllables.
 */
const weightOf = (word: string): number =>
  SPACELESS.test(word)
    ? Math.max(1, Math.floor([...word].reduce((sum, letter) => sum + (KANA.test(letter) ? 0.5 : 1), 0)))
    : 1;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

const weightOfAll = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + weightOf(word), 0);

/**
 * The key under which accounts with one name are counted: the first two words, in alphabetical order.
 * @returns null for a name that says less than two words.
 */
export const nameKey = (name: PersonName | null): string | null => {
  if (name === null || weightOfAll(name.words) < 2) return null;
  return truncated(name.words.slice(0, 2).toSorted().join(' '), MAX_KEY_CHARS);
};

const readNames = (file: string): readonly (readonly string[])[] =>
  readFileSync(new URL(`terms/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/[: ]+/));

let namesByForm: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Names by the forms in which they are written: a short form may be of several. */
const formsOfNames = (): ReadonlyMap<string, ReadonlySet<string>> => {
  if (namesByForm === undefined) {
    const names = new Map<string, Set<string>>();
    for (const [name, ...forms] of [...readNames('nicknames-english.txt'), ...readNames('nicknames.txt')])
      for (const form of [name as string, ...forms])
        names.set(form, (names.get(form) ?? new Set()).add(name as string));
    namesByForm = names;
  }
  return namesByForm;
};

/** Whether two words are forms of one given name. */
const isOneName = (a: string, b: string): boolean => {
  const [one, other] = [formsOfNames().get(a), formsOfNames().get(b)];
  return one !== undefined && other !== undefined && !one.isDisjointFrom(other);
};

const DOUBLES = /(.)\1+/g;

/** A word as it sounds to those who write it otherwise: Yuliya as Iulia and Julia, Mueller as Muller. */
const soundOf = (word: string): string =>
  word
    .replaceAll(/([aou])e/g, '$1')
    .replaceAll(/[jy]/g, 'i')
    .replaceAll('ks', 'x')
    .replaceAll('kh', 'h')
    .replaceAll(DOUBLES, '$1');

/** The consonants of a word, which is all that some scripts write. */
const consonantsOf = (word: string): string =>
  word
    .replaceAll(/[cq]/g, 'k')
    .replaceAll('ph', 'f')
    .replaceAll(/(?<=[bdgjkpstz])h/g, '')
    .replaceAll(/[aeiouwy]/g, '')
    .replaceAll(DOUBLES, '$1');

/** Fewer consonants are in many names. */
const LEAST_CONSONANTS = 2;

const isSpelledAlike = (a: string, b: string, how: Spelling | undefined): boolean => {
  if (how === undefined) return false;
  if (how === 'sound') return soundOf(a) === soundOf(b);
  const consonants = consonantsOf(a);
  return consonants.length >= LEAST_CONSONANTS && consonants === consonantsOf(b);
};

/** Removes the first one that is meant from a list, if there is one. */
const take = (from: string[], isMeant: (one: string) => boolean): boolean => {
  const at = from.findIndex(isMeant);
  if (at >= 0) from.splice(at, 1);
  return at >= 0;
};

/** What both names have left over: initials stand for words of the other name, or for its initials. */
const leftOver = (
  [a, b]: readonly [PersonName, PersonName],
  restOfA: readonly string[],
  restOfB: readonly string[],
): readonly [readonly string[], readonly string[]] => {
  const [wordsOfA, wordsOfB, initialsOfB] = [[...restOfA], [...restOfB], [...b.initials]];
  const initialsOfA = a.initials.filter(
    (initial) =>
      !take(initialsOfB, (one) => one === initial) && !take(wordsOfB, (word) => word.startsWith(initial)),
  );
  const others = initialsOfB.filter((initial) => !take(wordsOfA, (word) => word.startsWith(initial)));
  return [
    [...wordsOfA, ...initialsOfA],
    [...wordsOfB, ...others],
  ];
};

/** The word of a name that is written without spaces; null if it has none. */
const spacelessIn = ({ words }: PersonName): string | null =>
  words[0] !== undefined && SPACELESS.test(words[0]) ? words[0] : null;

/** A name without spaces beside one in Latin letters, which may have the family name first or last. */
const acrossScripts = (word: string, { words }: PersonName): NameRelation => {
  const [family = '', ...given] = romanised(word);
  const isSame = ([first = '', ...rest]: readonly string[]) =>
    soundOf(first + rest.join('')) === soundOf(family + given.join('')) ||
    (isOneName(first, family) && soundOf(rest.join('')) === soundOf(given.join('')));
  const isFound = [
    words,
    [...words.slice(-1), ...words.slice(0, -1)],
    [...words.slice(1), ...words.slice(0, 1)],
  ].some(isSame);
  return !isFound || family === '' ? 'unknown' : weightOf(word) >= 2 ? 'alike' : 'short';
};

/**
 * How two names relate.
 * - `equal`: the same words. `alike`: two words in common, or short forms and other spellings of them, and nothing that contradicts.
 *   `short`: one word, and nothing that contradicts.
 * - `partial`: two words in common, and others that contradict. `unlike`: anything else. `unknown`: one has no name, or their
 *   scripts can't be compared.
 */
export type NameRelation = 'equal' | 'alike' | 'short' | 'partial' | 'unlike' | 'unknown';

export const relateNames = (a: PersonName | null, b: PersonName | null): NameRelation => {
  if (a === null || b === null) return 'unknown';
  const [own, other] = [spacelessIn(a), spacelessIn(b)];
  if (own !== null && other === null && a.words.length === 1) return acrossScripts(own, b);
  if (other !== null && own === null && b.words.length === 1) return acrossScripts(other, a);
  const restOfB = [...b.words];
  const unequal = a.words.filter((word) => !take(restOfB, (one) => one === word));
  const isForm = (word: string) => (one: string) =>
    isOneName(word, one) || isSpelledAlike(word, one, a.spelled.get(word) ?? b.spelled.get(one));
  const restOfA = unequal.filter((word) => !take(restOfB, isForm(word)));
  const hasInitials = a.initials.length + b.initials.length > 0;
  if (unequal.length + restOfB.length === 0 && !hasInitials && a.words.length > 0) return 'equal';
  const left = leftOver([a, b], restOfA, restOfB);
  const contradicts = left.every(({ length }) => length > 0);
  const leftOfBoth = left.flat().length;
  const weight = weightOfAll(a.words) - weightOfAll(restOfA);
  if (weight >= 2) return contradicts ? 'partial' : 'alike';
  // Another form of one word says little: it is the whole of both names, or nothing.
  const isExact = weightOfAll(unequal) < weightOfAll(a.words);
  return weight === 1 && !contradicts && (isExact || leftOfBoth === 0) ? 'short' : 'unlike';
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
