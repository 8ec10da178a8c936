import { readFileSync } from 'node:fs';
import {
  type JobFunction,
  jobFunctionSchema,
  SENIORITIES,
  type Seniority,
  senioritySchema,
} from '../tables.ts';

interface FunctionTerm {
  /** Null: the words say nothing about the function, although parts of them would. */
  readonly of: JobFunction | null;
  readonly isRole: boolean;
  readonly weight: number;
}

/** An occupation or a subject with this weight decides alone. */
const STRONG = 3;

/**
 * Kinds of terms by their headings. Roles are occupations: they imply a job, of entry rank if the title names no other. Fields are
 * subjects and departments. Areas are subjects that decide like an occupation: "customer service" alone is a department. The weak
 * kinds count only if no other kind matches: an engineer may work in any industry.
 */
const KINDS: Readonly<Record<string, Omit<FunctionTerm, 'of'>>> = {
  roles: { isRole: true, weight: 4 },
  areas: { isRole: false, weight: 4 },
  'common roles': { isRole: true, weight: STRONG },
  fields: { isRole: false, weight: STRONG },
  'weak roles': { isRole: true, weight: 2 },
  'weak fields': { isRole: false, weight: 1 },
};

/** Of two equal terms, the one in the earlier file counts. */
const FILES = ['technology', 'commerce', 'business', 'operations', 'society', 'professions', 'executive'];

const functionTermOf = ([of, kind = '']: readonly string[]): FunctionTerm => {
  const known = KINDS[kind];
  if (known === undefined) throw new Error(`there is no kind of terms called ${kind}`);
  return { of: jobFunctionSchema.parse(of), ...known };
};

const loadFunctions = (): Lexicon<FunctionTerm> => {
  const functions = new Lexicon<FunctionTerm>();
  for (const file of FILES) {
    for (const { heading, terms } of readTerms(`functions/${file}.txt`)) {
      functions.add(terms, functionTermOf(heading));
    }
  }
  for (const { terms } of readTerms('functions/none.txt')) {
    functions.add(terms, { of: null, isRole: false, weight: 0 });
  }
  return functions;
};

/** What a term says of the rank. */
interface RankTerm {
  /** Null: the words say nothing about the rank, although parts of them would. */
  readonly rank: Seniority | null;
  /** The function that the rank has if the title names no other. */
  readonly of?: JobFunction;
  /** The function that the rank includes. */
  readonly is?: JobFunction;
  /** Counts only if it is the last word of a job, or a preposition follows. */
  readonly isAlone: boolean;
  /** Counts only if it is the whole job. */
  readonly isWhole: boolean;
}

/** `cxo, is finance` → the rank and the function it includes. */
const rankTermOf = ([rank, ...rest]: readonly string[]): RankTerm => {
  const functionAfter = (word: string) => {
    const found = rest.find((part) => part.startsWith(`${word} `));
    return found === undefined ? undefined : jobFunctionSchema.parse(found.slice(word.length + 1));
  };
  const of = functionAfter('of');
  const is = functionAfter('is');
  return {
    rank: rank === 'none' ? null : senioritySchema.parse(rank),
    ...(of === undefined ? {} : { of }),
    ...(is === undefined ? {} : { is }),
    isAlone: rest.includes('alone'),
    isWhole: rest.includes('whole'),
  };
};

const loadRanks = (): Lexicon<RankTerm> => {
  const ranks = new Lexicon<RankTerm>();
  for (const { heading, terms } of readTerms('ranks.txt')) ranks.add(terms, rankTermOf(heading));
  return ranks;
};

const withoutOne = (word: string): string[] =>
  Array.from(word, (_, n) => word.slice(0, n) + word.slice(n + 1));

let byDeletion: ReadonlyMap<string, string> | undefined;

