/**
 * Every error of the API, by code. A new error needs only a row here: the HTTP layer maps its kind to a status, and the API
 * description lists it.
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
      'A cursor is valid only if it is unchanged, only for the list and filters that issued it, and only until its signing secret expires. Restart the list without `cursor`.',
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
      'The units left in the plan do not cover the call, and overage is off or not part of the plan. Wait for the next period, which begins at `X-Quota-Reset`, or ask the operator to turn on overage or to change the plan.',
  },
  overage_cap_reached: {
    kind: 'unpaid',
    title: 'Overage cap reached',
    documentation:
      'The quota is exhausted, and the overage left under the cap does not cover the call. Wait until `X-Quota-Reset`, or ask the operator for a higher cap.',
  },
  wallet_empty: {
    kind: 'unpaid',
    title: 'Insufficient wallet balance',
    documentation:
      'The quota is exhausted and overage is on, but the wallet balance is lower than the cost of the call. Ask the operator to credit the wallet.',
  },
  plan_required: {
    kind: 'forbidden',
    title: 'Endpoint not included in the plan',
    documentation:
      '`details` names the lowest plan that includes the endpoint. If the key also lacks the scope, `details` names the scope too.',
  },
  holder_suspended: {
    kind: 'forbidden',
    title: 'Customer suspended',
    documentation: 'The operator has suspended all keys of the customer. Ask the operator.',
  },
  ip_not_allowed: {
    kind: 'forbidden',
    title: 'Address not allowed for this API key',
    documentation:
      'The key has an IP allowlist, and the call came from an address outside it. The call costs nothing and does not count as a request.',
  },
  rate_limited: {
    kind: 'limited',
    title: 'Rate limit exceeded',
    documentation:
      'One of these limits is reached: the plan’s requests per minute; the database time of your lists per minute; the stored responses of your Idempotency-Keys; the requests without a valid key from your address. Retry after `Retry-After` seconds.',
  },
  live_rate_limited: {
    kind: 'limited',
    title: 'Live-call rate limit exceeded',
    documentation:
      'The plan’s live calls per minute are used up, or too few are left for a batch of this size. Retry after `Retry-After` seconds, or read the catalog.',
  },
  idempotency_in_flight: {
    kind: 'conflict',
    title: 'Request with this Idempotency-Key in flight',
    documentation:
      'The first request with this key is still running. Retry shortly to get its response, which is stored for a day.',
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
      'The sample is too small for the figure. `details` has its size and the required minimum. Widen the window, or retry after the account has been read again. Nothing is charged.',
  },
  not_readable: {
    kind: 'unprocessable',
    title: 'Not readable',
    documentation:
      'The platform does not show this to the service, and a retry would not help. `details` has the reason: `login_wall`, `region`, `not_configured` (this requires a session, which the operator has not configured), `ambiguous` (the platform responds alike for suspended accounts and unused names) or `unsupported`. Nothing is charged.',
  },
  scope_missing: {
    kind: 'forbidden',
    title: 'Scope missing',
    documentation:
      '`details` names the required scope. The plan includes it; ask the operator to add it to the key. `GET /v2/` lists what the key may call.',
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
    documentation: 'Send a smaller body, such as a smaller batch.',
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
    documentation:
      'Nothing was charged. Report the `request_id` to the operator, who finds the cause in the log.',
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
      'The page was received but could not be parsed. The operator is alerted. Read the catalog, which still has the last reading.',
  },
  platform_unavailable: {
    kind: 'unavailable',
    title: 'Platform blocked the request',
    documentation:
      'A challenge, a rejected session or a failing proxy prevented the read. Try again after `Retry-After`.',
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
      'Try again after `Retry-After`. Possible causes: a dependency is unavailable; the process is stopping; too many lists are queued; a tool reached its maximum of requests to platforms per call; a list took too long (narrow its filters).',
  },
} as const satisfies Record<string, { kind: string; title: string; documentation: string }>;

export type ErrorCode = keyof typeof ERRORS;
export type ErrorKind = (typeof ERRORS)[ErrorCode]['kind'];

/** An invalid part of the input: its path and the problem. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
  /** For a handle that its account has left: the current handle, or `id:` and the native ID. */
  readonly renamed_to?: string;
  /** For an account that the catalog lacks: whether crawlers will read it, and if not, why. */
  readonly queued?: boolean;
  readonly queued_reason?: string;
  /** For something that can't be read: the reason. */
  readonly reason?: string;
}

