import { Command, InvalidArgumentError, Option } from 'commander';
import { unlessAborted } from '../../kernel/abort.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { print } from '../../kernel/terminal.ts';
import { shownIn, truncated } from '../../kernel/text.ts';
import type { ArchiveFile } from '../../operations/events/archive.ts';
import { intoFile, intoStdout, type Target } from '../../operations/events/output-sink.ts';
import type { RecordedEvent } from '../../operations/events/read-events.ts';
import { checkType, jsonOf, type SelectionOptions, selectionOf } from '../../operations/events/selection.ts';
import { positionArg, timeArg } from '../parse/args.ts';
import { isJson, listing, type Output, printList, widthOf } from '../render/listing.ts';
import { createProgress, eventCount, unlessInterrupted, workProgress } from '../render/progress.ts';
import { renderTable } from '../render/table.ts';
import { recorded, stopSignal, withRuntime } from '../with-runtime.ts';

/** `sightline events`: the log. */
export const eventsCommand = (): Command => {
  const events = new Command('events').description('read, follow and export the event log').addHelpText(
    'after',
    `
Examples:
  sightline events read --stream account-x:nasa
  sightline events read --type AccountSighted --since 2h --limit 10 --json
  sightline events tail --stream engine-
  sightline events export --format parquet --out events.parquet`,
  );
  withOptions(events.command('read'))
    .description('print events in log order, then exit')
    .action((options: Options) => read(options));
  withOptions(events.command('tail'))
    .description('print events as they are recorded, until Ctrl-C')
    .action((options: Options) => tail(options));
  events.addCommand(exportCommand());
  events.addCommand(exportsCommand());
  events.addCommand(destroyedCommand());
  events.addCommand(archiveCommand());
  return events;
};

const archiveCommand = (): Command =>
  listing(recorded(new Command('archive')))
    .description('move what old events say from Postgres into compressed files; everything reads as before')
    .option('--until <month>', 'move all months before this one, such as 2026-08')
    .addHelpText(
      'after',
      `
Without --until it lists the files. LOG_ARCHIVE names their folder or bucket, and every process needs it. Each file is
read back and compared before Postgres forgets anything. Sightline may keep running; Ctrl-C stops after a file, and the
same command goes on.

Examples:
  LOG_ARCHIVE=/srv/archive sightline events archive --until 2026-08
  LOG_ARCHIVE=s3://bucket/sightline AWS_REGION=eu-central-1 sightline events archive --until 2026-08
  sightline events archive`,
    )
    .action(({ until, ...output }: Output & { until?: string }) =>
      withRuntime(async (runtime) => {
        const { archiveFiles, archiveMonths } = await import('../../operations/events/archive.ts');
        if (until !== undefined) {
          const signal = stopSignal();
          const progress = createProgress('archive', 'events');
          try {
            await archiveMonths(runtime, until, { signal, onProgress: progress.update });
          } catch (error) {
            if (!signal.aborted) throw error;
            process.exitCode = 130;
          } finally {
            progress.end();
          }
        }
        const files = await archiveFiles(runtime);
        printList(output, files.map(rowOfFile), {
          table: (width) =>
            renderTable(
              [{ head: 'file', keep: true }, 'first', 'last', 'bytes'],
              files.map(({ name, first, last, bytes }) => [name, first, last, bytes]),
              { width },
            ),
          empty: 'No event is archived.',
        });
      }),
    );

const rowOfFile = ({ first, last, ...file }: ArchiveFile) => ({
  ...file,
  first: String(first),
  last: String(last),
});

/** Modules of the commands, loaded when one runs. */
const load = () => import('../../operations/events/read-events.ts');

/** An event on a line; at a terminal its data is shortened. */
const lineOf = (event: RecordedEvent, width: number): string => {
  const data = JSON.stringify(event.data);
  const short = width < Number.POSITIVE_INFINITY && data.length > 160 ? `${truncated(data, 159)}…` : data;
  return `${event.position}  ${event.recorded_at}  ${event.stream}@${event.revision}  ${event.type}  ${short}`;
};

const count = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A limit is a whole number.');
  return Number(text);
};

interface Options extends SelectionOptions, Output {
  readonly limit?: number;
}

/** Creates a printer of events, in bounded memory. It returns whether the limit is reached. */
const printer = async (
  { limit = Number.POSITIVE_INFINITY, ...options }: Options,
  signal: AbortSignal,
  target = intoStdout(signal),
) => {
  const width = widthOf(options);
  const line = (event: RecordedEvent) => (isJson(options) ? jsonOf(event) : lineOf(event, width));
  const { csvWriter } = await import('../../operations/events/export.ts');
  const writer = options.output === 'csv' && !isJson(options) ? csvWriter(target) : null;
  let left = limit;
  return async (events: readonly RecordedEvent[]): Promise<boolean> => {
    const shown = events.slice(0, left).map(shownIn);
    if (writer !== null) await writer.write(shown);
    else for (const event of shown) await target.write(`${line(event)}\n`);
    left -= events.length;
    return left <= 0;
  };
};

const withOptions = (command: Command): Command =>
  listing(command)
    .option('--stream <prefix>', 'only streams with this prefix, such as account-x: or account-x:nasa')
    .option('--type <type>', 'only events of this type')
    .option('--from <position>', 'first position to read', positionArg)
    .option('--to <position>', 'last position to read', positionArg)
    .option(
      '--since <time>',
      'only events recorded since then: an ISO 8601 time, or 15m, 2h, 7d ago',
      timeArg,
    )
    .option('--limit <n>', 'stop after this many events', count);

