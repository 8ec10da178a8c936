import { createHash } from 'node:crypto';

/** Whether every store takes a text: whole code points, and no NUL, which Postgres refuses. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const CONTROLS = new RegExp(CONTROL, 'g');

/** A text without lone surrogates, NUL and the other control characters but tab and line ends. */
export const storable = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return CONTROL.test(whole) ? whole.replaceAll(CONTROLS, '') : whole;
};

/** The beginning of a text, of at most so many UTF-16 code units; no code point is cut in two. */
export const truncated = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? max - 1 : max);
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NOT_IN_KEYS = /[\0-\u001f\u007f]/;

/** Nearly every key is plain ASCII, which needs no other look. */
const PLAIN = /^[\x20-\x7e]+$/;

/** Whether a text may be a key: the same name is always the same bytes (NFC), and shows what it is. */
export const isKey = (text: string): boolean =>
  PLAIN.test(text) ||
  (text !== '' && text.isWellFormed() && !NOT_IN_KEYS.test(text) && text === text.normalize('NFC'));

const DIGEST_LENGTH = 17;

/**
 * A text as a key of at most so many UTF-16 code units. One that is longer keeps its beginning and gets a digest of the
 * whole, so that different keys stay different.
 */
export const keyOf = (text: string, max: number): string => {
  const normal = storable(text)
    .replaceAll(/[\t\n\r]/g, '')
    .normalize('NFC');
  if (normal.length <= max && normal !== '') return normal;
  const digest = createHash('sha256').update(text.toWellFormed()).digest('hex');
  // What follows a base character of its own never combines with what stands before.
  return `${truncated(normal, max - DIGEST_LENGTH)}~${digest.slice(0, DIGEST_LENGTH - 1)}`;
};
