/** A part of a score: how much of its weight a name has. */
export interface ScorePart {
  readonly part: 'length' | 'pattern' | 'readability';
  /** 0 to 1. */
  readonly value: number;
  /** Points of 100 that the whole part is worth. */
  readonly weight: number;
}

export interface UsernameScore {
  /** The sum of the parts by their weights, 0 to 100. */
  readonly score: number;
  readonly parts: readonly ScorePart[];
  readonly length: number;
  readonly pattern: 'letters' | 'letters_and_digits' | 'separated' | 'digits';
}

const WEIGHTS = { length: 40, pattern: 35, readability: 25 } as const;
/** Names of so many characters have all points for their length, and of so many none. */
const [SHORTEST, LONGEST] = [4, 15];

const VOWEL = /[aeiouy\u00e0-\u00ff]/;

const patternOf = (name: string): UsernameScore['pattern'] => {
  if (/^\p{N}+$/u.test(name)) return 'digits';
  if (/[._-]/.test(name)) return 'separated';
  return /\p{N}/u.test(name) ? 'letters_and_digits' : 'letters';
};

/** Letters alone are best; each digit and separator takes away, and a name of digits has none. */
const patternValue = (name: string, pattern: UsernameScore['pattern']): number => {
  if (pattern === 'letters') return 1;
  if (pattern === 'digits') return 0;
  const marks = [...name].filter((c) => !/\p{L}/u.test(c)).length;
  return Math.max(0, 0.8 - marks / name.length);
};

/** Share of neighbouring letters of which one is a vowel and the other is not: such names can be said. */
const readabilityOf = (name: string): number => {
  const letters = [...name.toLowerCase()].filter((c) => /\p{L}/u.test(c));
  if (letters.length < 2) return 0;
  const changes = letters
    .slice(1)
    .filter((c, i) => VOWEL.test(c) !== VOWEL.test(letters[i] as string)).length;
  return changes / (letters.length - 1);
};

/**
 * How good a name is to remember, say and type: a sum of three parts with fixed weights. It is a convention and no
 * estimate: nothing is measured that it could be wrong about.
 */
export const usernameScore = (name: string): UsernameScore => {
  const { length } = [...name];
  const pattern = patternOf(name);
  const parts: readonly ScorePart[] = [
    {
      part: 'length',
      value: Math.min(1, Math.max(0, (LONGEST - length) / (LONGEST - SHORTEST))),
      weight: WEIGHTS.length,
    },
    { part: 'pattern', value: patternValue(name, pattern), weight: WEIGHTS.pattern },
    { part: 'readability', value: readabilityOf(name), weight: WEIGHTS.readability },
  ];
  return {
    score: parts.reduce((sum, { value, weight }) => sum + value * weight, 0),
    parts,
    length,
    pattern,
  };
};
