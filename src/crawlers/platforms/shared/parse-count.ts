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
  'k thousand tsd tausend tusind þús mil mille тыс тис хил хиљ илј мың миң мянга tis tys hilj χιλ rb ribu n nghìn bin ezer tuh tn mijë ming հզր ათ אלף ألف آلاف هزار ہزار हज़ार हजार ह হা হাজার হাজাৰ ਹਜ਼ਾਰ હજાર ହଜାର ஆ వే ಸಾ ആയിരം ද ພັນ ထောင် ሺ ពាន់ elfu tūkst',
);
define(1e4, 'ໝື່ນ သောင်း ម៉ឺន');
define(1e5, 'l lac lakh lakhs लाख লা লাখ লক্ষ ਲੱਖ લાખ ଲକ୍ଷ ல లక్షలు ల ಲ ലക്ഷം لاکھ ແສນ သိန်း សែន');
define(
  1e6,
  'm million millions mi mio mill mln mlj milj millón millones milhão milhões milioni milionů mil. млн мил сая εκ jt juta tr triệu mn մլն მლნ מיליון مليون ملايين ملین میلیون මි ລ້ານ သန်း ሚ លាន',
);
define(1e7, 'cr crore crores करोड़ करोड क॰ कोटी কোটি ਕਰੋੜ કરોડ କୋଟି கோ కో ಕೋ കോടി کروڑ ကုဋေ');
define(1e9, 'b bn billion billions bi mrd md mlrd mld млрд miliarde δισ miljard mia مليار');

const SPACES = /[\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+/g;
const MARKS = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
// A number with any separators, and the word after it.
// oxlint-disable-next-line regexp/no-super-linear-backtracking -- the end takes whatever is left, so nothing is tried again.
const NUMBER = /^([^\d]*?)(\d(?:[\d.,'’ ]*\d)?)(?: ?([^\d\s.,;:|·•()]+)(\.?))?(.*)$/su;

/** Converts digits of other scripts and widths to ASCII. */
const asciiDigits = (text: string): string =>
  text
    .replace(/\p{Nd}/gu, asciiDigit)
    .replaceAll('٬', ',')
    .replaceAll('٫', '.')
    .replaceAll('，', ',')
    .replaceAll('．', '.');

/** Zeros of the scripts that platforms write numbers in. */
const ZEROS = [
  0x30, 0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50,
  0x0ed0, 0x1040, 0x17e0, 0xff10,
];

const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) as number;
  const zero = ZEROS.find((one) => code >= one && code < one + 10);
  return zero === undefined ? digit : String(code - zero);
};

/** @param dot the dot after the word: `mil.` is a million where `mil` is a thousand. */
const factorOf = (word: string, dot: string): number | null => {
  const lower = word.toLowerCase();
  if (dot !== '' && Object.hasOwn(WORDS, `${lower}.`)) return WORDS[`${lower}.`] as number;
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
  const [, before = '', digits = '', word = '', dot = '', after = ''] = found;
  if (/[-−–+.,]$/.test(before.trimEnd())) return null;
  // "10+" and "1-5" are not one count.
  if (/^[+\-–−%]/.test(word) || (word === '' && /^\s*[+\-–−%/]/.test(after))) return null;
  const factor = word === '' ? null : factorOf(word, dot);
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

/** A word of a count by its stems, as most are inflected: `seguidor`, `suivi(e)s`, `Follower:innen`. */
export const nounOf = (stems: string): RegExp =>
  new RegExp(`(?:${stems})[\\p{L}\\p{M}\\p{Cf}'’:*()]*`, 'giu');

/** Words that join a count with its noun, and those that counted things have in some languages. */
const JOINTS =
  /(?<![\p{L}\p{M}])(?:de|d|di|من|of|ta|na|ng|watu|người|lượt|మంది|คน|รายการ|ຄົນ|ລາຍການ|នាក់|ဦး|ခု|জন|টি)(?![\p{L}\p{M}])|[人位名部件个個本명개편의の]/giu;

const DIGIT_GROUPS = /\p{Nd}+(?:[.,'’٬٫\s]\p{Nd}+)*/u;
// oxlint-disable-next-line regexp/no-super-linear-move -- lines of at most 300 characters.
const LAST_NUMBER = new RegExp(`${DIGIT_GROUPS.source}(?!.*\\p{Nd})`, 'su');

export const hasNumber = (text: string): boolean => DIGIT_GROUPS.test(text);

/** A text from its last number on; null without one. */
export const fromLastNumber = (text: string): string | null => {
  const at = text.search(LAST_NUMBER);
  return at < 0 ? null : text.slice(at);
};

/** Multipliers that mean something else in other languages, by a word of their own language. */
const LOCAL: readonly (readonly [RegExp, string, string])[] = [
  [/abone|takip|gönderi/i, 'b', 'bin'],
  [/feliratkoz|követ/i, 'e', 'ezer'],
  [/tilaaj|abonnent|seuraaj/i, 't', 'tsd'],
  [/pelanggan|pengikut/i, 'j', 'juta'],
  [/abunəçi/i, 'min', 'bin'],
];

/**
 * A count with at most one multiplier; null if a word beside it is unknown, which may be a multiplier too.
 * @param noun the counted noun, from `nounOf`.
 * @param all further text that reveals the language.
 */
export const labelledCount = (text: string, noun: RegExp, all: string = text): number | null => {
  const number = DIGIT_GROUPS.exec(text)?.[0];
  if (number === undefined) return null;
  const bare = text.replace(number, ' ').replace(noun, ' ').replace(JOINTS, ' ');
  const words = bare.match(/[\p{L}\p{M}॰]+\.?/gu) ?? [];
  if (words.length === 0) return parseCount(number);
  const multipliers = words
    .map(
      (word) =>
        LOCAL.find(
          ([language, short]) => language.test(all) && short === word.toLowerCase().replace(/\.$/, ''),
        )?.[2] ?? word,
    )
    .filter((word) => parseCount(`1 ${word}`) !== 1);
  // Without its noun one of the words is that.
  const unknown = words.length - multipliers.length - (text.search(noun) >= 0 ? 0 : 1);
  return multipliers.length > 1 || unknown > 0 ? null : parseCount(`${number} ${multipliers[0] ?? ''}`);
};
