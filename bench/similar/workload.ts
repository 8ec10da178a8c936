import { type Random, seededRandom } from '../../src/kernel/random.ts';

const CONSONANTS = [...'bcdfghjklmnprstvwz'];
const VOWELS = [...'aeiou'];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789_'];
const MAX_LENGTH = 15;

/** Share of handles that are an edit or two away from another one, or look the same. */
const LOOK_ALIKES = 0.05;

/** A handle and the size of its account. */
export interface Named {
  readonly handle: string;
  readonly followers: number;
}

const pick = (random: Random, from: readonly string[]): string => from[random.int(from.length)] as string;

const word = (random: Random): string =>
  Array.from({ length: 2 + random.int(2) }, () => pick(random, CONSONANTS) + pick(random, VOWELS)).join('') +
  (random.next() < 0.5 ? pick(random, CONSONANTS) : '');

/** Words with others, initials and years, as people choose handles; a quarter has digits. */
const chosen = (random: Random): string => {
  const joint = pick(random, ['', '', '_', 'the']);
  const name = random.next() < 0.7 ? word(random) + joint + word(random) : word(random);
  return (random.next() < 0.25 ? name + random.int(10 ** (1 + random.int(4))) : name).slice(0, MAX_LENGTH);
};

/** A handle with so many characters inserted, deleted, substituted or transposed, or one of them replaced by what looks the same. */
export const edited = (random: Random, handle: string, edits: number): string => {
  let name = handle;
  for (let n = 0; n < edits && name.length > 2; n++) {
    const at = random.int(name.length);
    const [before, after] = [name.slice(0, at), name.slice(at)];
    const letter = pick(random, LETTERS);
    name =
      [
        before + after.slice(1),
        before + letter + after,
        before + letter + after.slice(1),
        before + (after[1] ?? '') + (after[0] ?? '') + after.slice(2),
        name.replace('l', '1').replace('o', '0'),
      ][random.int(5)] ?? name;
  }
  return name;
};

/** Two numbers of a normal distribution make one (Box and Muller, 1958). */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

/** Log-normal with a median of 180: one account of five has 1,000 followers. */
const followersOf = (random: Random, least: number): number =>
  Math.max(least, Math.round(180 * Math.exp(2 * normal(random))));

/** So many different handles. @param least followers of each, at least. */
export const namesOf = (count: number, seed: number, least = 0): readonly Named[] => {
  const random = seededRandom(seed);
  const names: Named[] = [];
  const seen = new Set<string>();
  while (names.length < count) {
    const another = names[random.int(Math.max(1, names.length))]?.handle;
    const handle =
      another !== undefined && random.next() < LOOK_ALIKES
        ? edited(random, another, 1 + random.int(2)).slice(0, MAX_LENGTH)
        : chosen(random);
    if (seen.has(handle)) continue;
    seen.add(handle);
    names.push({ handle, followers: followersOf(random, least) });
  }
  return names;
};

/** Handles to ask for: half of them are there, the others are an edit or two away from one. */
export const asked = (names: readonly Named[], count: number, seed: number): readonly string[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, n) => {
    const { handle } = names[random.int(names.length)] as Named;
    return n % 2 === 0 ? handle : edited(random, handle, 1 + random.int(2));
  });
};
