import type { Page } from '../../http/port.ts';
import {
  isChallenge,
  otherStatus,
  placeReason,
  retryAfterOf,
  statusReason,
} from '../shared/block-detection.ts';
import { titleOf } from '../shared/embedded-json.ts';
import { parseJson, textAt } from '../shared/json-access.ts';
import { layoutChanged, type Parsed, unknown } from '../shared/reading-outcomes.ts';

/**
 * Ways in which Instagram keeps a reader out, whatever the surface; null where the page is worth parsing. A part of
 * the public profiles gets a 400 that wants a log-in: that says nothing of the account.
 */
export const blockOf = (page: Page): Parsed | null => {
  const placed = placeReason(page, [
    [/\/accounts\/(?:login|signup|emailsignup)/, 'login_wall'],
    [/\/(?:challenge|checkpoint|consent|accounts\/suspended)(?:\/|$)/, 'challenge'],
    [/^(?:www\.)?instagram\.com\/?$/, 'login_wall'],
    [/^consent\./, 'challenge'],
  ]);
  if (placed !== null) return placed;
  return page.status === 429
    ? statusReason(page)
    : (messageBlock(page) ?? statusReason(page) ?? otherStatusOf(page));
};

/** Titles of Instagram's own page for what is not there, in front of its name. */
const MISSING_TITLE =
  /^(?:page not found|page isn[’']t available|profile isn[’']t available)\s*[•·|]\s*instagram$/i;

/** What it says there where its title is its name alone. */
const MISSING_TEXT = /\b(?:this page|this profile|profile) isn(?:[’']|&#0?39;|&#x27;|&rsquo;)t available/i;

/**
 * Whether an answer is Instagram's own for a name that nobody has. A 404 alone is not: edges, proxies and challenges
 * answer with it too.
 */
export const isMissing = (page: Page): boolean => {
  if (page.status !== 404 || isChallenge(page.body)) return false;
  const title = titleOf(page.body) ?? '';
  if (MISSING_TITLE.test(title)) return true;
  if (/^instagram$/i.test(title) && MISSING_TEXT.test(page.body)) return true;
  const reply = parseJson(page.body);
  return textAt(reply, 'status') === 'fail' && /^user not found\.?$/i.test(textAt(reply, 'message') ?? '');
};

/** A status that says nothing of the account, whatever stands in the body. */
export const otherPage = (page: Page): Parsed =>
  otherStatus(page) ?? layoutChanged(`HTTP ${page.status} with a body that is not known`);

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
