import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { OperatorError } from '../kernel/errors.ts';
import { tuneHeap, useCompileCache } from '../kernel/process-settings.ts';
import { writeError } from '../kernel/terminal.ts';
import { commandGroups } from './groups.ts';
import { describeRefusal } from './render/remedies.ts';

// Before anything else is loaded.
useCompileCache();
tuneHeap();

const program = new Command('sightline')
  .description('A social account intelligence service that you run yourself.')
  .version(manifest.version)
  .showHelpAfterError('(see --help)')
  .addHelpText(
    'after',
    `
Examples:
  sightline demo                          everything at once, on simulated platforms
  sightline start                         run the service
  sightline holders add "Acme Research"   an API customer
  sightline keys issue acme-research      issue an API key, shown once
  sightline plan set acme-research scale  choose a plan
  sightline crawl bluesky bsky.app        read one account now
  sightline config                        every setting`,
  );

for (const group of await commandGroups(process.argv.slice(2))) program.addCommand(group);

/** The exit code of a failed command: 2 if the command or the log refused it, 1 for any other error. */
const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof OperatorError) {
    writeError(`sightline: ${describeRefusal(error)}\n`);
    return 2;
  }
  // The event log refused the request, for example a position that it does not have; or a read model is not built yet.
  if (['LogRequestRejectedError', 'ServiceError'].includes((error as Error).name)) {
    writeError(`sightline: ${(error as Error).message}\n`);
    return 2;
  }
  // A poison event in the selected range: the fault is in the log, not in the program.
  if ((error as Error).name === 'EventDeserializationError') {
    writeError(`sightline: ${(error as Error).message}\n`);
    return 1;
  }
  writeError(`sightline: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
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
  // Handles left open by the failure must not keep the process alive.
  setTimeout(() => process.exit(), EXIT_MS).unref();
}
