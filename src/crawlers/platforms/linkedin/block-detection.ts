import type { Page } from '../../http/port.ts';
import { isChallenge, otherStatus, placeReason, statusReason } from '../shared/block-detection.ts';
import { layoutChanged, type Parsed, proven, unknown } from '../shared/reading-outcomes.ts';

/** LinkedIn's own page for a slug that nobody has: the words alone may be anybody's. */
const isMissing = (body: string): boolean =>
  !isChallenge(body) && /profile\s+not\s+found/i.test(body) && /linkedin/i.test(body);

/** Ways in which LinkedIn keeps a reader out, and its one proof of absence; null where the page is worth parsing. */
export const blockOf = (page: Page): Parsed | null => {
  const placed = placeReason(page, [
    [/\/(?:authwall|login|uas\/login|signup|start\/join)/, 'login_wall'],
    [/\/(?:checkpoint|challenge)/, 'challenge'],
    [/^[a-z.]*linkedin\.com\/(?:home\/?|feed\/?)?$/, 'login_wall'],
  ]);
  if (placed !== null) return placed;
  if (page.status === 999) return unknown('challenge', 'HTTP 999: LinkedIn refuses the client');
  if (page.status === 404 && isMissing(page.body)) return proven('absent');
  return statusReason(page) ?? otherStatus(page);
};

/** A page without data: the guest home, a wall, or a script that only leads to one. */
export const walled = (body: string): Parsed => {
  if (isChallenge(body)) return unknown('challenge', 'The page is a challenge');
  const small = body.length < 20_000;
  if (small && /\/authwall|sessionRedirect|trk=guest_/i.test(body)) {
    return unknown('login_wall', 'The page only leads to a log-in');
  }
  if (
    /name="pageKey"\s+content="(?:d_)?(?:guest-home|auth_wall|uas-)/i.test(body) ||
    /class="[^"]*\bauthwall\b/.test(body)
  ) {
    return unknown('login_wall', 'The page is the one for guests');
  }
  if (small && /<script/i.test(body) && !/<(?:h1|h2|p|main|section|article)\b/i.test(body)) {
    return unknown('challenge', 'The page is a script and nothing else');
  }
  return layoutChanged('The page carries no data of the account');
};
