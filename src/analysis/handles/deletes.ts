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
