/** Longer titles are classified by their beginning. */
const MAX_CHARS = 300;

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
  // Arabic letters that are written for one another.
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ؤ: 'و',
  ئ: 'ي',
  ـ: '',
};

/** Combining marks of Latin and Cyrillic, and the vowel signs of Arabic. */
const MARKS = /[\u0300-\u036f\u064b-\u0652]/g;

/** Lower case without accents and width variants, so that a lexicon needs one spelling of each word. */
export const fold = (text: string): string =>
  text
    .slice(0, MAX_CHARS)
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(MARKS, '')
    .normalize('NFC')
    .replaceAll(/[ßłøæœđıأإآىةؤئـ]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/[\u2018\u2019\u02bc`´]/g, "'")
    // Abbreviations with stops: v.p., r.h., i.t.
    .replaceAll(/(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+\.?(?![\p{L}\p{N}])/gu, (letters) =>
      letters.replaceAll('.', ''),
    );
