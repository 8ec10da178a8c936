import type { Platform } from '../../../src/kernel/platform.ts';
import { DAY } from './account.ts';
import { mix, pick, unit } from './hash.ts';
import { EMOJI, LANGUAGES, LOCATIONS, OTHER_SCRIPTS, PHRASES } from './phrases.ts';

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const languageOf = (key: number): string => pick(LANGUAGES, key, 150);

/** The person's name; some with an emoji, which changes occasionally; some in their own script. */
export const displayNameOf = (
  who: number,
  key: number,
  language: string,
  names: { readonly first: string; readonly last: string },
  at: number,
): string => {
  const own = OTHER_SCRIPTS[language];
  const name =
    own && unit(who, 151) < 0.6 ? pick(own, who, 152) : `${capital(names.first)} ${capital(names.last)}`;
  const season = Math.floor(at / (500 * DAY) + unit(key, 153));
  return unit(mix(key, 154), season) < 0.15 ? `${name} ${pick(EMOJI, mix(key, 155), season)}` : name;
};

export const locationOf = (platform: Platform, key: number, language: string): string =>
  platform === 'x' || platform === 'linkedin'
    ? unit(key, 156) < 0.7
      ? pick(LOCATIONS[language] ?? [''], key, 157)
      : ''
    : '';

/** Platforms whose pages have links only in the text. */
const LINKS_IN_TEXT: ReadonlySet<Platform> = new Set(['youtube', 'telegram', 'bluesky', 'linkedin']);

/**
 * @param named mentions for the text.
 * @param links URLs of the person's other accounts.
 */
export const bioOf = (
  platform: Platform,
  key: number,
  language: string,
  named: readonly string[],
  links: readonly string[],
  at: number,
): string => {
  const version = Math.floor(at / (400 * DAY) + unit(key, 158));
  const phrases = PHRASES[language] ?? PHRASES.en;
  return [
    pick(phrases?.bios ?? [''], mix(key, 159), version),
    named.length > 0 ? `with ${named.join(' & ')}` : '',
    ...(LINKS_IN_TEXT.has(platform) ? links : []),
  ]
    .filter((line) => line !== '')
    .join('\n');
};
