import { Command, CommanderError } from 'commander';
import { OperatorError } from '../kernel/errors/operator-error.ts';
import { describeRefusal } from './render/remedies.ts';

/** Groups of commands, in the order of the help. */
const GROUPS: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import('./commands/demo.ts')).demoCommand(),
  start: async () => (await import('./commands/start.ts')).startCommand(),
  crawl: async () => (await import('./commands/crawl.ts')).crawlCommand(),
  seeds: async () => (await import('./commands/seeds.ts')).seedsCommand(),
  platforms: async () => (await import('./commands/platforms/index.ts')).platformsCommand(),
  events: async () => (await import('./commands/events/index.ts')).eventsCommand(),
  replay: async () => (await import('./commands/replay.ts')).replayCommand(),
  projections: async () => (await import('./commands/projections/index.ts')).projectionsCommand(),
  plans: async () => (await import('./commands/plans.ts')).plansCommand(),
  holders: async () => (await import('./commands/holders.ts')).holdersCommand(),
  keys: async () => (await import('./commands/keys.ts')).keysCommand(),
  overage: async () => (await import('./commands/overage.ts')).overageCommand(),
  wallet: async () => (await import('./commands/wallet.ts')).walletCommand(),
  usage: async () => (await import('./commands/usage.ts')).usageCommand(),
  secrets: async () => (await import('./commands/secrets.ts')).secretsCommand(),
  backup: async () => (await import('./commands/backup.ts')).backupCommand(),
  restore: async () => (await import('./commands/restore.ts')).restoreCommand(),
  config: async () => (await import('./commands/config.ts')).configCommand(),
};

/** The groups that these arguments may need: the one that they name, or all of them for help and suggestions. */
const groupsFor = (named: string | undefined): Promise<readonly Command[]> => {
  const one =
    named === 'plan' ? GROUPS.plans : Object.hasOwn(GROUPS, named ?? '') ? GROUPS[named ?? ''] : undefined;
  return Promise.all((one === undefined ? Object.values(GROUPS) : [one]).map((load) => load()));
};

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
  sightline holders add "Acme Research"   somebody who may call the API
  sightline keys issue acme-research      a key for them, shown once
  sightline plan set acme-research scale  what they may call, and how often
  sightline crawl bluesky bsky.app        read one account now
  sightline config                        every setting`,
  );

for (const group of await groupsFor(process.argv[2])) program.addCommand(group);

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
  process.stderr.write(
    `sightline: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 1;
};

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
}
