import { type ErrorCode, ServiceError } from '../../kernel/errors.ts';
import { MAX_WAIT_MS } from '../http/retry.ts';
import type { UnknownReason } from '../platforms/adapter.ts';

/** The error of a live read while the platform is paused. */
export const platformPausedError = (pausedMs: number): ServiceError =>
  new ServiceError(
    'platform_rate_limited',
    'Requests to the platform are paused: it is rate limiting us or failing.',
    {
      internal: `the shared breaker is open for ${pausedMs} ms`,
      retryAfterS: secondsOf(pausedMs),
    },
  );

/** The error of a live read while readings can't be stored. */
export const logUnavailableError = (): ServiceError =>
  new ServiceError('service_unavailable', 'Live reads are unavailable: their results could not be stored.', {
    internal: 'event log unavailable',
    retryAfterS: LOG_RETRY_S,
  });

/** The error of a cursor that does not match what the log has recorded of its list. */
export const foreignCursorError = (): ServiceError =>
  new ServiceError('cursor_invalid', 'This cursor does not belong to this list. Restart without `cursor`.', {
    internal: 'the log has no such part of the sweep',
    details: [{ path: 'query.cursor', message: 'not a cursor of this list' }],
  });

/** The error of a live read that could not begin by its deadline. */
export const crowdedError = (): ServiceError =>
  new ServiceError('service_unavailable', 'Too many live reads of this platform are queued.', {
    internal: 'the deadline passed before a request could be sent',
    retryAfterS: LOG_RETRY_S,
  });

/** The error of a live read that the stop of the process ended. */
export const stoppedError = (): ServiceError =>
  new ServiceError('service_unavailable', 'This process is stopping. Try again.', {
    internal: 'the process stopped before the platform had answered',
    retryAfterS: 1,
  });

/** The error of a live read that its deadline ended. */
export const timedOutError = (): ServiceError =>
  new ServiceError('platform_timeout', TEXTS.timeout, {
    internal: 'the deadline of the live read passed',
    retryAfterS: RETRY_S,
  });

/** The error of an account that a page shows without its ID, as pages do that load their data later. */
export const withoutIdError = (): ServiceError =>
  toServiceError({ reason: 'layout_changed', detail: 'The page shows the account without its ID' });

/** The error of a read that the platform's adapter has no surface for. */
export const unsupportedError = (): ServiceError =>
  notReadableError('unsupported', 'The platform shows this on no public surface.');

/** The error of an inconclusive live reading. */
export const toServiceError = ({ reason, detail, retryAfterMs }: Inconclusive): ServiceError =>
  CODES[reason] === 'not_readable'
    ? notReadableError(publicReason(reason), TEXTS[reason], detail)
    : new ServiceError(CODES[reason], TEXTS[reason], {
        internal: detail,
        retryAfterS: retryAfterMs === undefined ? RETRY_S : secondsOf(retryAfterMs),
      });

/** An inconclusive reading, page or list. */
interface Inconclusive {
  readonly reason: UnknownReason;
  readonly detail: string;
  readonly retryAfterMs?: number;
}

/** Failures that no retry can cure are `not_readable`, so that callers don't repeat the call. */
const CODES: Readonly<Record<UnknownReason, ErrorCode>> = {
  rate_limited: 'platform_rate_limited',
  login_wall: 'not_readable',
  challenge: 'platform_unavailable',
  region: 'not_readable',
  not_configured: 'not_readable',
  no_proxy: 'platform_unavailable',
  no_request_left: 'service_unavailable',
  session_limited: 'platform_rate_limited',
  session_unusable: 'platform_unavailable',
  timeout: 'platform_timeout',
  http_error: 'platform_error',
  too_large: 'platform_error',
  layout_changed: 'platform_layout_changed',
  other_address: 'platform_error',
  unconfirmed: 'platform_error',
  ambiguous: 'not_readable',
  restricted: 'not_readable',
  erased: 'not_readable',
};

const WITHHELD = 'The platform withholds this account from strangers.';

const TEXTS: Readonly<Record<UnknownReason, string>> = {
  rate_limited: 'The platform is rate limiting our reads.',
  login_wall: 'The platform shows this account to logged-in users only.',
  challenge: 'The platform requires a captcha.',
  region: 'The platform does not show this account in our region.',
  not_configured: 'This read requires a session of the platform, and the operator has not configured one.',
  no_proxy: 'No proxy of the operator can reach the platform at present.',
  no_request_left: 'The call has sent as many requests to platforms as it may.',
  session_limited:
    'The sessions of the operator have used up what the platform allows them, or rest since it rejected them.',
  session_unusable:
    'This read requires a session of the platform: it rejects those of the operator, or the service has no key that opens them.',
  timeout: 'The platform timed out.',
  http_error: 'The platform returned an error.',
  too_large: 'The platform’s response was too large.',
  layout_changed: 'The platform’s page could not be parsed.',
  other_address: 'The platform answered from an address that is not the account’s.',
  unconfirmed: 'The platform’s answer names no account, and further answers did not confirm it.',
  ambiguous: 'The platform answers the same of accounts that it removed and of names without an account.',
  restricted: WITHHELD,
  erased: WITHHELD,
};

const RETRY_S = 60;

/** At least one second, so that callers don't retry at once. */
const secondsOf = (ms: number): number => Math.max(1, Math.ceil(Math.min(ms, MAX_WAIT_MS) / 1_000));

const LOG_RETRY_S = 5;

/** Callers can't tell an account that was erased from one that its platform withholds. */
const publicReason = (reason: UnknownReason): UnknownReason => (reason === 'erased' ? 'restricted' : reason);

const notReadableError = (reason: string, message: string, internal?: string): ServiceError =>
  new ServiceError('not_readable', message, {
    details: [{ path: 'platform', message, reason }],
    ...(internal === undefined ? {} : { internal }),
  });
