const RUNS = /[a-z2-7]+/g;
const BEFORE = '/.~_';
const AFTER = '/.~_@?';
const MULTIBASE = 'bafkrei';
const LETTERS = 20;

/** Characters of it that are equal for crops of one picture. */
const MOTIF = 8;

/**
 * The part of a picture's address that names its content: platforms that store files by a hash of what they show
 * (as Bluesky's CIDs) use one address for one picture. Twenty letters of base 32; null if the address has none.
 */
export const pictureOf = (avatarUrl: string | null): string | null => {
  for (const { 0: run, index, input } of avatarUrl?.matchAll(RUNS) ?? []) {
    if (run.length < LETTERS || !AFTER.includes(input.charAt(index + run.length))) continue;
    const isWhole = BEFORE.includes(input.charAt(index - 1));
    const from = isWhole ? 0 : run.indexOf(MULTIBASE) + MULTIBASE.length;
    const isNamed = isWhole || from >= MULTIBASE.length;
    if (isNamed && run.length - from >= LETTERS) return run.slice(from, from + LETTERS);
  }
  return null;
};

/** Whether two accounts show one picture, or crops of it. */
export const isOnePicture = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && a.slice(0, MOTIF) === b.slice(0, MOTIF);
