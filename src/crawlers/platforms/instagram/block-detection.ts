import type { Page } from '../../http/port.ts';
import type { UnknownReason } from '../adapter.ts';
import { titleOf } from '../shared/embedded-json.ts';
import { parseJson, textAt } from '../shared/json-access.ts';
import {
  isChallenge,
  layoutChanged,
  locationReason,
  otherStatus,
  type Parsed,
  retryAfterOf,
  statusReason,
  unknown,
} from '../shared/reading-outcomes.ts';

/**
 * How Instagram blocks readers, on any surface; null if the page is worth parsing. Some public profiles return a
 * 400 that requires a log-in, which is inconclusive.
 */
export const blockOf = (page: Page): Parsed | null => {
  const located = locationReason(page, [
    [/\/accounts\/(?:login|signup|emailsignup)/, 'login_wall'],
    [/\/(?:challenge|checkpoint|consent|accounts\/suspended)(?:\/|$)/, 'challenge'],
    [/^(?:www\.)?instagram\.com\/?$/, 'login_wall'],
    [/^consent\./, 'challenge'],
  ]);
  if (located !== null) return located;
  return page.status === 429
    ? statusReason(page)
    : (messageBlock(page) ?? statusReason(page) ?? otherStatusOf(page));
};

/** Whether a page is Instagram's own "not found". A 404 alone is not: edges, proxies and challenges return it too. */
export const isMissing = (page: Page): boolean => {
  if (page.status !== 404 || isChallenge(page.body)) return false;
  const title = titleOf(page.body) ?? '';
  if (MISSING_TITLE.test(title)) return true;
  if (/^instagram$/i.test(title) && MISSING_TEXT.test(page.body)) return true;
  const reply = parseJson(page.body);
  return textAt(reply, 'status') === 'fail' && /^user not found\.?$/i.test(textAt(reply, 'message') ?? '');
};

export const isThrottled = (body: string): boolean =>
  THROTTLED.test(body) || (body.length < SMALL_CHARS && THROTTLED_WORDS.test(body));

export const throttled = (page: Page): Parsed =>
  unknown('rate_limited', 'Instagram asks for patience', retryAfterOf(page));

/** The application with its log-in in place of a profile. */
export const isLoginPage = (body: string): boolean =>
  /PolarisLogin(?:Root|Page)|LoginAndSignupPage|"require_login"\s*:\s*true/.test(body);

/** A status that is inconclusive whatever the body contains. */
export const otherPage = (page: Page): Parsed =>
  otherStatus(page) ?? layoutChanged(`HTTP ${page.status} with an unknown body`);

/** Why Instagram shows no account although there may be one; null if the page does not say it. */
export const refusalOf = (page: Page): Parsed | null => {
  const text = page.body.replaceAll(/&(?:#0?39|#x27|rsquo);/g, '’');
  const [, reason, what] = REFUSALS.find(([pattern]) => pattern.test(text)) ?? [];
  return reason === undefined ? null : unknown(reason, `Instagram ${what}`);
};

/** Titles of Instagram's "not found" page, before its name. */
const MISSING_TITLE =
  /^(?:page not found|page isn[’']t available|profile isn[’']t available)\s*[•·|]\s*instagram$/i;

/** Its text, for pages whose title is only the name. */
const MISSING_TEXT = /\b(?:this page|this profile|profile) isn(?:[’']|&#0?39;|&#x27;|&rsquo;)t available/i;

/** How Instagram says in its data that there were too many requests, also with HTTP 200. */
const THROTTLED = /\b1675004\b|"rate limit exceeded|"rate_limit_error"/i;

/** How it says so in words; scripts of large pages have them too. */
const THROTTLED_WORDS = /rate limit(?:ed| exceeded)|please wait a few minutes|too many requests/i;
const SMALL_CHARS = 20_000;

const otherStatusOf = (page: Page): Parsed | null => (page.status === 404 ? null : otherStatus(page));

/** Short answers in place of an account. */
const MESSAGES: readonly (readonly [RegExp, UnknownReason, string])[] = [
  [
    /"(?:feedback_required|checkpoint_required|challenge_required)"|"checkpoint_url"/,
    'challenge',
    'asks for a challenge',
  ],
  [/"require_login"\s*:\s*true|"login_required"|logged[ _]in/i, 'login_wall', 'asks for a log-in'],
  [/"geoblock_required"/, 'region', 'does not show this account in this region'],
  [
    /^(?=[\s\S]*"status"\s*:\s*"fail")[\s\S]*(?:wait a few minutes|rate_limit)/i,
    'rate_limited',
    'asks for patience',
  ],
];

/** Short JSON errors; a profile's response is long and never contains `"status": "fail"`. */
const messageBlock = (page: Page): Parsed | null => {
  if (page.body.length > 5_000) return null;
  const [, reason, text] = MESSAGES.find(([pattern]) => pattern.test(page.body)) ?? [];
  return reason === undefined
    ? null
    : unknown(reason, `Instagram ${text} (HTTP ${page.status})`, retryAfterOf(page));
};

/** Statements of pages and replies about restricted accounts; used only if no account is shown. */
const REFUSALS: readonly (readonly [RegExp, UnknownReason, string])[] = [
  [
    />\s*restricted profile\s*[•·|<]|(?:>|"message"\s*:\s*")[^<"]{0,80}you must be (?:at least )?\d+ (?:years|or)/i,
    'restricted',
    'restricts this profile by age',
  ],
  [
    /(?:>|"(?:message|description)"\s*:\s*")[^<"]{0,80}available in your (?:country|region)/i,
    'region',
    'does not show this account in this region',
  ],
];
