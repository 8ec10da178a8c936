import { Command, InvalidArgumentError, Option } from 'commander';
import { print, printJson, writeError } from '../../kernel/terminal.ts';
import type { Imported, ImportFormat, RejectedRecord } from '../../operations/marketplace/import-listings.ts';
import { timeArg } from '../parse/args.ts';
import { createProgress } from '../render/progress.ts';
import { plural } from '../render/table.ts';
import { recorded, stopSignal, withRuntime } from '../with-runtime.ts';

/** `sightline marketplace`: accounts and posts that are for sale. */
export const marketplaceCommand = (): Command =>
  new Command('marketplace')
    .description('import accounts and paid posts that are for sale')
    .addCommand(importCommand());

interface Options {
  readonly source?: string;
  readonly format?: ImportFormat;
  readonly complete?: true;
  readonly maxWithdrawn?: number;
  readonly observedAt?: number;
  readonly dryRun?: true;
  readonly rejects?: string;
  readonly json?: true;
}

/** Rejected records that are printed; all of them are counted, and in the file of `--rejects`. */
const MAX_PRINTED = 10;

const percentArg = (text: string): number => {
  const percent = /^\d{1,3}(?:\.\d{1,3})?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (!(percent <= 100)) throw new InvalidArgumentError('A share is a percentage from 0 to 100.');
  return percent / 100;
};

const EVENTS: Readonly<Record<string, string>> = {
  ListingPublished: 'published',
  ListingRevised: 'revised',
  ListingRepriced: 'repriced',
  ListingSold: 'sold',
  ListingWithdrawn: 'withdrawn',
  PlacementListed: 'placements',
};

const printImport = (imported: Imported, isDryRun: boolean): void => {
  const { source, listings, placements, repeated, rejected, events, withdrawal } = imported;
  const read = `${plural(listings, 'listing')} and ${plural(placements, 'placement')} of ${source}`;
  print(isDryRun ? `${read} can be imported; nothing was appended.` : `${read} read.`);
  if (!isDryRun) {
    const appended = Object.entries(EVENTS).flatMap(([type, word]) =>
      (events[type] ?? 0) > 0 ? [`${word} ${(events[type] ?? 0).toLocaleString('en-US')}`] : [],
    );
    print(appended.length === 0 ? 'Nothing new.' : `New: ${appended.join(', ')}.`);
  }
  if (repeated > 0) print(`${plural(repeated, 'record')} ignored: an earlier line has the same offer.`);
  if (rejected > 0) print(`${plural(rejected, 'record')} rejected.`);
  if (withdrawal?.status === 'done')
    print(`${plural(withdrawal.listings, 'listing')} withdrawn that the file does not have.`);
  if (withdrawal?.status === 'refused')
    print(
      `Nothing was withdrawn: ${withdrawal.reason}.${withdrawal.missing === null ? '' : ' If they are gone, allow it with --max-withdrawn.'}`,
    );
};

/** Rejected records: the first are printed, all are written to a file if there is one. */
const openRejects = async (file: string | undefined) => {
  const { createWriteStream } = await import('node:fs');
  const { once } = await import('node:events');
  const { OperatorError } = await import('../../kernel/errors.ts');
  const out = file === undefined ? null : createWriteStream(file, { mode: 0o600 });
  if (out !== null)
    await once(out, 'open').catch((error: Error) => {
      throw new OperatorError('file_unusable', `${file} can't be written: ${error.message}`, {
        cause: error,
      });
    });
  let failure: Error | undefined;
  out?.on('error', (error) => {
    failure = error;
  });
  let printed = 0;
  return {
    add: (rejected: RejectedRecord) => {
      if (printed < MAX_PRINTED) writeError(`line ${rejected.line}: ${rejected.reason}\n`);
      if (printed === MAX_PRINTED)
        writeError(`more are rejected${out === null ? '; all of them: --rejects FILE' : ''}\n`);
      printed += 1;
      out?.write(`${JSON.stringify(rejected)}\n`);
    },
    close: async () => {
      if (out === null) return;
      await new Promise<void>((resolve) => {
        out.end(() => resolve());
        if (failure !== undefined) resolve();
      });
      if (failure !== undefined)
        throw new OperatorError('file_unusable', `${file} can't be written: ${failure.message}`, {
          cause: failure,
        });
    },
  };
};

const run = async (input: string, { json, rejects: file, dryRun, ...options }: Options): Promise<void> => {
  const signal = stopSignal();
  await withRuntime(async (runtime) => {
    const { importListings } = await import('../../operations/marketplace/import-listings.ts');
    const rejects = await openRejects(file);
    const progress = createProgress('import', 'bytes');
    try {
      const imported = await importListings(runtime, input, {
        ...options,
        dryRun: dryRun === true,
        complete: options.complete === true,
        signal,
        onRejected: rejects.add,
        onProgress: progress.update,
      });
      progress.end();
      if (json === true) printJson(imported);
      else printImport(imported, dryRun === true);
      if (imported.rejected > 0 || imported.withdrawal?.status === 'refused') process.exitCode = 1;
    } catch (error) {
      progress.end();
      if (!signal.aborted) throw error;
      writeError('Stopped. What was read so far is imported; the same command completes it.\n');
      process.exitCode = 130;
    } finally {
      await rejects.close();
    }
  });
};

/** `sightline marketplace import`: listings and placements from a file or a URL. */
const importCommand = (): Command =>
  recorded(new Command('import'))
    .argument('<file|url>', 'NDJSON or CSV file, optionally gzipped, or a URL of a host in MARKETPLACE_HOSTS')
    .description('import listings and placements; importing the same file again changes nothing')
    .addHelpText(
      'after',
      `
A line is a listing, unless its kind is placement; docs/crawling.md lists all columns. Prices are in US dollars.
An invalid line is rejected with its number and a reason; all other lines are imported. Exits with 1 if a line was
rejected.

Examples:
  sightline marketplace import listings.ndjson.gz --source market.example
  sightline marketplace import listings.csv --source market.example --complete
  sightline marketplace import https://market.example/dumps/listings.ndjson --rejects rejects.ndjson
  sightline marketplace import placements.csv --source market.example --dry-run`,
    )
    .option('--source <name>', 'name of the marketplace; default: the host of the URL')
    .addOption(
      new Option('--format <format>', 'default: csv if the file name ends in .csv, otherwise ndjson').choices(
        ['ndjson', 'csv'],
      ),
    )
    .option('--complete', 'the file has every listing of the marketplace: withdraw those that it lacks')
    .option(
      '--max-withdrawn <percent>',
      'withdraw nothing if more than this percentage of the active listings is missing (default: 20)',
      percentArg,
    )
    .option('--observed-at <time>', 'observation time of lines that have none; default: now', timeArg)
    .option('--dry-run', 'check every line without appending anything')
    .option('--rejects <file>', 'file to write all rejected lines to, as NDJSON')
    .option('--json', 'print the result as JSON')
    .action(run);
