import { parseCount } from './parse-count.ts';

/** A word of a count by its stems, as most are inflected: `seguidor`, `suivi(e)s`, `Follower:innen`. */
export const nounOf = (stems: string): RegExp =>
  new RegExp(`(?:${stems})[\\p{L}\\p{M}\\p{Cf}'’:*()]*`, 'giu');

/** Words that join a count with its noun, and those that counted things have in some languages. */
const JOINTS =
  /(?<![\p{L}\p{M}])(?:de|d|di|من|of|ta|na|ng|watu|người|lượt|మంది|คน|รายการ|ຄົນ|ລາຍການ|នាក់|ဦး|ခု|জন|টি)(?![\p{L}\p{M}])|[人位名部件个個本명개편의の]/giu;

const NUMBER = /\p{Nd}+(?:[.,'’٬٫\s]\p{Nd}+)*/u;
// oxlint-disable-next-line regexp/no-super-linear-move -- lines of at most 300 characters.
const LAST_NUMBER = new RegExp(`${NUMBER.source}(?!.*\\p{Nd})`, 'su');

export const hasNumber = (text: string): boolean => NUMBER.test(text);

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
 * @param noun what is counted, as `nounOf` has it.
 * @param all what tells the language besides.
 */
export const labelledCount = (text: string, noun: RegExp, all: string = text): number | null => {
  const number = NUMBER.exec(text)?.[0];
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
