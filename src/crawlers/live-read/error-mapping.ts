import type { ErrorCode } from '../../kernel/errors/codes.ts';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import { MAX_WAIT_MS } from '../http/retry.ts';
import type { Outcome, UnknownReason } from '../platforms/adapter.ts';

const CODES: Readonly<Record<UnknownReason, ErrorCode>> = {
  rate_limited: 'platform_rate_limited',
  login_wall: 'platform_unavailable',
  challenge: 'platform_unavailable',
  region: 'platform_unavailable',
  not_configured: 'platform_unavailable',
  timeout: 'platform_timeout',
  http_error: 'platform_error',
  too_large: 'platform_error',
  layout_changed: 'platform_layout_changed',
};

const TEXTS: Readonly<Record<UnknownReason, string>> = {
  rate_limited: 'The platform limits our reads just now.',
  login_wall: 'The platform shows this account to people who are logged in only.',
  challenge: 'The platform asks for a proof of being human.',
  region: 'The platform does not show this account here.',
  not_configured: 'Reading this needs a session that the operator has not configured.',
  timeout: 'The platform did not answer in time.',
  http_error: 'The platform answered with an error.',
  too_large: 'The platform answered with more than we read.',
  layout_changed: 'The platform answered with a page that could not be read.',
};

const RETRY_S = 60;

/** At least one: a caller that comes back at once would be told the same. */
const secondsOf = (ms: number): number => Math.max(1, Math.ceil(Math.min(ms, MAX_WAIT_MS) / 1_000));

/** What a caller is told of a platform that is not asked anything just now. */
export const platformPausedError = (pausedMs: number): ServiceError =>
  new ServiceError(
    'platform_rate_limited',
    'The platform is not asked anything just now: it limits us, or fails.',
    {
      internal: `the shared breaker is open for ${pausedMs} ms`,
      retryAfterS: secondsOf(pausedMs),
    },
  );

const LOG_RETRY_S = 5;

/** What a caller is told while readings can't be kept. */
export const logUnavailableError = (): ServiceError =>
  new ServiceError(
    'service_unavailable',
    'Live reads are not possible just now: what is read could not be kept.',
    {
      internal: 'the event log does not answer',
      retryAfterS: LOG_RETRY_S,
    },
  );

/** What a caller is told of a live reading that proved nothing. */
export const toServiceError = (outcome: Extract<Outcome, { status: 'unknown' }>): ServiceError =>
  new ServiceError(CODES[outcome.reason], TEXTS[outcome.reason], {
    internal: outcome.detail,
    retryAfterS: outcome.retryAfterMs === undefined ? RETRY_S : secondsOf(outcome.retryAfterMs),
  });
