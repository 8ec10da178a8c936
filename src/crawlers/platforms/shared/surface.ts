import { errorMessage } from '../../../kernel/errors.ts';
import type { Platform } from '../../../kernel/platform.ts';
import { storable, truncated } from '../../../kernel/text.ts';
import { boundedPosts } from '../../../write/accounts/post.ts';
import { boundedProfile } from '../../../write/accounts/profile.ts';
import type { HttpRequest, Page } from '../../http/port.ts';
import type { Address, Reading, Surface } from '../adapter.ts';
import { aboutAsked } from './about-asked.ts';
import type { Parsed } from './reading-outcomes.ts';

/** Maximum length of a warning or detail, which may quote a page. */
const MAX_REMARK = 300;

const remark = (text: string): string => truncated(storable(text), MAX_REMARK);

/** Bounds what a page says: its text may be malformed or too long. */
const bounded = (reading: Reading): Reading => {
  const warnings = reading.warnings.map(remark);
  if (reading.status === 'unknown') return { ...reading, detail: remark(reading.detail), warnings };
  if (reading.status !== 'present' && reading.status !== 'private') return { ...reading, warnings };
  const posts = reading.posts === null ? null : boundedPosts(reading.posts);
  return { ...reading, profile: boundedProfile(reading.profile), posts, warnings };
};

/**
 * Creates a surface from its parser. What the parser proves counts only for the account whose address answered. An
 * exception in a parser means an unknown layout: it becomes an outcome with the message.
 */
export const surfaceOf = (
  platform: Platform,
  name: string,
  format: Surface['format'],
  matches: (url: URL) => boolean,
  request: Surface['request'],
  parse: (page: Page, address: Address) => Parsed,
): Surface => ({
  name,
  format,
  matches,
  request,
  parse(page, address): Reading {
    try {
      return aboutAsked(platform, page, address, bounded({ ...parse(page, address), surface: name }));
    } catch (error) {
      const detail = remark(`The page could not be read: ${errorMessage(error)}`);
      return { status: 'unknown', reason: 'layout_changed', detail, surface: name, warnings: [] };
    }
  },
});

/** How a platform is asked for its pages in English, beside the header of every request. */
const ENGLISH: Readonly<Partial<Record<Platform, string>>> = {
  x: 'lang=en',
  instagram: 'hl=en',
  tiktok: 'lang=en',
  youtube: 'hl=en',
};

/** A page's URL with which it is asked for in English, where its platform has a parameter for that. */
export const inEnglish = (platform: Platform, url: string): string =>
  ENGLISH[platform] === undefined ? url : `${url}?${ENGLISH[platform]}`;

/** GET request for an account's page, for surfaces that accept handles. */
export const pageRequest =
  (platform: Platform, urlOf: (handle: string) => string) =>
  (address: Address): HttpRequest | null =>
    address.kind === 'handle' ? { platform, url: inEnglish(platform, urlOf(address.handle)) } : null;

/** An address as shown in messages. */
export const nameOf = (address: Address): string => (address.kind === 'handle' ? address.handle : address.id);
