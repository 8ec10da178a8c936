import { ENDINGS, FIRST_NAMES, LAST_NAMES } from './name-parts.ts';

/** Represents an empty tail after a separator. */
const NO_TAIL = 'yes';

const WORDS: readonly string[] = ['', ...ENDINGS];
const wordOf = new Map(WORDS.map((tail, n) => [tail, n]));
const LARGEST_NUMBER = 99_999;

/** Tails of handles: none, the endings, numbers. */
export const TAILS = WORDS.length + LARGEST_NUMBER;
/** The first ones have at most four characters. */
export const SHORT_TAILS = WORDS.length + 9999;

const tailText = (number: number): string => WORDS[number] ?? String(number - WORDS.length + 1);
const tailNumber = (text: string): number | undefined =>
  /^[1-9]\d{0,4}$/.test(text) ? WORDS.length - 1 + Number(text) : wordOf.get(text);

const firstOf = new Map(FIRST_NAMES.map((word, n) => [word, n]));
const lastOf = new Map(LAST_NAMES.map((word, n) => [word, n]));

/** A form of a handle: F and L are the names, T the tail, anything else stands for itself. */
export interface HandleShape {
  readonly pieces: readonly string[];
  /** Text after the tail. */
  readonly ending: string;
  /** Whether a separator precedes the tail. */
  readonly separated: boolean;
}

export const shapeOf = (template: string): HandleShape => ({
  pieces: template.split(/([FLT])/).filter((piece) => piece !== ''),
  ending: template.slice(template.indexOf('T') + 1),
  separated: /[._-]T/.test(template),
});

/** Numbers of two names, eight bits each, and of a tail. */
export interface HandleWords {
  readonly names: number;
  readonly tail: number;
}

export const writeShape = (
  { pieces, separated }: HandleShape,
  { names, tail }: HandleWords,
  capitals: boolean,
): string => {
  const name = (word: string) => (capitals ? word.charAt(0).toUpperCase() + word.slice(1) : word);
  let out = '';
  for (const piece of pieces) {
    if (piece === 'F') out += name(FIRST_NAMES[names & 255] as string);
    else if (piece === 'L') out += name(LAST_NAMES[names >>> 8] as string);
    else if (piece === 'T') out += tail === 0 && separated ? NO_TAIL : tailText(tail);
    else out += piece;
  }
  return out;
};

const wordAt = (words: ReadonlyMap<string, number>, text: string, at: number) => {
  for (let length = 3; length <= 5; length++) {
    const number = words.get(text.slice(at, at + length));
    if (number !== undefined) return { number, end: at + length };
  }
  return null;
};

/** Names and tail of a handle in a form; null if it has another form. */
export const readShape = ({ pieces, ending, separated }: HandleShape, handle: string): HandleWords | null => {
  if (!handle.endsWith(ending)) return null;
  let [at, first, last] = [0, 0, 0];
  for (const piece of pieces) {
    if (piece === 'T') {
      const text = handle.slice(at, handle.length - ending.length);
      if (separated && text === '') return null;
      const tail = tailNumber(separated && text === NO_TAIL ? '' : text);
      return tail === undefined ? null : { names: first | (last << 8), tail };
    }
    if (piece === 'F' || piece === 'L') {
      const word = wordAt(piece === 'F' ? firstOf : lastOf, handle, at);
      if (!word) return null;
      if (piece === 'F') first = word.number;
      else last = word.number;
      at = word.end;
    } else {
      if (!handle.startsWith(piece, at)) return null;
      at += piece.length;
    }
  }
  return null;
};
