import { errorMessage } from '../../../kernel/errors/error-message.ts';
import type { Platform } from '../../../kernel/platform.ts';
import { storable, truncated } from '../../../kernel/text.ts';
import { boundedPosts, boundedProfile } from '../../../write/accounts/reading.ts';
import type { HttpRequest, Page } from '../../http/port.ts';
import type { Address, Reading, Surface } from '../adapter.ts';
import type { Parsed } from './reading-outcomes.ts';

/** Longest warning or detail that is kept: they may quote a page. */
const MAX_REMARK = 300;

const remark = (text: string): string => truncated(storable(text), MAX_REMARK);

/** What a page says as it may be kept: whoever wrote it was not asked for well-formed text, or for little. */
const bounded = (reading: Reading): Reading => {
  const warnings = reading.warnings.map(remark);
  if (reading.status === 'unknown') return { ...reading, detail: remark(reading.detail), warnings };
  if (reading.status !== 'present' && reading.status !== 'private') return { ...reading, warnings };
  const posts = reading.posts === null ? null : boundedPosts(reading.posts);
  return { ...reading, profile: boundedProfile(reading.profile), posts, warnings };
};

/**
 * A surface from its parser. A parser that stumbles over a page has met a layout that it does not know: that is an
 * outcome, and its message is kept for whoever mends it.
 */
export const surfaceOf = (
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
      return bounded({ ...parse(page, address), surface: name });
    } catch (error) {
      const detail = remark(`The page could not be read: ${errorMessage(error)}`);
      return { status: 'unknown', reason: 'layout_changed', detail, surface: name, warnings: [] };
    }
  },
});

/** The plain GET of an account's page, for surfaces that are asked by handle. */
export const pageRequest =
  (platform: Platform, urlOf: (handle: string) => string) =>
  (address: Address): HttpRequest | null =>
    address.kind === 'handle' ? { platform, url: urlOf(address.handle) } : null;

/** How an address is written in messages. */
export const nameOf = (address: Address): string => (address.kind === 'handle' ? address.handle : address.id);
