/**
 * Every error that Sightline answers with, by its code. One row here is all that a new one takes: the HTTP layer
 * turns its kind into a status, and the API description lists it.
 */
export const ERRORS = {
  invalid_request: {
    kind: 'invalid',
    title: 'The request breaks its schema',
    documentation:
      'A parameter, the body or a handle is not of the documented form. `details` names each place and what is wrong with it.',
  },
  cursor_invalid: {
    kind: 'invalid',
    title: 'The cursor cannot be used here',
    documentation:
      'A cursor is only good for the list and the filters that made it, as it was handed out, and while the secret that signed it lives. Start the list again without `cursor`.',
  },
  key_missing: {
    kind: 'unauthenticated',
    title: 'No key',
    documentation: 'Send the header `Authorization: Bearer <key>`.',
  },
  key_invalid: {
    kind: 'unauthenticated',
    title: 'No such key',
    documentation: 'The key is mistyped or was never issued here.',
  },
  key_revoked: {
    kind: 'unauthenticated',
    title: 'The key was revoked',
    documentation: 'Ask the operator for a new key.',
  },
  budget_exhausted: {
    kind: 'unpaid',
    title: 'The budget of the period is spent',
    documentation:
      'What is left of the plan’s units does not cover the call, and overage is off or not on the plan. `X-Quota-Reset` says when the next period begins; the operator can switch overage on or change the plan.',
  },
  overage_cap_reached: {
    kind: 'unpaid',
    title: 'The cap on overage is reached',
    documentation:
      'The budget is spent, and what the cap leaves of overage does not cover the call. It is served again from `X-Quota-Reset` on, or with a higher cap.',
  },
  wallet_empty: {
    kind: 'unpaid',
    title: 'The wallet does not cover the call',
    documentation:
      'The budget is spent and overage is on, but the wallet holds less than the call costs. Credit the wallet.',
  },
  plan_required: {
    kind: 'forbidden',
    title: 'The plan does not include the endpoint',
    documentation: '`details` names the lowest plan that does.',
  },
  ip_not_allowed: {
    kind: 'forbidden',
    title: 'The key is not good from this address',
    documentation:
      'The key is pinned to addresses, and the call came from another. Such an answer tells nothing of the holder’s plan and costs nothing.',
  },
  rate_limited: {
    kind: 'limited',
    title: 'Too many requests in this minute',
    documentation:
      'The plan’s burst is used up, or your lists of this minute took as much of the database as they may, or too many answers are kept for your Idempotency-Keys, or too much came from the address without a valid key. Wait for `Retry-After` seconds.',
  },
  live_rate_limited: {
    kind: 'limited',
    title: 'Too many live calls in this minute',
    documentation:
      'The plan’s live calls of a minute are used up, or do not cover a batch of this size. Wait for `Retry-After` seconds, or read the catalog.',
  },
  idempotency_in_flight: {
    kind: 'conflict',
    title: 'The first request with this Idempotency-Key is under way',
    documentation: 'Ask again in a moment: its answer is kept for a day.',
  },
  idempotency_mismatch: {
    kind: 'unprocessable',
    title: 'The Idempotency-Key was used for another request',
    documentation: 'An Idempotency-Key belongs to one endpoint, address and body. Draw a new one.',
  },
  scope_missing: {
    kind: 'forbidden',
    title: 'The key lacks the scope',
    documentation:
      '`details` names the scope that the endpoint asks for. `GET /v2/` lists what the key may call.',
  },
  not_found: {
    kind: 'missing',
    title: 'Not in the catalog',
    documentation: 'The catalog has no such entry. That says nothing of the platform itself.',
  },
  route_not_found: {
    kind: 'missing',
    title: 'No such endpoint',
    documentation: '`GET /v2/` lists the endpoints.',
  },
  method_not_allowed: {
    kind: 'method',
    title: 'The endpoint has another method',
    documentation: 'The `Allow` header lists the methods of this path.',
  },
  body_too_large: {
    kind: 'too_large',
    title: 'The body is too large',
    documentation: 'Send a smaller body; a batch has a documented most of items.',
  },
  request_timeout: {
    kind: 'slow',
    title: 'The request did not arrive in time',
    documentation: 'Its headers took longer than 10 s, or all of it longer than 30 s. Send it again.',
  },
  headers_too_large: {
    kind: 'long_headers',
    title: 'The request line and headers are too large',
    documentation:
      'The request line and all headers together may have 16 KiB. Shorten the query, or send fewer headers.',
  },
  media_type_unsupported: {
    kind: 'media_type',
    title: 'The body is not JSON',
    documentation: 'Send `Content-Type: application/json`.',
  },
  internal: {
    kind: 'internal',
    title: 'Something failed on our side',
    documentation: 'Nothing was charged. Quote `request_id` to the operator, whose log has the cause.',
  },
  platform_error: {
    kind: 'bad_upstream',
    title: 'The platform answered nonsense',
    documentation:
      'The platform answered, but with something that says nothing of the account. Try again later.',
  },
  platform_layout_changed: {
    kind: 'bad_upstream',
    title: 'The platform changed its pages',
    documentation:
      'The page arrived and could not be read. The operator is alarmed; the catalog still answers with its last reading.',
  },
  platform_unavailable: {
    kind: 'unavailable',
    title: 'The platform does not let us read',
    documentation:
      'A login wall, a challenge, a region block, or a surface that is not configured stands before the account. Try again after `Retry-After`.',
  },
  platform_rate_limited: {
    kind: 'unavailable',
    title: 'The platform limits our reads',
    documentation: 'Try again after `Retry-After`, or read the catalog.',
  },
  platform_timeout: {
    kind: 'timeout',
    title: 'The platform did not answer in time',
    documentation: 'Try again, or read the catalog.',
  },
  service_unavailable: {
    kind: 'unavailable',
    title: 'Sightline cannot answer now',
    documentation:
      'A part that the answer needs is away, or too many lists wait, or a list took too long: narrow it. Try again after `Retry-After`.',
  },
} as const satisfies Record<string, { kind: string; title: string; documentation: string }>;

export type ErrorCode = keyof typeof ERRORS;
export type ErrorKind = (typeof ERRORS)[ErrorCode]['kind'];
