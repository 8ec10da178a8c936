import { Command } from 'commander';
import { OperatorError } from '../../kernel/errors.ts';
import { PLATFORMS } from '../../kernel/platform-names.ts';
import { printJson, writeError } from '../../kernel/terminal.ts';
import type { ParseOptions, PlatformDescription } from '../../operations/crawl/platforms.ts';
import { listing, type Output, printList } from '../render/listing.ts';
import { renderTable } from '../render/table.ts';

/** `sightline platforms`: what Sightline knows of the platforms, and how it reads a page. */
export const platformsCommand = (): Command => {
  const command = new Command('platforms').description('list the platforms, and parse their recorded pages');
  listing(command.command('list'))
    .description('list the platforms with their surfaces and handle grammars')
    .action(async (options: Output) => {
      const { describePlatforms } = await import('../../operations/crawl/platforms.ts');
      const platforms = describePlatforms();
      printList(options, platforms, { table: (width) => platformTable(platforms, width) });
    });
  command
    .command('parse')
    .description('parse one response of a platform as the crawler would')
    .argument('<platform>', PLATFORMS.join(', '))
    .requiredOption(
      '--handle <handle>',
      'account of the page: a handle, or a native ID if it cannot be mistaken for a handle',
    )
    .option('--surface <name>', 'the surface that returned the response; see: sightline platforms list')
    .option('--status <number>', 'the HTTP status of the response', '200')
    .option('--url <address>', 'the URL of the response, after redirects')
    .requiredOption('--body <file>', 'file with the body; - for standard input')
    .addHelpText('after', EXAMPLES)
    .action(async (platform: string, options: ParseOptions) => {
      const { parseRecorded, printable } = await import('../../operations/crawl/platforms.ts');
      try {
        print(printable(await parseRecorded(platform, options)));
      } catch (error) {
        reportUsage(error);
      }
    });
  return command;
};

const EXAMPLES = `
Examples:
  $ sightline platforms parse x --handle nasa --surface graphql --body user.json
  $ sightline platforms parse telegram --handle durov --url https://t.me/s/durov --body page.html
  $ curl -s https://t.me/durov | sightline platforms parse telegram --handle durov --body -

Prints one JSON object. Its status is present, private, suspended, deactivated, absent or unknown; if unknown, reason
says why. Without --surface, the surface is derived from --url, or else from the format of the body.`;

const print = (value: unknown): void => {
  printJson(value, 2);
};

/** A mistake of the caller: one line, and the exit code that shells know for it. */
const reportUsage = (error: unknown): void => {
  if (!(error instanceof OperatorError)) throw error;
  writeError(`${error.message}\n`);
  process.exitCode = 2;
};

const platformTable = (platforms: readonly PlatformDescription[], width: number): string =>
  renderTable(
    [{ head: 'platform', keep: true }, 'directory', 'surfaces, in order', 'profile', 'handle'],
    platforms.map((platform) => [
      platform.platform,
      platform.in_directory ? 'yes' : 'no',
      platform.surfaces.map(({ name }) => name).join(', '),
      platform.profile_url.replace(/^https:\/\/(?:www\.)?/, ''),
      platform.handle_pattern,
    ]),
    { width },
  );
