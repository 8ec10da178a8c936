/** Multipliers by word, lower case and without a final dot. */
const WORDS: Readonly<Record<string, number>> = {};
const CJK: readonly (readonly [string, number])[] = [
  ['千', 1e3],
  ['천', 1e3],
  ['万', 1e4],
  ['萬', 1e4],
  ['만', 1e4],
  ['亿', 1e8],
  ['億', 1e8],
  ['억', 1e8],
  ['พัน', 1e3],
  ['หมื่น', 1e4],
  ['แสน', 1e5],
  ['ล้าน', 1e6],
];
const define = (factor: number, words: string): void => {
  for (const word of words.split(' ')) (WORDS as Record<string, number>)[word] = factor;
};
define(
  1e3,
  'k thousand tsd tausend mil mille тыс тис хил tis tys χιλ rb ribu n nghìn bin ezer tuh tn ألف آلاف elfu tūkst tūkst',
);
define(1e5, 'l lac lakh lakhs लाख');
define(
  1e6,
  'm million millions mi mio mill mln mlj milj millón millones milhão milhões milioni млн milionů mil. εκ jt juta tr triệu mn مليون ملايين milj',
);
define(1e7, 'cr crore crores करोड़');
define(1e9, 'b bn billion billions bi mrd md mlrd mld млрд miliarde δισ miljard mia مليار');

const SPACES = /[\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+/g;
const MARKS = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
// A number with any separators, and the word after it.
const NUMBER = /^([^\d]*?)(\d(?:[\d.,'’ ]*\d)?)(?: ?([^\d\s.,;:|·•()]+)(\.?))?(.*)$/su;

/** Converts digits of other scripts and widths to ASCII. */
const asciiDigits = (text: string): string =>
  text
    .replace(/[٠-٩۰-۹０-９०-९০-৯]/g, (digit) => String((digit.codePointAt(0) as number) - zeroOf(digit)))
    .replaceAll('٬', ',')
    .replaceAll('٫', '.')
    .replaceAll('，', ',')
    .replaceAll('．', '.');

const zeroOf = (digit: string): number => {
  const code = digit.codePointAt(0) as number;
  return [0x0660, 0x06f0, 0xff10, 0x0966, 0x09e6].find((zero) => code >= zero && code < zero + 10) ?? code;
};

const factorOf = (word: string): number | null => {
  const lower = word.toLowerCase();
  if (Object.hasOwn(WORDS, lower)) return WORDS[lower] as number;
  return CJK.find(([sign]) => lower.startsWith(sign))?.[1] ?? null;
};

const GROUPED = /^\d{1,3}(?:([., '’])\d{3})(?:\1\d{3})*$/;
const INDIAN = /^\d{1,3}(?:,\d{2})*,\d{3}$/;

/** Parses digits with separators; null if the separators are ambiguous. */
const quantityOf = (digits: string, factor: number | null, latinSuffix: boolean): number | null => {
  if (/^\d+$/.test(digits)) return Number(digits);
  const separators = digits.replace(/\d/g, '');
  const last = separators.at(-1) as string;
  const tail = digits.length - 1 - digits.lastIndexOf(last);
  if (factor === null)
    return GROUPED.test(digits) || INDIAN.test(digits) ? Number(digits.replace(/\D/g, '')) : null;
  const once = separators.indexOf(last) === separators.length - 1;
  if (
    (last === '.' || last === ',') &&
    once &&
    (tail !== 3 || (latinSuffix && last === '.') || separators.length > 1)
  ) {
    const whole = digits.slice(0, digits.lastIndexOf(last));
    if (separators.length > 1 && !GROUPED.test(whole)) return null;
    return Number(`${whole.replace(/\D/g, '')}.${digits.slice(-tail)}`);
  }
  return GROUPED.test(digits) || INDIAN.test(digits) ? Number(digits.replace(/\D/g, '')) : null;
};

/**
 * Parses a count in any form that platforms use: 1234, "1234", "1,234", "1 474 933", "37.2K", "1,2 Mio.", "25m
 * subscribers", "12 тыс.", "3.4万". Surrounding words are ignored. Null if it is no count, negative, fractional or
 * ambiguous.
 */
export const parseCount = (value: unknown): number | null => {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value + 0 : null;
  if (typeof value !== 'string' || value.length > 400) return null;
  const text = asciiDigits(value.replace(MARKS, '')).replace(SPACES, ' ').trim();
  const found = NUMBER.exec(text);
  if (found === null) return null;
  const [, before = '', digits = '', word = '', , after = ''] = found;
  if (/[-−–+.,]$/.test(before.trimEnd())) return null;
  // "10+" and "1-5" are not one count.
  if (/^[+\-–−%]/.test(word) || (word === '' && /^\s*[+\-–−%/]/.test(after))) return null;
  const factor = word === '' ? null : factorOf(word);
  const number = quantityOf(digits, factor, /^[a-z]{1,2}$/i.test(word));
  if (number === null) return null;
  const count = Math.round(number * (factor ?? 1));
  return Number.isSafeInteger(count) ? count : null;
};

/** Undoes a signed 32-bit overflow: negative counts are 2^32 too small. */
export const unwrap32 = (value: unknown): unknown => {
  const number = typeof value === 'string' && /^-\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number < 0 && number >= -(2 ** 31) ? number + 2 ** 32 : value;
};
