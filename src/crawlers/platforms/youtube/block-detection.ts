import type { Page } from '../../http/port.ts';
import { isChallenge, locationReason, otherStatus, statusReason } from '../shared/block-detection.ts';
import { type Parsed, unknown } from '../shared/reading-outcomes.ts';

const CONSENT = /consent\.(?:youtube|google)\.com\/(?:save|m\b)|action="https:\/\/consent\./;

/** How YouTube blocks readers; null if the page is worth parsing. */
export const blockOf = (page: Page): Parsed | null =>
  locationReason(page, [
    [/^consent\./, 'challenge'],
    [/google\.[a-z.]+\/sorry|^www\.youtube\.com\/sorry/, 'challenge'],
    [/accounts\.google\.com|\/servicelogin/, 'login_wall'],
  ]) ??
  statusReason(page) ??
  otherStatus(page);

/** A page without data: a consent page or a challenge. */
export const walled = (body: string): Parsed | null => {
  if (CONSENT.test(body.slice(0, 200_000)))
    return unknown('challenge', 'The page asks for consent to cookies');
  return isChallenge(body) ? unknown('challenge', 'The page is a challenge') : null;
};