/** Frequent words of titles, by their deletions. They are long enough that a word one letter away is a typing error. */
const deletions = (): ReadonlyMap<string, string> => {
  byDeletion ??= new Map(
    termLines('frequent.txt').flatMap((word) =>
      [word, ...withoutOne(word)].map((left): [string, string] => [left, word]),
    ),
  );
  return byDeletion;
};

const MIN_CORRECTED_LETTERS = 7;

/** The frequent word that a word is one letter away from; the word itself if there is none. */
const corrected = (word: string): string => {
  if (word.length < MIN_CORRECTED_LETTERS - 1 || word.length > 20) return word;
  const exact = deletions().get(word);
  if (exact !== undefined) return exact;
  for (const shorter of withoutOne(word)) {
    const found = deletions().get(shorter);
    // Exchanged or neighbouring letters; other words share a deletion by chance.
    if (found !== undefined && Math.abs(found.length - word.length) <= 1) return found;
  }
  return word;
};

/** Classes of a job title; null where the title does not show them. */
export interface TitleClasses {
  readonly seniority: Seniority | null;
  readonly function: JobFunction | null;
}

interface Lexicons {
  readonly functions: Lexicon<FunctionTerm>;
  readonly ranks: Lexicon<RankTerm>;
}

let loaded: Lexicons | undefined;

/** Loaded for the first title: most processes classify none. */
const lexicons = (): Lexicons => {
  loaded ??= { functions: loadFunctions(), ranks: loadRanks() };
  return loaded;
};

/** What separates the jobs of a title. */
const SEPARATOR =
  /[|/;•·,+\n\r\t()[\]{}<>–—、，／｜・]|\s-+\s|\s&\s|\p{Extended_Pictographic}|&(?=\p{L}{3})/gu;

/** What follows is the employer. */
const EMPLOYER = /\s(?:at|@|bei|bij|chez)\s|\s?@\s?/u;

