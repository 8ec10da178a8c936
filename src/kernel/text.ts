import { createHash } from 'node:crypto';

/** Whether every store accepts a text: it is well-formed Unicode without NUL, which Postgres rejects. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Characters that a terminal or a reader obeys and nobody sees: the controls of C1 and DEL, and those of bidirectional text. */
const HIDDEN = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const ALL_HIDDEN = new RegExp(HIDDEN, 'g');

/** Whether a text has characters that `shown` may remove. */
export const hasHidden = (text: string): boolean => HIDDEN.test(text);

/** Removes what `hasHidden` finds, pairs that close as well: for keys, and for lines that many texts share. */
export const withoutHidden = (text: string): string =>
  HIDDEN.test(text) ? text.replaceAll(ALL_HIDDEN, '') : text;

/** Blocks whose characters are written from right to left (Unicode, DerivedBidiClass, defaults of R and AL). */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const [EMBED_LTR, EMBED_RTL, END_OF_EMBEDDING] = ['\u202a', '\u202b', '\u202c'];
const END_OF_ISOLATE = '\u2069';
/** A pair ends with its paragraph, closed or not (Unicode Standard Annex 9, rule X8). */
const PARAGRAPH = /[\n\r\u2029]/;
const PART = /[\n\r\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Where embeddings and isolates begin and end that close properly (Unicode Standard Annex 9). */
const closedPairs = (text: string): ReadonlySet<number> => {
  const closed = new Set<number>();
  let open: { readonly at: number; readonly isIsolate: boolean }[] = [];
  const close = (n: number, at: number): void => {
    closed.add((open[n] as { readonly at: number }).at).add(at);
    open = open.slice(0, n);
  };
  for (const { 0: found, index } of text.matchAll(PART)) {
    if (PARAGRAPH.test(found)) open = [];
    else if (found === END_OF_EMBEDDING) {
      if (open.at(-1)?.isIsolate === false) close(open.length - 1, index);
    } else if (found === END_OF_ISOLATE) {
      // Embeddings within it end with it, and are not closed themselves.
      const last = open.findLastIndex(({ isIsolate }) => isIsolate);
      if (last >= 0) close(last, index);
    } else if (found === EMBED_LTR || found === EMBED_RTL) open.push({ at: index, isIsolate: false });
    else if (found >= '\u2066') open.push({ at: index, isIsolate: true });
  }
  return closed;
};

/**
 * Removes what readers can't see and their devices obey: DEL, the controls of C1, and controls of bidirectional text.
 * Embeddings and isolates stay in pairs that close, in texts with characters of a script that is written from right to
 * left. Overrides never stay: no script needs them.
 */
export const shown = (text: string): string => {
  if (!HIDDEN.test(text)) return text;
  if (!RIGHT_TO_LEFT.test(text)) return text.replaceAll(ALL_HIDDEN, '');
  const kept = closedPairs(text);
  return text.replaceAll(ALL_HIDDEN, (found, at: number) => (kept.has(at) ? found : ''));
};

/** The same of all texts of a JSON value, and of the names of its fields. */
export const shownIn = <Value>(value: Value): Value => {
  if (typeof value === 'string') return shown(value) as Value;
  if (Array.isArray(value)) return value.map(shownIn) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [shown(name), shownIn(inner)]),
  ) as Value;
};

/** A value as JSON whose texts are `shown`. */
export const shownJson = (value: unknown, space?: number): string => {
  const text = JSON.stringify(value, null, space);
  return HIDDEN.test(text) ? JSON.stringify(shownIn(value), null, space) : text;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\0-\u0008\u000b\u000c\u000e-\u001f]/;
const CONTROLS = new RegExp(CONTROL, 'g');

/** Removes lone surrogates, NUL, control characters except tab and line ends, and what `shown` removes. */
export const storable = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return shown(CONTROL.test(whole) ? whole.replaceAll(CONTROLS, '') : whole);
};

/** Truncates a text to at most `max` UTF-16 code units without splitting a code point, or a pair that `shown` keeps. */
export const truncated = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return shown(text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? max - 1 : max));
};

/** Removes the given characters from the end of a text, in one pass. A regular expression would start again at each of them. */
export const trimmedEnd = (text: string, characters: string): string => {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NOT_IN_NAMES = /[\0-\u001f\u007f]/;

/** Fast path: nearly every key is plain ASCII. */
const PLAIN = /^[\x20-\x7e]+$/;

/** Whether a stream may have a name: it is in NFC, so that equal names have equal bytes, and has no control characters of C0. */
export const isStreamName = (text: string): boolean =>
  PLAIN.test(text) ||
  (text !== '' && text.isWellFormed() && !NOT_IN_NAMES.test(text) && text === text.normalize('NFC'));

/** Whether a text is a valid key: as a stream's name, and without anything that `shown` may remove. Names of old streams may have such. */
export const isLookUpKey = (text: string): boolean => isStreamName(text) && !HIDDEN.test(text);

const DIGEST_LENGTH = 17;

/**
 * Normalizes a text to a key of at most `max` UTF-16 code units. A longer text is truncated and gets a digest of the whole, so that
 * different keys stay different.
 */
export const keyOf = (text: string, max: number): string => {
  const normal = withoutHidden(storable(text))
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

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"'`{}|\\^，。、）】」\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/gi;
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
