import {
  type JobFunction,
  jobFunctionSchema,
  SENIORITIES,
  type Seniority,
  senioritySchema,
} from './classes.ts';
import { fold } from './fold.ts';
import { Lexicon, type Match, type Token, tokensOf } from './lexicon.ts';
import { readTerms, termLines } from './read-terms.ts';

interface FunctionTerm {
  /** Null: the words say nothing of the function, although parts of them would. */
  readonly of: JobFunction | null;
  readonly isRole: boolean;
  readonly weight: number;
}

/** An occupation or a subject with this weight decides alone. */
const STRONG = 3;

/**
 * Kinds of terms by their headings. Roles are occupations: who has one has a job, of entry rank if the title says no
 * other. Fields are subjects and departments. Areas are subjects that decide like an occupation: "customer service"
 * alone is a department. The weak kinds count only where no other does: an engineer may be of any industry.
 */
const KINDS: Readonly<Record<string, Omit<FunctionTerm, 'of'>>> = {
  roles: { isRole: true, weight: 4 },
  areas: { isRole: false, weight: 4 },
  'common roles': { isRole: true, weight: STRONG },
  fields: { isRole: false, weight: STRONG },
  'weak roles': { isRole: true, weight: 2 },
  'weak fields': { isRole: false, weight: 1 },
};

/** Of two terms alike, the one of the earlier file counts. */
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
  /** Null: the words say nothing of the rank, although parts of them would. */
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
const corrected = (word: string): string => {
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

/** Read for the first title: most processes classify none. */
const lexicons = (): Lexicons => {
  loaded ??= { functions: loadFunctions(), ranks: loadRanks() };
  return loaded;
};

/** What separates the jobs of a title. */
const SEPARATOR =
  /[|/;•·,+\n\r\t()[\]{}<>–—、，／｜・]|\s-+\s|\s&\s|\p{Extended_Pictographic}|&(?=\p{L}{3})/gu;

/** What follows is the employer. */
const EMPLOYER = /\s(?:at|@|bei|bij|chez)\s|\s?@\s?/u;

/** Who assists a person has no share of that person's rank. */
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

/** A job that is over, or not yet begun, gives no rank. */
const NOT_HELD =
  /^\W*(?:ex|former(?:ly)?|retired|aspiring|future|seeking|ehemalig\p{L}*|ancien(?:ne)?|ex|antig[ou]a?|futur[ao]?|emekli|eski|бывш\p{L}*|voormalig|byly|byla|pensionato|retraitee?|jubilad[oa]|aposentad[oa]|rentner(?:in)?|gia)[\s-]+(?!student)/u;

/** A sentence about oneself names the people it serves, who have occupations that the writer has not. */
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

/** What the lexicons know of a text, once words that they don't know are corrected. */
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
  // Unless it is only the employer that is no longer: ex-Company engineer.
  if (ended > 0 && [...all, ...subjects].some(({ from }) => from === ended)) {
    return { rank: null, rankTerm: null, functionTerm };
  }
  if (SLOGAN.test(text)) return { rank: null, rankTerm: null, functionTerm };
  let top: RankTerm | null = null;
  for (const { value } of all) {
    if (value.rank === null) continue;
    const isHigher = top?.rank == null || isBefore(value.rank, top.rank);
    // Of two posts of one rank, the one with a subject: a general manager who is chief of revenue too.
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
