import { Command, CommanderError } from 'commander';
import { UsageError } from '../kernel/errors.ts';
import { LogRefusal } from '../write/log/port.ts';
import { backupCommand } from './backup.ts';
import { configCommand } from './config.ts';
import { crawlCommand } from './crawl.ts';
import { demoCommand } from './demo.ts';
import { eventsCommand } from './events.ts';
import { holdersCommand } from './holders.ts';
import { keysCommand } from './keys.ts';
import { overageCommand } from './overage.ts';
import { plansCommand } from './plans.ts';
import { platformsCommand } from './platforms.ts';
import { projectionsCommand } from './projections.ts';
import { replayCommand } from './replay.ts';
import { restoreCommand } from './restore.ts';
import { secretsCommand } from './secrets.ts';
import { seedsCommand } from './seeds.ts';
import { startCommand } from './start.ts';
import { usageCommand } from './usage.ts';
import { walletCommand } from './wallet.ts';

const GROUPS = [
  demoCommand,
  startCommand,
  crawlCommand,
  seedsCommand,
  platformsCommand,
  eventsCommand,
  replayCommand,
  projectionsCommand,
  plansCommand,
  holdersCommand,
  keysCommand,
  overageCommand,
  walletCommand,
  usageCommand,
  secretsCommand,
  backupCommand,
  restoreCommand,
  configCommand,
];

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

for (const group of GROUPS) program.addCommand(group());

/** A command's own refusal, or the log's of what it was asked, exits with 2, everything unforeseen with 1. */
const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError || error instanceof LogRefusal) {
    process.stderr.write(`sightline: ${error.message}\n`);
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
