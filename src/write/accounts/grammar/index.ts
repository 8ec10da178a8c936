import { PLATFORMS, type Platform } from '../../../kernel/platform.ts';
import { bluesky } from './bluesky.ts';
import type { AccountGrammar, Address } from './grammar.ts';
import { instagram } from './instagram.ts';
import { linkedin } from './linkedin.ts';
import { telegram } from './telegram.ts';
import { tiktok } from './tiktok.ts';
import { x } from './x.ts';
import { youtube } from './youtube.ts';

const GRAMMARS: Readonly<Record<Platform, AccountGrammar>> = {
  x,
  instagram,
  tiktok,
  youtube,
  telegram,
  bluesky,
  linkedin,
};

export const grammarOf = (platform: Platform): AccountGrammar => GRAMMARS[platform];

/** A profile URL whose account only its platform knows, in one form; null for any other URL. */
export const indirectUrlOf = (
  url: URL,
): { readonly platform: Platform; readonly profileUrl: string } | null => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  for (const platform of PLATFORMS) {
    const profileUrl = GRAMMARS[platform].indirectUrl?.(url) ?? null;
    if (profileUrl !== null) return { platform, profileUrl };
  }
  return null;
};

/** The account of a profile URL, on whichever platform; null for any other URL. */
export const accountOfUrl = (url: URL): { readonly platform: Platform; readonly address: Address } | null => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  for (const platform of PLATFORMS) {
    const address = GRAMMARS[platform].addressOf(url);
    if (address !== null) return { platform, address };
  }
  return null;
};
