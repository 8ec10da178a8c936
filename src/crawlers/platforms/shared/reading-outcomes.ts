import type { Post } from '../../../write/accounts/post.ts';
import { emptyProfile, isEmpty, type Measurable, type Profile } from '../../../write/accounts/profile.ts';
import type { Page } from '../../http/port.ts';
import { resetAfterMs, retryAfterMs } from '../../http/retry.ts';
import type { Reading, UnknownReason } from '../adapter.ts';
import type { Fields } from './field-reader.ts';

/** A parser's result: a reading without the surface's name. */
export type Parsed = Reading extends infer R ? (R extends Reading ? Omit<R, 'surface'> : never) : never;

/**
 * An account shown by the surface. Data that only repeats the requested name is not accepted: errors contain that
 * too.
 */
export const present = (
  profile: Profile,
  posts: readonly Post[] | null,
  fields: Fields,
  measured: readonly Measurable[],
  isPrivate = false,
  further: Further = {},
): Parsed =>
  isEmpty(profile) && (posts === null || posts.length === 0)
    ? layoutChanged('The data repeats the name and says nothing of the account')
    : {
        status: isPrivate ? 'private' : 'present',
        profile,
        // Posts that a private account shows to strangers are not its list.
        posts: isPrivate && posts?.length === 0 ? null : posts,
        ...further,
        measured: measured.filter((field) => !fields.unreadable.has(field)),
        warnings: fields.warnings,
      };

/** The platform confirms that the account exists, and shows nothing else. */
export const existence = (
  handle: string,
  status: 'present' | 'private',
  measured: readonly Measurable[],
  posts: readonly Post[] | null = null,
): Parsed => ({ status, profile: emptyProfile(handle), posts, measured, warnings: [], stated: true });

/** Marks a reading whose answer names no account, and may be any account's. */
export const unnamed = (parsed: Parsed): Parsed =>
  parsed.status === 'unknown' ? parsed : { ...parsed, unnamed: true };

/** A verdict without data. Most such answers name no account. */
export const proven = (status: 'absent' | 'suspended' | 'deactivated'): Parsed => ({
  status,
  unnamed: true,
  warnings: [],
});

/** A verdict of an answer that names the account. */
export const provenByName = (status: 'absent' | 'suspended' | 'deactivated'): Parsed => ({
  status,
  warnings: [],
});

/** An inconclusive answer in which the platform shows, in its own way, that there is nothing. */
export const silent = (parsed: Parsed): Parsed =>
  parsed.status === 'unknown' ? { ...parsed, silent: true } : parsed;

export const unknown = (reason: UnknownReason, detail: string, retryAfterMs?: number | null): Parsed => ({
  status: 'unknown',
  reason,
  detail,
  ...(retryAfterMs == null ? {} : { retryAfterMs }),
  warnings: [],
});

export const layoutChanged = (detail: string): Parsed => unknown('layout_changed', detail);

/** The wait requested by any header, one day at most; null if none. */
export const retryAfterOf = ({ headers }: Pick<Page, 'headers'>): number | null => {
  const now = answeredMs(headers);
  return (
    retryAfterMs(headers['retry-after'], now) ??
    resetAfterMs(headers['x-rate-limit-reset'] ?? headers['ratelimit-reset'], now)
  );
};

/** The reason implied by a page's location, by patterns on host and path. */
export const locationReason = (
  page: Page,
  patterns: readonly (readonly [RegExp, UnknownReason])[],
): Parsed | null => {
  for (const location of locationsOf(page)) {
    const hit = patterns.find(([pattern]) => pattern.test(location));
    if (hit !== undefined)
      return unknown(hit[1], `The platform sent the request to ${location}`, retryAfterOf(page));
  }
  return null;
};

/** Whether a page is a captcha or similar challenge. Only its beginning is checked. */
export const isChallenge = (body: string): boolean => CHALLENGE.test(body.slice(0, 40_000));

/** Platform-independent meaning of a status; null if the page is worth parsing or the status is platform-specific. */
export const statusReason = (page: Page): Parsed | null => {
  const { status } = page;
  const say = (reason: UnknownReason) => unknown(reason, `HTTP ${status}`, retryAfterOf(page));
  if (status === 429) return say('rate_limited');
  if (status === 451) return say('region');
  if (status === 408) return say('timeout');
  if (status >= 500 && status < 600) return isChallenge(page.body) ? say('challenge') : say('http_error');
  if (status >= 300 && status < 400) return say('http_error');
  return null;
};

/** Any other status but 200, after platform-specific meanings. */
export const otherStatus = (page: Page): Parsed | null => {
  const { status } = page;
  if (status >= 200 && status < 300) return null;
  if (isChallenge(page.body))
    return unknown('challenge', `HTTP ${status} with a challenge`, retryAfterOf(page));
  return unknown(status === 401 ? 'login_wall' : 'http_error', `HTTP ${status}`, retryAfterOf(page));
};

/** The order and completeness of a surface's posts, and facts beyond the profile. */
type Further = Pick<
  Extract<Reading, { readonly profile: unknown }>,
  'postOrder' | 'postsSince' | 'postsCursor' | 'pinned' | 'coauthored' | 'facts'
>;

/** Time of the response by its server: parsers have no clock. */
const answeredMs = (headers: Page['headers']): number | null => {
  const at = Date.parse(headers.date ?? '');
  return Number.isNaN(at) ? null : at;
};

/** The page's final URL, and a redirect that was not followed. */
const locationsOf = (page: Page): string[] => {
  const locations: string[] = [page.url];
  const { location } = page.headers;
  if (page.status >= 300 && page.status < 400 && location !== undefined && URL.canParse(location, page.url)) {
    locations.push(new URL(location, page.url).href);
  }
  return locations.map((location) => {
    if (!URL.canParse(location)) return '';
    const url = new URL(location);
    return `${url.hostname}${url.pathname}`.toLowerCase();
  });
};

const CHALLENGE =
  /cf-chl|challenge-platform|<title>\s*(?:just a moment|attention required|access denied|security check|robot check)|g-recaptcha|h-captcha|hcaptcha\.com|captcha-(?:verify|container|page)|verify you are human|unusual traffic from your/i;
