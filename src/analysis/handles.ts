/** Handles that look alike: skeletons, deletions, edit distance, and the risk of confusion. */

import { domainToUnicode } from 'node:url';
import unhomoglyph from 'unhomoglyph';

/** Prototypes of the ASCII characters: most handles have no others, and need no search in thousands of them. */
const ASCII = Array.from({ length: 128 }, (_, code) => unhomoglyph(String.fromCharCode(code)));

const PUNYCODE = /(?:^|\.)xn--/;
const IS_ASCII = /^[\0-\x7f]*$/;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** A prototype may be a capital whose small letter has a prototype of its own: `𝐌`, `M`, `m`, `rn`. */
const MAX_ROUNDS = 4;

/** As people see it: labels of international domains are shown in their own script. */
const decoded = (name: string): string => (PUNYCODE.test(name) ? domainToUnicode(name) || name : name);

const prototypes = (text: string): string => {
  if (IS_ASCII.test(text)) {
    let mapped = '';
    for (let i = 0; i < text.length; i++) mapped += ASCII[text.charCodeAt(i)];
    return mapped;
  }
  return unhomoglyph(text.normalize('NFD').replace(IGNORABLE, '')).normalize('NFD');
};

/** Handles ignore case and holders choose it, so that an `i` may be shown as `I`, whose prototype is `l`. */
const withoutCase = (text: string): string => text.toLowerCase().replaceAll('i', 'l');

/**
 * What a name looks like: two are confusable if their skeletons are equal (Unicode Technical Standard 39, section 4, with
 * `confusables.txt` of Unicode 13), whichever case each of them is shown in. No text for people.
 */
export const skeletonOf = (name: string): string => {
  let skeleton = withoutCase(decoded(name));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = withoutCase(prototypes(skeleton));
    if (next === skeleton) break;
    skeleton = next;
  }
  return skeleton;
};

const codesOf = (text: string): readonly number[] =>
  [...text].map((character) => character.codePointAt(0) ?? 0);

/** Lines of the table of distances, reused: a request compares thousands of names. */
let table = new Int32Array(1_024);

/**
 * Edits that lead from one name to the other: characters inserted, deleted, substituted, and neighbours transposed, which may be
 * edited again. This is the unrestricted Damerau–Levenshtein distance, a metric (Lowrance and Wagner, 1975), and not
 * optimal string alignment, which is none.
 */
export const editDistance = (from: string, to: string): number => {
  const [a, b] = [codesOf(from), codesOf(to)];
  const width = b.length + 2;
  const most = a.length + b.length;
  if (table.length < (a.length + 2) * width) table = new Int32Array(2 * (a.length + 2) * width);
  const at = (i: number, j: number) => (i + 1) * width + j + 1;
  table[at(-1, -1)] = most;
  for (let i = 0; i <= a.length; i++) {
    table[at(i, -1)] = most;
    table[at(i, 0)] = i;
  }
  for (let j = 0; j <= b.length; j++) {
    table[at(-1, j)] = most;
    table[at(0, j)] = j;
  }
  const lastRowOf = new Map<number, number>();
  for (let i = 1; i <= a.length; i++) {
    let lastEqual = 0;
    const code = a[i - 1] as number;
    for (let j = 1; j <= b.length; j++) {
      const row = lastRowOf.get(b[j - 1] as number) ?? 0;
      const column = lastEqual;
      const isEqual = code === b[j - 1];
      if (isEqual) lastEqual = j;
      table[at(i, j)] = Math.min(
        (table[at(i - 1, j - 1)] as number) + (isEqual ? 0 : 1),
        (table[at(i, j - 1)] as number) + 1,
        (table[at(i - 1, j)] as number) + 1,
        (table[at(row - 1, column - 1)] as number) + (i - row - 1) + 1 + (j - column - 1),
      );
    }
    lastRowOf.set(code, i);
  }
  return table[at(a.length, b.length)] as number;
};

/** Edits up to which names are found. */
export const MAX_EDITS = 2;

/** Followers from which on a handle is found by edits. */
export const INDEXED_FROM = 1_000;

/** Length up to which names are found by edits: a longer one has too many ways to lose two characters. */
const MAX_LENGTH = 15;

/**
 * 53 bits of a text, as a number that Postgres keeps in eight bytes (cyrb53 by bryc, public domain: two hashes of 32 bits in the
 * manner of MurmurHash3). Candidates are compared by their texts, so that an equal hash does no harm.
 */
export const hashOf = (text: string): number => {
  let [first, second] = [0xde_ad_be_ef, 0x41_c6_ce_57];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    first = Math.imul(first ^ code, 2_654_435_761);
    second = Math.imul(second ^ code, 1_597_334_677);
  }
  first =
    Math.imul(first ^ (first >>> 16), 2_246_822_507) ^ Math.imul(second ^ (second >>> 13), 3_266_489_909);
  second =
    Math.imul(second ^ (second >>> 16), 2_246_822_507) ^ Math.imul(first ^ (first >>> 13), 3_266_489_909);
  return 4_294_967_296 * (second & 0x1f_ff_ff) + (first >>> 0);
};

