import type { Page } from '../../http/port.ts';
import { otherStatus, placeReason, retryAfterOf, statusReason } from '../shared/blocks.ts';
import { type Parsed, unknown } from '../shared/outcomes.ts';

/**
 * Ways in which Instagram keeps a reader out, whatever the surface; null where the page is worth parsing. A part of
 * the public profiles gets a 400 that wants a log-in: that says nothing of the account.
 */
export const blockOf = (page: Page): Parsed | null => {
  const placed = placeReason(page, [
    [/\/accounts\/(?:login|signup|emailsignup)/, 'login_wall'],
    [/\/(?:challenge|checkpoint|accounts\/suspended)/, 'challenge'],
    [/^(?:www\.)?instagram\.com\/?$/, 'login_wall'],
    [/consent/, 'challenge'],
  ]);
  if (placed !== null) return placed;
  return page.status === 429
    ? statusReason(page)
    : (messageBlock(page) ?? statusReason(page) ?? otherStatusOf(page));
};

const otherStatusOf = (page: Page): Parsed | null => (page.status === 404 ? null : otherStatus(page));

/** The short JSON replies that refuse; a profile's own reply is long and never says `"status": "fail"`. */
const messageBlock = (page: Page): Parsed | null => {
  if (page.body.length > 5_000) return null;
  const say = (reason: 'challenge' | 'login_wall' | 'rate_limited', what: string) =>
    unknown(reason, `Instagram asks for ${what} (HTTP ${page.status})`, retryAfterOf(page));
  if (/"(?:feedback_required|checkpoint_required|challenge_required)"|"checkpoint_url"/.test(page.body)) {
    return say('challenge', 'a challenge');
  }
  if (/"require_login"\s*:\s*true|"login_required"|logged[ _]in/i.test(page.body))
    return say('login_wall', 'a log-in');
  return /"status"\s*:\s*"fail"/.test(page.body) && /wait a few minutes|rate_limit/i.test(page.body)
    ? say('rate_limited', 'patience')
    : null;
};
