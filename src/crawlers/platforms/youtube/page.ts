import { addressOf, profileUrl } from '../../../platforms/youtube.ts';
import type { Page } from '../../http/port.ts';
import type { Address } from '../adapter.ts';
import { assignedJson, titleOf } from '../shared/embedded-json.ts';
import {
  isChallenge,
  layoutChanged,
  locationReason,
  otherStatus,
  type Parsed,
  silent,
  statusReason,
  unknown,
} from '../shared/reading-outcomes.ts';
import { inEnglish, nameOf, surfaceOf } from '../shared/surface.ts';
import { parseChannel } from './channel.ts';

/** How YouTube blocks readers; null if the page is worth parsing. */
export const blockOf = (page: Page): Parsed | null =>
  locationReason(page, [
    [/^consent\./, 'challenge'],
    [/google\.[a-z.]+\/sorry|^www\.youtube\.com\/sorry/, 'challenge'],
    [/accounts\.google\.com|\/servicelogin/, 'login_wall'],
  ]) ??
  statusReason(page) ??
  otherStatus(page);

/** The page for unused handles and closed channels alike. */
const isMissing = (body: string): boolean => /^404 Not Found$/i.test(titleOf(body) ?? '');

const parse = (page: Page, address: Address): Parsed => {
  const blocked = blockOf(page);
  if (blocked !== null) return page.status === 404 && isMissing(page.body) ? silent(blocked) : blocked;
  const data = assignedJson(page.body, 'ytInitialData');
  if (data === undefined) return walled(page.body) ?? layoutChanged('The page carries no ytInitialData');
  return parseChannel(data, address);
};

const CONSENT = /consent\.(?:youtube|google)\.com\/(?:save|m\b)|action="https:\/\/consent\./;

/** A page without data: a consent page or a challenge. */
const walled = (body: string): Parsed | null => {
  if (CONSENT.test(body.slice(0, 200_000)))
    return unknown('challenge', 'The page asks for consent to cookies');
  return isChallenge(body) ? unknown('challenge', 'The page is a challenge') : null;
};

export const page = surfaceOf(
  'youtube',
  'page',
  'html',
  (url) => addressOf(url) !== null && !url.pathname.startsWith('/feeds/'),
  (address) => ({ platform: 'youtube', url: inEnglish('youtube', profileUrl(nameOf(address))) }),
  parse,
);