/**
 * An error with a documented code. `message` is for callers. `internal` and `cause` are for the log and never leave the process.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterS: number | undefined;
  readonly internal: string | undefined;
  constructor(
    code: ErrorCode,
    message: string,
    more: {
      details?: readonly ErrorDetail[] | undefined;
      retryAfterS?: number | undefined;
      internal?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.details = more.details;
    this.retryAfterS = more.retryAfterS;
    this.internal = more.internal;
  }
}

/**
 * Reasons why an operator's use case, or a start, is rejected. Front ends (the terminal, a console, an agent interface) choose a
 * remedy by the code. The message names the problem and no commands.
 */
export const OPERATOR_ERROR_CODES = [
  // Settings and the environment.
  'setting_invalid',
  'argument_invalid',
  'repository_needed',
  'service_unreachable',
  'port_taken',
  'home_unusable',
  'home_in_use',
  'postgres_unavailable',
  'database_unusable',
  'clock_wrong',
  'disk_full',
  'alarm_not_raised',
  'operator_unknown',
  'console_origin_missing',
  'console_not_running',
  'database_upgraded',
  'event_log_unusable',
  // Holders, plans, keys, wallets, usage.
  'plans_invalid',
  'holder_unknown',
  'holder_exists',
  'holder_invalid',
  'plan_unknown',
  'plan_inactive',
  'plan_key_limit',
  'plan_without_overage',
  'cap_invalid',
  'credit_invalid',
  'reference_invalid',
  'reference_conflict',
  'key_unknown',
  'key_revoked',
  'key_rotated',
  'key_exists',
  'key_limit',
  'scope_unknown',
  'scopes_missing',
  'scope_not_on_plan',
  'scopes_left_empty',
  'grace_invalid',
  'expiry_invalid',
  'addresses_missing',
  'address_invalid',
  'allowlist_not_on_plan',
  'period_unknown',
  // Labelled followers.
  'labels_invalid',
  // Projections.
  'projection_unknown',
  'read_model_behind',
  'build_in_progress',
  'build_missing',
  'build_unknown',
  'build_served',
  'build_newer',
  'build_in_use',
  'copy_name_invalid',
  'copy_exists',
  'position_beyond_head',
  'event_unknown',
  'event_not_subscribed',
  'stream_not_parked',
  'reason_missing',
  // Events, backups, crawling.
  'time_invalid',
  'file_unusable',
  'handler_invalid',
  'handler_failed',
  'folder_unusable',
  'backup_invalid',
  'backup_incompatible',
  'backup_damaged',
  'backup_sealed',
  'target_not_empty',
  'restore_differs',
  'restore_interrupted',
  'platform_unknown',
  'sessions_unsupported',
  'sessions_key_missing',
  'erasure_key_missing',
  'suppression_unsupported',
  'erasure_key_wrong',
  'process_unaware',
  'request_unknown',
  'subject_unknown',
  'receipt_invalid',
  'export_unknown',
  'erasure_open',
  'erasures_unreadable',
  'erasures_behind',
  'session_invalid',
  'session_exists',
  'session_unknown',
  'session_sealed',
  'proxies_invalid',
  'proxy_unknown',
  'handle_invalid',
  'engine_unknown',
  'engine_without_probe',
  'lists_not_shown',
  'follow_requests_spent',
  'follow_requests_forbidden',
  // Pools.
  'pool_invalid',
  'pool_unknown',
  'pool_exists',
  'pool_last',
  'pool_retired',
  // Research.
  'research_busy',
  'research_lease_lost',
  'research_run_ended',
  'research_unknown',
  'policy_unknown',
  // The marketplace.
  'source_invalid',
  'source_refused',
  'source_unusable',
] as const;

export type OperatorErrorCode = (typeof OPERATOR_ERROR_CODES)[number];

/** An operator requested something that can't be carried out. Nothing was changed. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly code: OperatorErrorCode;
  /** Parameters from which front ends word the remedy. */
  readonly params: Readonly<Record<string, string>>;
  constructor(
    code: OperatorErrorCode,
    message: string,
    more: { readonly params?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.code = code;
    this.params = more.params ?? {};
  }
}

/** The message of a thrown value of any type, for log lines. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