/** A name and what is left of it without one or two of its characters. */
export const deletesOf = (name: string): ReadonlySet<string> => {
  const characters = [...name];
  const found = new Set([name]);
  const without = (...left: readonly number[]) => characters.filter((_, i) => !left.includes(i)).join('');
  for (let i = 0; i < characters.length; i++) {
    found.add(without(i));
    for (let j = i + 1; j < characters.length; j++) found.add(without(i, j));
  }
  return found;
};

/**
 * Hashes by which a name is found: two names that `MAX_EDITS` edits lead from one to the other have a deletion in common, since
 * each edit changes at most one character of either (Garbe's symmetric deletes, 2012; Mor and Fraenkel, 1982).
 */
export const deleteHashes = (name: string): readonly number[] => [
  ...new Set([...deletesOf(name)].map(hashOf)),
];

/** Whether a name is short enough to be found by its deletions. */
export const isIndexable = (name: string): boolean => [...name].length <= MAX_LENGTH;

/** Whether an indexed name can be so few edits away: one that is longer by more than these cannot. */
export const isComparable = (name: string): boolean => [...name].length <= MAX_LENGTH + MAX_EDITS;

/** An account with so many times the followers of another is not taken for it, but the other way round. */
const LARGER = 10;

/** A handle, and those that were found to be near it. */
export interface NearHandles {
  /** Null if they are unknown, of both. */
  readonly followers: number | null;
  readonly matches: readonly {
    readonly followers: number | null;
    readonly distance: number;
    readonly isSkeletonEqual: boolean;
  }[];
  /** Whether a limit ended the search, or the list of what it found. */
  readonly isCapped: boolean;
  /** Whether every handle one edit away is short enough to be indexed. */
  readonly isComparable: boolean;
}

/**
 * Accounts that one may be taken for: with ten times its followers, and a handle that looks the same or is one edit away.
 * @returns null if there may be others than those that were found: their followers are unknown, a limit ended the search, or
 *   handles one edit away are not indexed, being too long or of accounts that are too small.
 */
export const largerLookAlikes = (found: NearHandles): number | null => {
  if (found.followers === null) return null;
  const least = LARGER * (found.followers + 1);
  const alike = found.matches.filter(({ distance, isSkeletonEqual }) => isSkeletonEqual || distance === 1);
  const larger = alike.filter(({ followers }) => followers !== null && followers >= least).length;
  if (larger > 0) return larger;
  const isWhole = !found.isCapped && found.isComparable && least >= INDEXED_FROM;
  return isWhole && alike.every(({ followers }) => followers !== null) ? 0 : null;
};

/** Orders of magnitude between sizes from which on they differ as much as they can. */
const FULL_RATIO = 4;

const WEIGHTS = { skeleton: 0.5, distance: 0.3, size: 0.2 } as const;

/** A part of a risk: what it says between 0 and 1, null if it is unknown, and its weight in the sum. */
export interface RiskPart {
  readonly part: keyof typeof WEIGHTS;
  readonly value: number | null;
  readonly weight: number;
}

export interface Risk {
  /** The sum of values by weights, between 0 and 1. */
  readonly risk: number;
  readonly parts: readonly RiskPart[];
}

interface Compared {
  readonly isSkeletonEqual: boolean;
  readonly distance: number;
  /** Characters of the longer name. */
  readonly length: number;
  /** Followers of both accounts; null if they are unknown. */
  readonly followers: readonly [number | null, number | null];
}

/** How far apart two accounts are in size: 0 for equal ones, 1 from a ratio of 10,000 on. */
const sizeApart = ([a, b]: Compared['followers']): number | null =>
  a === null || b === null ? null : Math.min(1, Math.abs(Math.log10((a + 1) / (b + 1))) / FULL_RATIO);

/**
 * How much a handle invites to be taken for another: looks, edits by length, and sizes that differ. An unknown part has no weight:
 * the others share it in proportion. The weights are chosen, not fitted: there is no sample of impersonators with a known share.
 */
export const lookAlikeRisk = (compared: Compared): Risk => {
  const values = {
    skeleton: compared.isSkeletonEqual ? 1 : 0,
    distance: Math.max(0, 1 - compared.distance / Math.max(1, compared.length)),
    size: sizeApart(compared.followers),
  } as const;
  const names = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
  const known = names.reduce((sum, name) => sum + (values[name] === null ? 0 : WEIGHTS[name]), 0);
  const parts = names.map((part) => ({
    part,
    value: values[part],
    weight: values[part] === null ? 0 : WEIGHTS[part] / known,
  }));
  const risk = parts.reduce((sum, { value, weight }) => sum + (value ?? 0) * weight, 0);
  return { risk: Math.min(1, risk), parts };
};
