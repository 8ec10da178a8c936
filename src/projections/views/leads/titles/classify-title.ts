import { type JobFunction, SENIORITIES, type Seniority } from './classes.ts';
import { fold } from './fold.ts';
import { type FunctionTerm, loadFunctions, STRONG } from './functions.ts';
import { type Lexicon, type Match, type Token, tokensOf } from './lexicon.ts';
import { loadRanks, type RankTerm } from './ranks.ts';
import { corrected } from './spelling.ts';

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
