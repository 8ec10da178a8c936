import type { Page } from '../../http/port.ts';
import { isChallenge, locationReason, otherStatus, statusReason } from '../shared/block-detection.ts';
import { layoutChanged, type Parsed, proven, unknown } from '../shared/reading-outcomes.ts';

/** LinkedIn's own "not found" page: the words alone could be anybody's. */
const isMissing = (body: string): boolean =>
  !isChallenge(body) && /profile\s+not\s+found/i.test(body) && /linkedin/i.test(body);

/** How LinkedIn blocks readers, and its one proof of absence; null if the page is worth parsing. */
export const blockOf = (page: Page): Parsed | null => {
  const located = locationReason(page, [
    [/^[^/]+\/(?:authwall|login|uas\/login|signup|start\/join)\b/, 'login_wall'],
    [/^[^/]+\/(?:checkpoint|challenge|consent)\b/, 'challenge'],
    [/^[a-z.]*linkedin\.com\/(?:home\/?|feed\/?)?$/, 'login_wall'],
  ]);
  if (located !== null) return located;
  if (page.status === 999) return unknown('challenge', 'HTTP 999: LinkedIn refuses the client');
  if (page.status === 404 && isMissing(page.body)) return proven('absent');
  return statusReason(page) ?? otherStatus(page);
};

/** A page without data: the guest home, a wall, or a redirecting script. */
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
