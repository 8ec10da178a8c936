/** Handles with fewer characters are many people's: equality of two of them is little evidence. */
const DISTINCTIVE = 7;

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
 * How two handles relate. `equal` is of distinctive handles only: the surprisal of a handle grows with its length, so
 * that short ones are `alike` at most.
 */
export type HandleRelation = 'equal' | 'alike' | 'unlike';

export const relateHandles = (a: string | null, b: string | null): HandleRelation => {
  if (a === null || b === null) return 'unlike';
  if (a === b) return a.length >= DISTINCTIVE ? 'equal' : 'alike';
  const [one, two] = [letters(a), letters(b)];
  if (one.length < 4 || two.length < 4) return 'unlike';
  return dice(one, two) > ALIKE ? 'alike' : 'unlike';
};
