import type { Platform } from '../../../kernel/platform.ts';
import { isEmpty } from '../../../write/accounts/profile.ts';
import type { Page } from '../../http/port.ts';
import type { Address, Reading } from '../adapter.ts';
import { isOf, type Names, subjectOf } from './final-address.ts';
import { metaTags } from './html.ts';

/** Whether a page presents itself as the account's; null if it names no account. */
const namesItself = (platform: Platform, body: string, names: Names): boolean | null => {
  if (!/canonical|og:url/i.test(body)) return null;
  const subjects = metaTags(body)
    .addresses.map((url) => subjectOf(platform, url))
    .filter((subject) => subject !== null && subject !== 'unsaid');
  return subjects.length === 0 ? null : subjects.every((subject) => isOf(platform, subject, names));
};

const namesOf = (address: Address, reading: Reading): Names => {
  const profile = 'profile' in reading ? reading.profile : null;
  return {
    handle: address.kind === 'handle' ? address.handle : (profile?.handle ?? null),
    id: address.kind === 'id' ? address.id : (profile?.id ?? null),
  };
};

const placeOf = (text: string): string => {
  if (!URL.canParse(text)) return 'nowhere';
  const { hostname, pathname } = new URL(text);
  return `${hostname}${pathname}`;
};

/** Whether a reading of an account shows nothing but the name that was asked for: an answer that repeats it is no evidence. */
const onlyRepeats = (address: Address, reading: Reading): boolean => {
  if (reading.status !== 'present' || reading.stated === true) return false;
  const { profile, posts } = reading;
  const asked = address.kind === 'handle' ? address.handle : address.id;
  const names = [profile.id, profile.handle].some((name) => name !== null && name !== asked);
  return !names && isEmpty({ ...profile, id: null }) && (posts === null || posts.length === 0);
};

const withoutSilence = ({ silent: _, ...reading }: Extract<Reading, { status: 'unknown' }>): Reading =>
  reading;

/**
 * A reading as it counts for the account that was asked for: only if its address is the one that answered, after all
 * redirects, and the page presents itself under no other. The one function in which this is decided, for every platform and
 * surface.
 */
export const aboutAsked = (platform: Platform, page: Page, address: Address, reading: Reading): Reading => {
  const isClaim = reading.status !== 'unknown' || reading.silent === true;
  if (!isClaim) return reading;
  const names = namesOf(address, reading);
  const { surface, warnings } = reading;
  if (onlyRepeats(address, reading)) {
    const detail = 'The answer repeats the name that was asked for, and shows nothing else';
    return { status: 'unknown', reason: 'layout_changed', detail, surface, warnings };
  }
  const elsewhere = (detail: string): Reading =>
    reading.status === 'unknown'
      ? withoutSilence(reading)
      : { status: 'unknown', reason: 'other_address', detail, surface, warnings };
  if (!isOf(platform, subjectOf(platform, page.url), names))
    return elsewhere(`The answer came from ${placeOf(page.url)}, which is not the account’s address`);
  if (reading.status !== 'unknown' && reading.unnamed !== true) return reading;
  const own = namesItself(platform, page.body, names);
  if (own === false) return elsewhere('The page presents itself as another account’s');
  if (own === null || reading.status === 'unknown') return reading;
  const { unnamed: _, ...named } = reading;
  return named;
};
