import type { OperatorError, OperatorErrorCode } from '../../kernel/errors.ts';

type Params = OperatorError['params'];

const setPlan = ({ holder, plan = '<plan>' }: Params): string => `sightline plan set ${holder} ${plan}`;

/** The next step after a refusal, by its code. Refusals without an entry state their remedy in the message. */
const REMEDIES: Partial<Record<OperatorErrorCode, (params: Params) => string | null>> = {
  repository_needed: () => 'Run it from a clone of the repository with: npm run sightline calibrate',
  service_unreachable: () =>
    'Start it with: sightline start; or name another with --url, and its key in SIGHTLINE_API_KEY.',
  labels_invalid: () => 'To create a valid file: sightline calibrate --audit-labels labels.ndjson',
  operator_unknown: ({ operator = 'NAME' }) =>
    `Add one with: sightline operators add ${operator} --role operator`,
  console_origin_missing: () =>
    'Set CONSOLE_ORIGIN to the address that browsers use, such as https://console.example.org, or CONSOLE_HOST to 127.0.0.1.',
  console_not_running: () =>
    'Start the service with: sightline start; or give a process the role: sightline start --role console',
  alarm_not_raised: () => 'See what is raised with: sightline alarms list',
  disk_full: () => 'Make space on the disk of SIGHTLINE_HOME, and start again: nothing is lost.',
  setting_invalid: () => 'List all settings with: sightline config',
  holder_unknown: () =>
    'List holders with: sightline holders list; add one with: sightline holders add <name>',
  holder_exists: () => 'Choose another id with --id.',
  plan_inactive: (params) => `Choose one with: ${setPlan({ ...params, plan: '<plan>' })}`,
  plan_key_limit: ({ surplus }) =>
    `Revoke some of the keys, or revoke the newest with --revoke-surplus: ${surplus}`,
  plan_without_overage: (params) =>
    `Compare plans with: sightline plans show; choose one with: ${setPlan({ ...params, plan: '<plan>' })}`,
  cap_invalid: ({ holder }) => `To refuse all requests beyond the quota: sightline overage off ${holder}`,
  research_unknown: () => 'List them with: sightline research runs; sightline research findings',
  key_unknown: () => 'List keys with: sightline keys list',
  key_revoked: () => 'Issue another with: sightline keys issue <holder>',
  key_rotated: ({ successor }) => `Use the successor's id: ${successor}`,
  key_limit: (params) =>
    `Revoke or replace a key with: sightline keys revoke <key>; sightline keys rotate <key>; or choose another plan with: ${setPlan({ ...params, plan: '<plan>' })}`,
  scope_not_on_plan: (params) =>
    params.plan === undefined ? null : `Choose this plan with: ${setPlan(params)}`,
  scopes_left_empty: ({ keyId }) => `To end the key: sightline keys revoke ${keyId}`,
  addresses_missing: ({ keyId }) =>
    `To accept the key from every address again: sightline keys unpin ${keyId}`,
  allowlist_not_on_plan: (params) =>
    params.plan === undefined ? null : `Choose this plan with: ${setPlan(params)}`,
  engine_unknown: () => 'List engines with: sightline engines list',
  engine_without_probe: () => 'See its state with: sightline engines show marketplace',
  sessions_key_missing: () =>
    'Generate one with: openssl rand -base64 32; then set it as SESSIONS_KEY for every process.',
  erasure_key_missing: () =>
    'Set ERASURE_KEY for every process: the one of this installation, or before the first erasure a new one, made with: openssl rand -base64 32',
  erasure_key_wrong: () => 'Set ERASURE_KEY to the key that it was when the last account was erased.',
  erasures_behind: ({ path }) =>
    `Restore into an empty database with: sightline restore <folder> --erasures ${path}`,
  request_unknown: () => 'List requests with: sightline subjects requests',
  receipt_invalid: () =>
    'Take the keys anew from /.well-known/sightline-keys.json of the installation that made the receipt.',
  backup_sealed: () =>
    'Name a file of identities that the backup was encrypted for: sightline restore <folder> --identity FILE',
  export_unknown: () => 'List exports with: sightline events exports',
  subject_unknown: () => 'List erasures with: sightline subjects list',
  session_unknown: () => 'List sessions with: sightline sessions list',
  session_exists: () => 'Choose another label with --label.',
  pool_unknown: () => 'List pools with: sightline pools list',
  pool_exists: ({ pool }) => `Choose another name, or change it with: sightline pools tune ${pool}`,
  pool_retired: ({ pool }) => `Open it again with: sightline pools reopen ${pool}`,
  pool_last: ({ platform }) =>
    `Create another pool first, or stop reading the platform with: sightline engines pause ${platform} --reason <text>`,
  read_model_behind: () => 'See the lag with: sightline projections lag',
  build_unknown: () => 'List builds with: sightline projections list',
  copy_exists: ({ schema, copy }) =>
    copy === 'true'
      ? `Drop the copy with: sightline projections drop ${schema}; or choose another name with --into.`
      : 'Choose another name with --into.',
  source_refused: ({ host }) =>
    host === undefined
      ? 'Name a file by its path. A URL must start with https://, have no credentials and no port, and its host must be public and listed in MARKETPLACE_HOSTS.'
      : `To allow it, set MARKETPLACE_HOSTS=${host}`,
  follow_requests_spent: () =>
    'Repeat the command then to resume the list, or raise FOLLOWS_REQUESTS_PER_DAY.',
  follow_requests_forbidden: () =>
    'To allow them, raise the setting, for example to its default: FOLLOWS_REQUESTS_PER_DAY=1000.',
  stream_not_parked: () => 'List parked streams with: sightline projections parked list',
};

/** A refusal for people on a terminal: what is wrong, then what to do. */
export const describeRefusal = (error: OperatorError): string => {
  const remedy = REMEDIES[error.code]?.(error.params) ?? null;
  if (remedy === null) return error.message;
  const isSentence = /^.*[.!?]$/.test(error.message);
  return `${error.message}${isSentence ? ' ' : '\n'}${remedy}`;
};
