import type { Page } from '../../http/port.ts';
import { isChallenge, otherStatus, placeReason, statusReason } from '../shared/block-detection.ts';
import { type Parsed, unknown } from '../shared/reading-outcomes.ts';

const CONSENT = /consent\.(?:youtube|google)\.com\/(?:save|m\b)|action="https:\/\/consent\./;

/** Ways in which YouTube keeps a reader out; null where the page is worth parsing. */
export const blockOf = (page: Page): Parsed | null =>
  placeReason(page, [
    [/^consent\./, 'challenge'],
    [/google\.[a-z.]+\/sorry|^www\.youtube\.com\/sorry/, 'challenge'],
    [/accounts\.google\.com|\/servicelogin/, 'login_wall'],
  ]) ??
  statusReason(page) ??
  otherStatus(page);

/** A page without data: one that asks for consent or for a proof of being human says so. */
export const walled = (body: string): Parsed | null => {
  if (CONSENT.test(body.slice(0, 200_000)))
    return unknown('challenge', 'The page asks for consent to cookies');
  return isChallenge(body) ? unknown('challenge', 'The page is a challenge') : null;
};
