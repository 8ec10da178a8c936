import type { Platform } from '../simulated-platforms.ts';
import type { Names } from './handle-types.ts';
import { pick, unit } from './hash.ts';
import { residenceOf } from './linkedin/employment.ts';
import { ACCENTS, CYRILLIC, EMOJI, LANGUAGES, LOCATIONS, OTHER_SCRIPTS, PHRASES } from './phrases.ts';

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const languageOf = (key: number): string => pick(LANGUAGES, key, 150);

/** The full name of a person; some in their own script. */
export const fullName = (person: number, language: string, { first, last, second }: Names): string => {
  const own = OTHER_SCRIPTS[language];
  return own && unit(person, 151) < 0.3
    ? `${pick(own, person, 152)} ${capital(first)} ${capital(second)}`
    : `${capital(first)} ${capital(last)} ${capital(second)}`;
};

/** A name with the accents of its language, or in Cyrillic: letters stand for letters. */
const replaced = (name: string, letters: Readonly<Record<string, string>>): string =>
  Array.from(name, (letter) => {
    const other = letters[letter.toLowerCase()];
    return other === undefined ? letter : letter === letter.toLowerCase() ? other : other.toUpperCase();
  }).join('');

/**
 * A name as an account writes it: some with accents or in their own script, others in plain letters.
 * @param law shares of accounts that do so, in languages that have these.
 */
export const writtenBy = (
  key: number,
  name: string,
  language: string,
  law: { readonly accented: number; readonly ownScript: number },
): string => {
  const draw = unit(key, 303);
  if (language === 'ru' && draw < law.ownScript) return replaced(name, CYRILLIC);
  const accents = ACCENTS[language];
  return accents !== undefined && draw < law.accented ? replaced(name, accents) : name;
};

/** The same name as some write it: shorter, turned around, with an initial. */
export const variantOf = (name: string, key: number): string => {
  const [first = name, ...rest] = name.split(' ');
  const last = rest[0] ?? '';
  switch (Math.floor(unit(key, 153) * 5)) {
    case 0:
      return `${first} ${last}`;
    case 1:
      return `${first.charAt(0)}. ${rest.join(' ')}`;
    case 2:
      return `${rest.join(' ')}, ${first}`;
    case 3:
      return `${first} ${last.charAt(0)}.`;
    default:
      return `${first.toLowerCase()}_${last.toLowerCase()}`;
  }
};

/** An ornament of the displayed name, another one after each change. */
export const ornamented = (name: string, version: number): string => {
  const draw = unit(version, 154);
  if (draw < 0.3) return name;
  const emoji = pick(EMOJI, version, 155);
  return draw < 0.75
    ? `${name} ${emoji}`
    : draw < 0.9
      ? `${emoji} ${name}`
      : `${name} ${emoji}${pick(EMOJI, version, 156)}`;
};

export const locationOf = (platform: Platform, key: number, language: string): string => {
  if (platform === 'linkedin') return residenceOf(key).town;
  return platform === 'x' && unit(key, 156) < 0.7 ? pick(LOCATIONS[language] ?? [''], key, 157) : '';
};

/** Platforms whose pages have links only in the text. */
const LINKS_IN_TEXT: ReadonlySet<Platform> = new Set(['youtube', 'telegram', 'bluesky', 'linkedin']);

const INTERESTS =
  'vinyl trains ceramics chess maps birds bread bikes tea film football jazz gardens climbing poetry robots sailing theatre weather typography'.split(
    ' ',
  );

/**
 * What an account says of itself before it names anybody.
 * @param own another number for a version that is only similar; null for a phrase alone, as many have it.
 */
export const introOf = (language: string, version: number, own: number | null = 0): string => {
  const phrases = (PHRASES[language] ?? PHRASES.en)?.bios ?? [''];
  const phrase = pick(phrases, version, 158);
  if (own === null) return phrase;
  const interests = [pick(INTERESTS, version, 159), pick(INTERESTS, own === 0 ? version : own, 160)];
  return `${phrase} · ${[...new Set(interests)].join(', ')}`;
};

/**
 * @param named mentions for the text.
 * @param links URLs of the account; a page that has a field for one shows the first there.
 */
export const bioOf = (
  platform: Platform,
  intro: string,
  named: readonly string[],
  links: readonly string[],
): string =>
  [
    intro,
    named.length > 0 ? `with ${named.join(' & ')}` : '',
    ...(LINKS_IN_TEXT.has(platform) ? links : links.slice(1)),
  ]
    .filter((line) => line !== '')
    .join('\n');
