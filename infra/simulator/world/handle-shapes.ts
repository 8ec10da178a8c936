import { ENDINGS, FIRST_NAMES, LAST_NAMES } from './name-parts.ts';

/** Represents an empty tail after a separator. */
export const NO_TAIL = 'yes';

const tails: readonly string[] = ['', ...ENDINGS, ...Array.from({ length: 896 }, (_, n) => String(n + 1))];
const tailOf = new Map(tails.map((tail, n) => [tail, n]));
/** One of 1024 tails of handles. */
export const tailText = (number: number): string => tails[number] as string;
export const tailNumber = (text: string): number | undefined => tailOf.get(text);

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

const wordAt = (words: ReadonlyMap<string, number>, text: string, at: number) => {
  for (let length = 3; length <= 5; length++) {
    const number = words.get(text.slice(at, at + length));
    if (number !== undefined) return { number, end: at + length };
  }
  return null;
};

/** Numbers of the names and the text of the tail of a handle in a form; null if it has another form. */
export const readShape = (
  { pieces, ending }: HandleShape,
  handle: string,
): { readonly first: number; readonly last: number; readonly tail: string } | null => {
  if (!handle.endsWith(ending)) return null;
  let [at, first, last] = [0, 0, 0];
  for (const piece of pieces) {
    if (piece === 'T') return { first, last, tail: handle.slice(at, handle.length - ending.length) };
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