const read = async (options: Options): Promise<void> => {
  await checkType(options.type);
  await withRuntime(async (runtime) => {
    if (options.limit === 0) return;
    const { signal } = new AbortController();
    const print = await printer(options, signal);
    for await (const events of (await load()).readEvents(runtime, options, signal)) {
      if (await print(events)) return;
    }
  });
};

const tail = async (options: Options): Promise<void> => {
  await checkType(options.type);
  await withRuntime(async (runtime) => {
    if (options.limit === 0) return;
    const signal = stopSignal();
    const print = await printer(options, signal);
    await unlessAborted(signal, async () => {
      for await (const events of (await load()).tailEvents(runtime, options, signal)) {
        if (await print(events)) return;
      }
    });
  });
};

const FORMATS = ['ndjson', 'csv', 'parquet'] as const;

interface ExportOptions extends SelectionOptions {
  readonly format: (typeof FORMATS)[number];
  readonly out?: string;
}

const exportTo = async (options: ExportOptions): Promise<void> => {
  const { format, out } = options;
  if (format === 'parquet' && out === undefined) {
    throw new OperatorError(
      'argument_invalid',
      'Parquet can only be written to a file: name it with --out FILE',
    );
  }
  await checkType(options.type);
  const { csvWriter, exportEvents, ndjsonWriter, parquetWriter } = await import(
    '../../operations/events/export.ts'
  );
  const { noted } = await import('../../operations/events/exports.ts');
  const { typedColumns } = await import('../../operations/events/typed-columns.ts');
  const typed = options.type === undefined ? [] : typedColumns(options.type);
  const writerInto = {
    ndjson: ndjsonWriter,
    csv: csvWriter,
    parquet: (target: Target) => parquetWriter(target, typed),
  }[format];
  const signal = stopSignal();
  const work = (target: Target) =>
    withRuntime(async (runtime) => {
      const { log } = runtime;
      const selection = await selectionOf(log, options);
      const progress = await workProgress('export', out, runtime);
      let count = 0;
      await noted(log, target, async (into) => {
        count = await exportEvents(log, selection, writerInto(into), {
          signal,
          onProgress: progress.update,
        }).finally(progress.end);
        return { kind: 'events', type: options.type ?? null, count };
      });
      progress.say(`Exported ${eventCount(count)} to ${out ?? 'standard output'}`);
    });
  await unlessInterrupted(signal, out, () =>
    out === undefined ? work(intoStdout(signal)) : intoFile(out, work),
  );
};

/** `sightline events exports`: what was exported and may hold people who are erased later. */
const exportsCommand = (): Command =>
  listing(new Command('exports'))
    .description(
      'list the exports of events and of accounts, the newest first, by the SHA-256 of their files',
    )
    .action((output: Output) =>
      withRuntime(async (runtime) => {
        const { listExports } = await import('../../operations/events/exports.ts');
        const found = await listExports(runtime);
        printList(output, found, {
          table: (width) =>
            renderTable(
              [{ head: 'export', keep: true }, 'made', 'by', 'kind', 'type', 'count', 'sha256', 'destroyed'],
              found.map(({ export: id, made_at, actor, kind, type, count, sha256, destroyed_at }) => [
                id,
                made_at,
                actor ?? '',
                kind,
                type ?? '',
                count,
                sha256,
                destroyed_at ?? '',
              ]),
              { width },
            ),
          empty: 'Nothing was exported.',
        });
      }),
    );

/** `sightline events destroyed`: receipts of erasures name an export until then. */
const destroyedCommand = (): Command =>
  recorded(new Command('destroyed'))
    .description('say that no copy of an export is left: receipts of erasures name it no more')
    .argument('<export>', 'its ID, as sightline events exports lists it')
    .action((id: string) =>
      withRuntime(async (runtime) => {
        const { destroyExport } = await import('../../operations/events/exports.ts');
        await destroyExport(runtime, id);
        print(`${id}  destroyed`);
      }),
    );

/** `sightline events export`: events as a file for other programs. */
const exportCommand = (): Command =>
  recorded(new Command('export'))
    .description('export events up to the current end of the log')
    .addHelpText(
      'after',
      `
All filters must match. Times compare with recorded_at; --since is inclusive, --until exclusive.
Until the file is complete, its name is FILE.<number>.partial. Parquet of one --type has the fields of its data as typed
columns too: times as timestamps, numbers as numbers.

Examples:
  sightline events export --format ndjson --type AccountSighted | jq .data.profile.followers
  sightline events export --format csv --stream engine- --since 24h --out engines.csv
  sightline events export --format parquet --since 2026-11-01 --until 2026-12-01 --out november.parquet`,
    )
    .addOption(
      new Option('--format <format>', 'format of the export; parquet requires --out')
        .choices(FORMATS)
        .makeOptionMandatory(),
    )
    .option('--stream <prefix>', 'only streams with this prefix, such as account-x: or account-x:nasa')
    .option('--type <type>', 'only events of this type')
    .option(
      '--since <time>',
      'only events recorded since then: an ISO 8601 time, or 15m, 2h, 7d ago',
      timeArg,
    )
    .option('--until <time>', 'only events recorded before then', timeArg)
    .option('--from <position>', 'first position', positionArg)
    .option('--to <position>', 'last position', positionArg)
    .option('--out <file>', 'write to this file instead of standard output')
    .action(exportTo);
