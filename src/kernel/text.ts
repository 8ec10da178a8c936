import { createHash } from 'node:crypto';

/** Whether every store accepts a text: it is well-formed Unicode without NUL, which Postgres rejects. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const CONTROLS = new RegExp(CONTROL, 'g');

/** Removes lone surrogates, NUL and control characters except tab and line ends. */
export const storable = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return CONTROL.test(whole) ? whole.replaceAll(CONTROLS, '') : whole;
};

/** Truncates a text to at most `max` UTF-16 code units without splitting a code point. */
export const truncated = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? max - 1 : max);
};

/** Removes the given characters from the end of a text, in one pass. A regular expression would start again at each of them. */
export const trimmedEnd = (text: string, characters: string): string => {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NOT_IN_KEYS = /[\0-\u001f\u007f]/;

/** Fast path: nearly every key is plain ASCII. */
const PLAIN = /^[\x20-\x7e]+$/;

/** Whether a text is a valid key: it is in NFC, so that equal names have equal bytes, and has no control characters. */
export const isLookUpKey = (text: string): boolean =>
  PLAIN.test(text) ||
  (text !== '' && text.isWellFormed() && !NOT_IN_KEYS.test(text) && text === text.normalize('NFC'));

const DIGEST_LENGTH = 17;

/**
 * Normalizes a text to a key of at most `max` UTF-16 code units. A longer text is truncated and gets a digest of the whole, so that
 * different keys stay different.
 */
export const keyOf = (text: string, max: number): string => {
  const normal = storable(text)
    .replaceAll(/[\t\n\r]/g, '')
    .normalize('NFC');
  if (normal.length <= max && normal !== '') return normal;
  const digest = createHash('sha256').update(text.toWellFormed()).digest('hex');
  // The digest never combines with the character before it, since it begins with a base character.
  return `${truncated(normal, max - DIGEST_LENGTH)}~${digest.slice(0, DIGEST_LENGTH - 1)}`;
};

/** Canonical form of a link: without scheme, `www.`, trailing slash and query. Null if the text is not a URL. */
export const canonicalLink = (link: string): string | null => {
  if (!URL.canParse(link)) return null;
  const url = new URL(link);
  const host = url.hostname.replace(/^www\./, '');
  const path = trimmedEnd(url.pathname, '/');
  return host === '' ? null : `${host}${path}`;
};

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"'`{}|\\^，。、）】」]+/gi;
const TRAILING = '.,;:!?…*_~]';

/** A URL without trailing punctuation and without a closing bracket that it does not open. One pass from the end. */
const withoutTrailing = (url: string): string => {
  const opens = url.indexOf('(');
  let end = url.length;
  while (end > 0) {
    const last = url.charAt(end - 1);
    const isStray = last === ')' && (opens === -1 || opens >= end);
    if (!isStray && !TRAILING.includes(last)) break;
    end -= 1;
  }
  return url.slice(0, end);
};

/** URLs with a scheme in a text, without trailing punctuation. */
export const urlsIn = (text: string | null): string[] => {
  if (text === null || !text.includes('://')) return [];
  return (text.match(URL_IN_TEXT) ?? []).map(withoutTrailing);
};
