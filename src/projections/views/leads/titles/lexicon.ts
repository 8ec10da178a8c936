import { fold } from './fold.ts';

/** A run of letters and digits, with its position in the folded title. */
export interface Token {
  readonly text: string;
  readonly from: number;
}

const isScript = (text: string): boolean => /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(text);

/** The Arabic article, alone or after "and", "for", "with". */
const ARTICLE = /^[وبلف]?ال(?=..)/;

const withoutArticle = (word: string): string => word.replace(ARTICLE, '');

/** `c++`, `r&d` and `c#` are words too. */
const TOKEN =
  /[\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+|(?:(?![\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])[\p{L}\p{N}])+(?:&[a-z](?!\p{L})|\+\+|#)?/gu;

/** More than these are not read. */
const MAX_TOKENS = 40;

const MAX_LETTERS = 40;

export const tokensOf = (folded: string): Token[] => {
  const tokens: Token[] = [];
  for (const { 0: text, index } of folded.matchAll(TOKEN)) {
    if (tokens.length === MAX_TOKENS) break;
    const bare = withoutArticle(text);
    tokens.push({ text: bare.slice(0, MAX_LETTERS), from: index + text.length - bare.length });
  }
  return tokens;
};

/** Where a term was found: characters `from` to `to` of the folded title. */
export interface Match<Value> {
  readonly value: Value;
  readonly from: number;
  readonly to: number;
  /** Letters that the term names. */
  readonly letters: number;
}

type Part = { readonly kind: 'word' | 'prefix' | 'suffix' | 'infix'; readonly text: string };

interface Term<Value> {
  readonly value: Value;
  readonly rest: readonly Part[];
  readonly letters: number;
}

const partOf = (term: string): Part => {
  const starts = term.startsWith('*');
  const ends = term.endsWith('*');
  const text = term.slice(starts ? 1 : 0, ends ? -1 : undefined);
  // Chinese and Japanese have no spaces, so that a term is found anywhere.
  if (isScript(text) || (starts && ends)) return { kind: 'infix', text };
  return { kind: starts ? 'suffix' : ends ? 'prefix' : 'word', text };
};

const isAt = ({ kind, text }: Part, token: string): boolean => {
  if (kind === 'word') return token === text;
  if (kind === 'prefix') return token.startsWith(text);
  return kind === 'suffix' ? token.endsWith(text) : token.includes(text);
};

/** Spellings of a term: German umlauts are also written as two letters. */
const spellingsOf = (term: string): readonly string[] => {
  const two = term.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue');
  return two === term ? [fold(term)] : [fold(term), fold(two)];
};

/**
 * Finds the terms of a lexicon in a title. A term is a word, a beginning (`ingenieur*`), an end (`*leiter`), a part
 * (`*vertrieb*`), or several of these joined by `_`. Cost is by the letters of the title, not by the size of the lexicon.
 */
export class Lexicon<Value> {
  readonly #by = {
    word: new Map<string, Term<Value>[]>(),
    prefix: new Map<string, Term<Value>[]>(),
    suffix: new Map<string, Term<Value>[]>(),
    infix: new Map<string, Term<Value>[]>(),
  };
  /** Parts of words in scripts with spaces are few. */
  readonly #latinInfixes = new Set<string>();
  readonly #longest = { word: 0, prefix: 0, suffix: 0, infix: 0 };

  add(terms: readonly string[], value: Value): void {
    for (const term of terms) {
      for (const spelling of spellingsOf(term)) {
        const [first, ...rest] = spelling
          .split(/[_']|(?<=[\u3040-\u9fff])(?=[a-z])|(?<=[a-z])(?=[\u3040-\u9fff])/)
          .map((word) => partOf(withoutArticle(word)));
        if (first === undefined) continue;
        const known = this.#by[first.kind].get(first.text) ?? [];
        const letters = [first, ...rest].reduce((sum, each) => sum + each.text.length, 0);
        if (first.kind === 'infix' && !isScript(first.text)) this.#latinInfixes.add(first.text);
        known.push({ value, rest, letters });
        this.#by[first.kind].set(first.text, known);
        this.#longest[first.kind] = Math.max(this.#longest[first.kind], first.text.length);
      }
    }
  }

  /** Matches that do not overlap, in their order: of those that do, the one whose term names most, and of two alike the first. */
  matches(tokens: readonly Token[], accepts: (match: Match<Value>) => boolean = () => true): Match<Value>[] {
    const found: Match<Value>[] = [];
    for (const [at, { text, from }] of tokens.entries()) {
      const look = (kind: Part['kind'], part: string, offset: number): void => {
        for (const { value, rest, letters } of this.#by[kind].get(part) ?? []) {
          const last = tokens[at + rest.length];
          if (last === undefined) continue;
          if (rest.some((each, n) => !isAt(each, tokens[at + 1 + n]?.text ?? ''))) continue;
          // A term that ends in `_*` wants a further word and says nothing of it.
          const open = rest.at(-1)?.text === '';
          const end = open ? tokens[at + rest.length - 1] : last;
          const isWord = rest.length === (open ? 1 : 0);
          const to = isWord || end === undefined ? from + offset + part.length : end.from + end.text.length;
          const match = { value, from: from + offset, to, letters };
          if (accepts(match)) found.push(match);
        }
      };
      look('word', text, 0);
      for (let n = Math.min(text.length, this.#longest.prefix); n > 0; n -= 1)
        look('prefix', text.slice(0, n), 0);
      for (let n = Math.min(text.length, this.#longest.suffix); n > 0; n -= 1)
        look('suffix', text.slice(-n), text.length - n);
      if (!isScript(text)) {
        for (const part of this.#latinInfixes) {
          const start = text.indexOf(part);
          if (start >= 0) look('infix', part, start);
        }
        continue;
      }
      for (let start = 0; start < text.length; start += 1) {
        const most = Math.min(text.length - start, this.#longest.infix);
        for (let n = 1; n <= most; n += 1) look('infix', text.slice(start, start + n), start);
      }
    }
    const kept: Match<Value>[] = [];
    for (const match of found.sort((a, b) => b.letters - a.letters || a.from - b.from)) {
      if (kept.every(({ from, to }) => match.to <= from || to <= match.from)) kept.push(match);
    }
    return kept.sort((a, b) => a.from - b.from);
  }
}
