/**
 * Every error of the API, by code. A new one needs only a row here: the HTTP layer maps its kind to a status, and the
 * API description lists it.
 */
export const ERRORS = {
  invalid_request: {
    kind: 'invalid',
    title: 'The request does not match its schema',
    documentation:
      'A parameter, the body or a handle is malformed. `details` lists each path with the problem.',
  },
  cursor_invalid: {
    kind: 'invalid',
    title: 'Invalid cursor',
    documentation:
      'A cursor is valid only unchanged, for the list and filters that issued it, and until its signing secret expires. Restart the list without `cursor`.',
  },
  key_missing: {
    kind: 'unauthenticated',
    title: 'API key missing',
    documentation: 'Send the header `Authorization: Bearer <key>`.',
  },
  key_invalid: {
    kind: 'unauthenticated',
    title: 'API key invalid',
    documentation: 'The key is mistyped or was not issued by this service.',
  },
  key_revoked: {
    kind: 'unauthenticated',
    title: 'API key revoked',
    documentation: 'Ask the operator for a new key.',
  },
  budget_exhausted: {
    kind: 'unpaid',
    title: 'Quota exhausted',
    documentation:
      'The plan’s remaining units do not cover the call, and overage is off or not part of the plan. The next period begins at `X-Quota-Reset`; the operator can turn overage on or change the plan.',
  },
  overage_cap_reached: {
    kind: 'unpaid',
    title: 'Overage cap reached',
    documentation:
      'The quota is exhausted, and the overage left under the cap does not cover the call. Calls are served again from `X-Quota-Reset` on, or with a higher cap.',
  },
  wallet_empty: {
    kind: 'unpaid',
    title: 'Insufficient wallet balance',
    documentation:
      'The quota is exhausted and overage is on, but the wallet balance is lower than the cost of the call. Credit the wallet.',
  },
  plan_required: {
    kind: 'forbidden',
    title: 'Endpoint not included in the plan',
    documentation: '`details` names the lowest plan that includes it, and the scope if the key lacks it too.',
  },
  ip_not_allowed: {
    kind: 'forbidden',
    title: 'Address not allowed for this API key',
    documentation:
      'The key has an IP allowlist, and the call came from another address. It costs nothing, and does not count as a request.',
  },
  rate_limited: {
    kind: 'limited',
    title: 'Rate limit exceeded',
    documentation:
      'The plan’s requests per minute are used up, or your lists used their database time of this minute, or too many responses are stored for your Idempotency-Keys, or too many requests without a valid key came from your address. Retry after `Retry-After` seconds.',
  },
  live_rate_limited: {
    kind: 'limited',
    title: 'Live-call rate limit exceeded',
    documentation:
      'The plan’s live calls per minute are used up, or do not cover a batch of this size. Retry after `Retry-After` seconds, or read the catalog.',
  },
  idempotency_in_flight: {
    kind: 'conflict',
    title: 'Request with this Idempotency-Key in flight',
    documentation: 'Retry shortly: the response of the first request is stored for a day.',
  },
  idempotency_mismatch: {
    kind: 'unprocessable',
    title: 'Idempotency-Key used for another request',
    documentation: 'An Idempotency-Key belongs to one endpoint, URL and body. Generate a new one.',
  },
  insufficient_data: {
    kind: 'unprocessable',
    title: 'Too little data',
    documentation:
      'The sample is too small for the figure: `details` has its size and the least that is needed. Widen the window, or retry after the account was read again. Nothing is charged.',
  },
  not_readable: {
    kind: 'unprocessable',
    title: 'Not readable',
    documentation:
      'The platform does not show this to the service, and a retry would not help: `details` has the reason, as `login_wall`, `region`, `not_configured` (it takes a session that the operator has not configured), `ambiguous` (the platform answers the same for suspended accounts and unused names) or `unsupported`. Nothing is charged.',
  },
  scope_missing: {
    kind: 'forbidden',
    title: 'Scope missing',
    documentation:
      '`details` names the required scope, which the plan includes: ask the operator to add it to the key. `GET /v2/` lists what the key may call.',
  },
  not_found: {
    kind: 'missing',
    title: 'Not found',
    documentation: 'The catalog has no such entry. It may still exist on the platform.',
  },
  route_not_found: {
    kind: 'missing',
    title: 'Endpoint not found',
    documentation: '`GET /v2/` lists the endpoints.',
  },
  method_not_allowed: {
    kind: 'method',
    title: 'Method not allowed',
    documentation: 'The `Allow` header lists the methods of this path.',
  },
  body_too_large: {
    kind: 'too_large',
    title: 'Body too large',
    documentation: 'Send a smaller body; the maximum size of a batch is documented.',
  },
  request_timeout: {
    kind: 'slow',
    title: 'Request timeout',
    documentation: 'The headers took longer than 10 s, or the whole request longer than 30 s. Send it again.',
  },
  headers_too_large: {
    kind: 'long_headers',
    title: 'Request line and headers too large',
    documentation:
      'The limit for the request line and all headers is 16 KiB. Shorten the query, or send fewer headers.',
  },
  media_type_unsupported: {
    kind: 'media_type',
    title: 'Unsupported media type',
    documentation: 'Send `Content-Type: application/json`.',
  },
  internal: {
    kind: 'internal',
    title: 'Internal error',
    documentation: 'Nothing was charged. Report the `request_id` to the operator, whose log has the cause.',
  },
  platform_error: {
    kind: 'bad_upstream',
    title: 'Invalid response from the platform',
    documentation: 'The platform’s response contains no information about the account. Try again later.',
  },
  platform_layout_changed: {
    kind: 'bad_upstream',
    title: 'Platform layout changed',
    documentation:
      'The page was received but could not be parsed. The operator is alerted; the catalog still has the last reading.',
  },
  platform_unavailable: {
    kind: 'unavailable',
    title: 'Platform blocked the request',
    documentation:
      'A challenge, a session that the platform rejects or a proxy that fails prevented the read. Try again after `Retry-After`.',
  },
  platform_rate_limited: {
    kind: 'unavailable',
    title: 'Rate limited by the platform',
    documentation: 'Try again after `Retry-After`, or read the catalog.',
  },
  platform_timeout: {
    kind: 'timeout',
    title: 'Platform timeout',
    documentation: 'Try again, or read the catalog.',
  },
  service_unavailable: {
    kind: 'unavailable',
    title: 'Service unavailable',
    documentation:
      'A required dependency is unavailable, or the process that answered is stopping, or too many lists are queued, or a tool has sent as many requests to platforms as a call may, or a list took too long: narrow it. Try again after `Retry-After`.',
  },
} as const satisfies Record<string, { kind: string; title: string; documentation: string }>;

export type ErrorCode = keyof typeof ERRORS;
export type ErrorKind = (typeof ERRORS)[ErrorCode]['kind'];
