const range = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => String.fromCharCode(from + n));

/** Characters that no text for people has: DEL, the controls of C1, and overrides of the direction. */
export const NEVER_SHOWN: readonly string[] = [...range(0x7f, 0x9f), '\u202d', '\u202e'];
/** Controls of bidirectional text that are shown in pairs. */
export const PAIRED: readonly string[] = ['\u202a', '\u202b', '\u202c', ...range(0x20_66, 0x20_69)];
/** All of them. */
export const HIDDEN: readonly string[] = [...NEVER_SHOWN, ...PAIRED];

/** All of them among letters, so that none is at an end. */
export const WITH_ALL_HIDDEN = `a${HIDDEN.join('b')}c`;

/** The hidden characters of a text. */
export const hiddenIn = (text: string): readonly string[] =>
  [...text].filter((character) => HIDDEN.includes(character));