/** An assistant does not share the rank of the person assisted. */
const ASSISTS =
  // oxlint-disable-next-line regexp/no-super-linear-backtracking -- 300 characters of a title.
  /^\W*(?:\p{L}+\s+){0,2}?(?:assistant|pa|ea|secretary|aide)\s+(?:to|of)\s|^\W*(?:assistente?|assistentin|assistante?|assistenz|asistente|secretaria?|segretari[ao]|secretaire|sekretarin|asystent(?:ka)?|adjunkt)\s+(?:de|d'|des?|der|do|da|di|del|della|van|zum|zur)\s?/u;

interface Segment {
  readonly rank: Seniority | null;
  readonly rankTerm: RankTerm | null;
  readonly functionTerm: FunctionTerm | null;
}

const isBefore = (a: Seniority, b: Seniority): boolean => SENIORITIES.indexOf(a) < SENIORITIES.indexOf(b);

/** A partner of a firm is named at the end of a job; before other words it is a kind of customer. */
const isEnd = (tokens: readonly Token[], to: number): boolean => {
  const next = tokens.find(({ from }) => from >= to);
  return (
    next === undefined || ['at', 'and', 'of', 'in', 'bei', 'chez', 'y', 'e', 'et', 'und'].includes(next.text)
  );
};

/** Whether a term is a whole job. */
const isAll = (tokens: readonly Token[], from: number, to: number): boolean =>
  tokens.every((token) => from <= token.from && token.from < to);

const bestFunction = (found: readonly Match<FunctionTerm>[]): FunctionTerm | null => {
  let best: FunctionTerm | null = null;
  for (const { value } of found) {
    if (value.of !== null && (best === null || value.weight > best.weight)) best = value;
  }
  return best;
};

const isSubject = ({ is }: RankTerm): boolean => is !== undefined && is !== 'executive';

/** A job that is over or has not begun gives no rank. */
const NOT_HELD =
  /^\W*(?:ex|former(?:ly)?|retired|aspiring|future|seeking|ehemalig\p{L}*|ancien(?:ne)?|ex|antig[ou]a?|futur[ao]?|emekli|eski|бывш\p{L}*|voormalig|byly|byla|pensionato|retraitee?|jubilad[oa]|aposentad[oa]|rentner(?:in)?|gia)[\s-]+(?!student)/u;

/** A sentence about oneself may name the people that one serves, with occupations that are not one's own. */
const SLOGAN =
  /^\W*(?:(?:i|we)\s+(?:help|make|build|create|teach|turn|love|am\s+passionate)|helping|empowering|enabling|passionate|making|turning|inspiring|connecting|transforming|seeking|looking\s+for|open\s+to|on\s+a\s+mission|passionn?e(?:e|s)?\s|apaixonad[oa]|apasionad[oa]|appassionat[oa]|ajudo|ayudo|aiuto|j'aide|j'accompagne|ich\s+helfe|wir\s+helfen|ik\s+help|pomagam|помогаю|en\s+recherche|a\s+la\s+recherche|en\s+busca|em\s+busca|alla\s+ricerca|auf\s+der\s+suche|в\s+поиске|ищу\s|op\s+zoek)/u;

interface Found {
  readonly functions: readonly Match<FunctionTerm>[];
  readonly ranks: readonly Match<RankTerm>[];
}

const find = (tokens: readonly Token[]): Found => ({
  functions: lexicons().functions.matches(tokens),
  ranks: lexicons().ranks.matches(
    tokens,
    ({ value, from, to }) =>
      (!value.isAlone || isEnd(tokens, to)) && (!value.isWhole || isAll(tokens, from, to)),
  ),
});

/** The matches of both lexicons in a text, after unknown words were corrected. */
const findIn = (text: string): Found => {
  const tokens = tokensOf(text);
  const found = find(tokens);
  const known = [...found.functions, ...found.ranks];
  const isKnown = ({ from, text: { length } }: Token): boolean =>
    known.some((match) => match.from < from + length && from < match.to);
  let changed = false;
  const spelled = tokens.map((token) => {
    const right = isKnown(token) ? token.text : corrected(token.text);
    changed ||= right !== token.text;
    return { ...token, text: right };
  });
  return changed ? find(spelled) : found;
};

const segmentOf = (text: string): Segment => {
  const { functions: subjects, ranks: all } = findIn(text);
  const functionTerm = bestFunction(subjects);
  const ended = NOT_HELD.exec(text)?.[0].length ?? 0;
  // Unless only the employer is a former one: ex-Company engineer.
  if (ended > 0 && [...all, ...subjects].some(({ from }) => from === ended)) {
    return { rank: null, rankTerm: null, functionTerm };
  }
  if (SLOGAN.test(text)) return { rank: null, rankTerm: null, functionTerm };
  let top: RankTerm | null = null;
  for (const { value } of all) {
    if (value.rank === null) continue;
    const isHigher = top?.rank == null || isBefore(value.rank, top.rank);
    // Of two posts with the same rank, the one with a subject counts: a general manager who is also chief of revenue.
    if (isHigher || (value.rank === top?.rank && isSubject(value) && top !== null && !isSubject(top)))
      top = value;
  }
  const isTrained = all.some(({ value }) => value.rank === 'training');
  if (isTrained && (top?.rank == null || !isBefore(top.rank, 'director'))) {
    return { rank: 'training', rankTerm: null, functionTerm };
  }
  const rank =
    top?.rank ?? (subjects.some(({ value }) => value.of !== null && value.isRole) ? 'entry' : null);
  return { rank, rankTerm: top, functionTerm };
};

const strongOf = (term: FunctionTerm | null): JobFunction | null =>
  term !== null && term.weight >= STRONG ? term.of : null;

const functionOf = (segment: Segment, all: readonly Segment[]): JobFunction | null => {
  const { rank, rankTerm, functionTerm } = segment;
  if (rankTerm?.is !== undefined && rankTerm.is !== 'executive') return rankTerm.is;
  if (rank === 'owner') return 'executive';
  if (rankTerm?.is === 'executive') return 'executive';
  const own = strongOf(functionTerm);
  if (own !== null) return own;
  if (rankTerm?.of !== undefined) return rankTerm.of;
  const others = all.map((each) => strongOf(each.functionTerm)).find((of) => of !== null);
  return (
    others ?? functionTerm?.of ?? all.map((each) => each.functionTerm?.of).find((of) => of != null) ?? null
  );
};

const classify = (title: string): TitleClasses => {
  const folded = fold(title);
  const own = folded.split(EMPLOYER)[0] ?? '';
  if (ASSISTS.test(own)) {
    const { functionTerm } = segmentOf(own);
    return { seniority: 'entry', function: functionTerm?.of ?? null };
  }
  const segments = (own.trim() === '' ? folded : own).split(SEPARATOR).map(segmentOf);
  let top: Segment | undefined;
  for (const segment of segments) {
    if (segment.rank === null) continue;
    if (top?.rank == null || isBefore(segment.rank, top.rank)) top = segment;
  }
  const decisive = top ?? segments[0];
  if (decisive === undefined) return { seniority: null, function: null };
  return { seniority: decisive.rank, function: functionOf(decisive, segments) };
};

/**
 * Seniority and function of a job title in any of the lexicon's languages. Of two jobs in a title the more senior
 * counts. Time is bounded for any text.
 */
export const classifyTitle = (title: string): TitleClasses => classify(title);

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

const tokensOf = (folded: string): Token[] => {
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
class Lexicon<Value> {
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

  /**
   * Matches that do not overlap, in the order of the title. Of overlapping matches the one whose term has most letters is kept, of equally
   * long ones the first.
   */
  matches(tokens: readonly Token[], accepts: (match: Match<Value>) => boolean = () => true): Match<Value>[] {
    const found = tokens
      .keys()
      .flatMap((at) => this.#matchesAt(tokens, at))
      .filter(accepts)
      .toArray();
    const kept: Match<Value>[] = [];
    for (const match of found.sort((a, b) => b.letters - a.letters || a.from - b.from)) {
      if (kept.every(({ from, to }) => match.to <= from || to <= match.from)) kept.push(match);
    }
    return kept.sort((a, b) => a.from - b.from);
  }

  /** Matches of all terms whose first part is in a token. */
  *#matchesAt(tokens: readonly Token[], at: number): Generator<Match<Value>> {
    for (const [kind, part, offset] of this.#partsOf((tokens[at] as Token).text))
      for (const term of this.#by[kind].get(part) ?? []) {
        const match = matchOf(term, part, offset, tokens, at);
        if (match !== null) yield match;
      }
  }

  /** The parts of a token that may begin a term, and where they are in it. */
  *#partsOf(text: string): Generator<readonly [kind: Part['kind'], part: string, offset: number]> {
    yield ['word', text, 0];
    for (let n = Math.min(text.length, this.#longest.prefix); n > 0; n -= 1)
      yield ['prefix', text.slice(0, n), 0];
    for (let n = Math.min(text.length, this.#longest.suffix); n > 0; n -= 1)
      yield ['suffix', text.slice(-n), text.length - n];
    if (isScript(text)) yield* this.#infixesOf(text);
    else
      for (const part of this.#latinInfixes) {
        const start = text.indexOf(part);
        if (start >= 0) yield ['infix', part, start];
      }
  }

  *#infixesOf(text: string): Generator<readonly ['infix', part: string, offset: number]> {
    for (let start = 0; start < text.length; start += 1) {
      const longest = Math.min(text.length - start, this.#longest.infix);
      for (let n = 1; n <= longest; n += 1) yield ['infix', text.slice(start, start + n), start];
    }
  }
}

/** The match of a term whose first part was found in a token; null if the tokens after it lack the other parts. */
const matchOf = <Value>(
  { value, rest, letters }: Term<Value>,
  part: string,
  offset: number,
  tokens: readonly Token[],
  at: number,
): Match<Value> | null => {
  const last = tokens[at + rest.length];
  if (last === undefined || rest.some((each, n) => !isAt(each, tokens[at + 1 + n]?.text ?? ''))) return null;
  // A term that ends in `_*` requires a further word, which is not part of the match.
  const isOpen = rest.at(-1)?.text === '';
  const end = isOpen ? tokens[at + rest.length - 1] : last;
  const isWord = rest.length === (isOpen ? 1 : 0);
  const from = (tokens[at] as Token).from + offset;
  const to = isWord || end === undefined ? from + part.length : end.from + end.text.length;
  return { value, from, to, letters };
};

/** Longer titles are classified by their beginning. */
const MAX_CHARS = 300;

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
  // Arabic letters that are written for one another.
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ؤ: 'و',
  ئ: 'ي',
  ـ: '',
};

/** Characters of Traditional Chinese and Japanese with their simplified forms, so that a lexicon needs one form. */
const HAN = new Map(
  [
    '長长務务業业專专經经會会計计總总監监財财處处員员師师設设銷销營营営营運运術术開开發发発发產产産产資资訊讯網网絡络電电軟软體体機机',
    '構构護护醫医藥药薬药學学習习實实實实園园導导領领組组隊队協协顧顾問问諮咨詢询採采購购庫库倉仓貨货質质檢检検检驗验験验測测試试編编',
    '輯辑記记譯译圖图図图廣广広广賣卖売卖買买價价稅税審审銀银險险證证執执創创辦办聯联東东區区國国際际貿贸廠厂車车間间製制維维線线',
    '練练書书館馆藝艺樂乐劇剧視视頻频劃划戰战規规數数據据統统層层級级職职縣县黨党幹干備备負负責责類类應应応应調调標标準准現现場场環环',
    '續续綠绿廳厅廚厨飲饮飯饭點点櫃柜臺台戶户聲声飛飞鐵铁輸输遞递關关関关総总労劳団团読读変变専专',
  ].flatMap((pairs) =>
    Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[i * 2], pairs[i * 2 + 1]] as [string, string]),
  ),
);
const HAN_VARIANTS = new RegExp(`[${[...HAN.keys()].join('')}]`, 'g');

/** Combining marks of Latin and Cyrillic, and the vowel signs of Arabic. */
const MARKS = /[\u0300-\u036f\u064b-\u0652]/g;

/** Lower case without accents and width variants, so that a lexicon needs one spelling of each word. */
const fold = (text: string): string =>
  text
    .slice(0, MAX_CHARS)
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(MARKS, '')
    .normalize('NFC')
    .replaceAll(/[ßłøæœđıأإآىةؤئـ]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(HAN_VARIANTS, (character) => HAN.get(character) ?? character)
    .replaceAll(/[\u2018\u2019\u02bc`´]/g, "'")
    // Abbreviations with stops: v.p., r.h., i.t.
    .replaceAll(/(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+\.?(?![\p{L}\p{N}])/gu, (letters) =>
      letters.replaceAll('.', ''),
    );

/** Terms with what they say, as the words of their heading. */
export interface TermSection {
  readonly heading: readonly string[];
  readonly terms: readonly string[];
}

/** The lines of a file of `terms/`. */
const termLines = (file: string): readonly string[] =>
  readFileSync(new URL(`./terms/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** The sections of a file of `terms/`: a heading in brackets, its words separated by commas, and a term a line. */
const readTerms = (file: string): readonly TermSection[] => {
  const sections: { heading: readonly string[]; terms: string[] }[] = [];
  for (const line of termLines(file)) {
    if (line.startsWith('[')) sections.push({ heading: line.slice(1, -1).split(', '), terms: [] });
    else sections.at(-1)?.terms.push(line);
  }
  return sections;
};
