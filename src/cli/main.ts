import { Command, CommanderError } from 'commander';
import { useCompileCache } from '../kernel/compile-cache.ts';
import { OperatorError, type OperatorErrorCode } from '../kernel/errors/operator-error.ts';
import { tuneHeap } from '../kernel/heap.ts';
import { commandGroups } from './groups.ts';

// Before anything else is loaded.
useCompileCache();
tuneHeap();

const program = new Command('sightline')
  .description('A social account intelligence service that you run yourself.')
  .version('0.1.0')
  .showHelpAfterError('(see --help)')
  .addHelpText(
    'after',
    `
Examples:
  sightline demo                          everything at once, on simulated platforms
  sightline start                         run the service
  sightline holders add "Acme Research"   an API customer
  sightline keys issue acme-research      an API key, shown once
  sightline plan set acme-research scale  choose a plan
  sightline crawl bluesky bsky.app        read one account now
  sightline config                        every setting`,
  );

for (const group of await commandGroups(process.argv.slice(2))) program.addCommand(group);

/** A command's own refusal, or the log's of what it was asked, exits with 2, everything unforeseen with 1. */
const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof OperatorError) {
    process.stderr.write(`sightline: ${describeRefusal(error)}\n`);
    return 2;
  }
  // The event log refused what it was asked for: a position that it does not have, for example.
  if ((error as Error).name === 'LogRequestRejectedError') {
    process.stderr.write(`sightline: ${(error as Error).message}\n`);
    return 2;
  }
  // A poison event in the selected range: what is wrong is in the log, not in the program.
  if ((error as Error).name === 'EventDeserializationError') {
    process.stderr.write(`sightline: ${(error as Error).message}\n`);
    return 1;
  }
  process.stderr.write(
    `sightline: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 1;
};

/** How long the process may outlive its failure. */
const EXIT_MS = 2_000;

const strict = (command: Command): void => {
  command.exitOverride();
  for (const child of command.commands) strict(child);
};

strict(program);
// A reader that ends early (`| head`) ends the command, quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
  // What a failure has left open keeps the process alive no longer.
  setTimeout(() => process.exit(), EXIT_MS).unref();
}

type Params = OperatorError['params'];

const setPlan = ({ holder, plan = '<plan>' }: Params): string => `sightline plan set ${holder} ${plan}`;

/** What to type next, by the code of a refusal. A refusal without a row has its remedy in its message. */
const REMEDIES: Partial<Record<OperatorErrorCode, (params: Params) => string | null>> = {
  labels_invalid: () => 'A file that is valid: sightline calibrate --audit-labels labels.ndjson',
  setting_invalid: () => 'List all settings with: sightline config',
  holder_unknown: () =>
    'List holders with: sightline holders list; add one with: sightline holders add <name>',
  holder_exists: () => 'Choose another id with --id.',
  plan_inactive: (params) => `Choose one with: ${setPlan({ ...params, plan: '<plan>' })}`,
  plan_key_limit: ({ surplus }) => `Revoke some, or revoke the newest with --revoke-surplus: ${surplus}`,
  plan_without_overage: (params) =>
    `Compare plans with: sightline plans show; choose one with: ${setPlan({ ...params, plan: '<plan>' })}`,
  cap_invalid: ({ holder }) => `To serve nothing past the quota: sightline overage off ${holder}`,
  research_unknown: () => 'List them with: sightline research runs; sightline research findings',
  key_unknown: () => 'List keys with: sightline keys list',
  key_revoked: () => 'Issue another with: sightline keys issue <holder>',
  key_rotated: ({ successor }) => `Use the successor's id: ${successor}`,
  key_limit: (params) =>
    `Free one with: sightline keys revoke <key> or sightline keys rotate <key>; choose a plan with: ${setPlan({ ...params, plan: '<plan>' })}`,
  scope_not_on_plan: (params) => (params.plan === undefined ? null : `Choose it with: ${setPlan(params)}`),
  scopes_left_empty: ({ keyId }) => `To end the key: sightline keys revoke ${keyId}`,
  addresses_missing: ({ keyId }) => `To allow every address again: sightline keys unpin ${keyId}`,
  allowlist_not_on_plan: (params) =>
    params.plan === undefined ? null : `Choose it with: ${setPlan(params)}`,
  engine_unknown: () => 'List engines with: sightline engines list',
  engine_without_probe: () => 'See what it does with: sightline engines show marketplace',
  sessions_key_missing: () =>
    'Generate one with: openssl rand -base64 32; then set it as SESSIONS_KEY for every process.',
  session_unknown: () => 'List sessions with: sightline sessions list',
  session_exists: () => 'Choose another label with --label.',
  pool_unknown: () => 'List pools with: sightline pools list',
  pool_exists: ({ pool }) => `Choose another name, or change it with: sightline pools tune ${pool}`,
  pool_retired: () => 'Create another with: sightline pools create',
  read_model_behind: () => 'See: sightline projections lag',
  build_unknown: () => 'List builds with: sightline projections list',
  copy_exists: ({ schema, copy }) =>
    copy === 'true'
      ? `Drop it with: sightline projections drop ${schema}; or choose another name with --into.`
      : 'Choose another name with --into.',
  source_refused: ({ host }) =>
    host === undefined
      ? 'Give a file by its path. A URL must start with https:// without credentials or a port, and have a public host that MARKETPLACE_HOSTS names.'
      : `To allow it, set MARKETPLACE_HOSTS=${host}`,
  follow_requests_spent: () =>
    'Repeat the command then, which resumes the list; or raise FOLLOWS_REQUESTS_PER_DAY.',
  follow_requests_forbidden: () =>
    'To allow them, raise it, for example to the default: FOLLOWS_REQUESTS_PER_DAY=1000.',
  stream_not_parked: () => 'List parked streams with: sightline projections parked list',
};

/** A refusal for people on a terminal: what is wrong, then what to do. */
export const describeRefusal = (error: OperatorError): string => {
  const remedy = REMEDIES[error.code]?.(error.params) ?? null;
  if (remedy === null) return error.message;
  const isSentence = /^.*[.!?]$/.test(error.message);
  return `${error.message}${isSentence ? ' ' : '\n'}${remedy}`;
};
