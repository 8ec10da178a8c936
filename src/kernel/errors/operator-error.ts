/**
 * Why a use case of operators, or a start, can be rejected. Front ends (the terminal, a console, an agent
 * interface) choose a remedy by the code; the message names the problem, without commands.
 */
export const OPERATOR_ERROR_CODES = [
  // Settings and the environment.
  'setting_invalid',
  'argument_invalid',
  'port_taken',
  'home_unusable',
  'home_in_use',
  'postgres_unavailable',
  'database_unusable',
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
  'target_not_empty',
  'restore_differs',
  'restore_interrupted',
  'platform_unknown',
  'sessions_unsupported',
  'sessions_key_missing',
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

/** A use case or setting requested by an operator that can't be carried out; nothing was changed. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly code: OperatorErrorCode;
  /** Parameters of the error, from which front ends word the remedy. */
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
