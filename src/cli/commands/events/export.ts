import { Command, Option } from 'commander';
import { OperatorError } from '../../../kernel/errors.ts';
import type { EventWriter } from '../../../operations/events/export.ts';
import { intoFile, intoStream, type Target } from '../../../operations/events/output-sink.ts';
import { checkType, type SelectionOptions, selectionOf } from '../../../operations/events/selection.ts';
import { positionArg } from '../../parse/position-arg.ts';
import { timeArg } from '../../parse/time-arg.ts';
import { eventCount, unlessInterrupted, workProgress } from '../../render/progress-report.ts';
import { stopSignal, withRuntime } from '../../with-runtime.ts';

const WRITERS = {
  ndjson: async () => (await import('../../../operations/events/export.ts')).ndjsonWriter,
  csv: async () => (await import('../../../operations/events/export.ts')).csvWriter,
  parquet: async () => (await import('../../../operations/events/parquet.ts')).parquetWriter,
} as const satisfies Record<string, () => Promise<(target: Target) => EventWriter>>;

interface Options extends SelectionOptions {
  readonly format: keyof typeof WRITERS;
  readonly out?: string;
}

const run = async (options: Options): Promise<void> => {
  const { format, out } = options;
  if (format === 'parquet' && out === undefined) {
    throw new OperatorError(
      'argument_invalid',
      'Parquet is written to a file only: say which with --out FILE',
    );
  }
  await checkType(options.type);
  const { exportEvents } = await import('../../../operations/events/export.ts');
  const writerInto = await WRITERS[format]();
  const signal = stopSignal();
  const work = (target: Target) =>
    withRuntime(async (runtime) => {
      const { log } = runtime;
      const selection = await selectionOf(log, options);
      const progress = await workProgress('export', out, runtime);
      const count = await exportEvents(log, selection, writerInto(target), {
        signal,
        onProgress: progress.update,
      }).finally(progress.end);
      progress.say(`Exported ${eventCount(count)} to ${out ?? 'standard output'}`);
    });
  await unlessInterrupted(signal, out, () =>
    out === undefined ? work(intoStream(process.stdout, signal)) : intoFile(out, work),
  );
};

/** `sightline events export`: events as a file for other programs. */
export const exportCommand = (): Command =>
  new Command('export')
    .description('write events for other programs, any amount of them, until the end of the log as it is now')
    .addHelpText(
      'after',
      `
Whatever is given narrows. Times are of recorded_at: from --since on, and before --until.
FILE has its name only when it is complete; until then it is beside it, as FILE.<number>.partial.

Examples:
  sightline events export --format ndjson --type AccountSighted | jq .data.profile.followers
  sightline events export --format csv --stream engine- --since 24h --out engines.csv
  sightline events export --format parquet --since 2026-11-01 --until 2026-12-01 --out november.parquet`,
    )
    .addOption(
      new Option('--format <format>', 'parquet is written to a file only, so it needs --out')
        .choices(Object.keys(WRITERS))
        .makeOptionMandatory(),
    )
    .option('--stream <prefix>', 'only streams that begin so, as account-x: or account-x:nasa')
    .option('--type <type>', 'only events of this type')
    .option('--since <time>', 'only what the log took since then: an ISO 8601 time, or 15m, 2h, 7d', timeArg)
    .option('--until <time>', 'only what the log took before then', timeArg)
    .option('--from <position>', 'first position', positionArg)
    .option('--to <position>', 'last position', positionArg)
    .option('--out <file>', 'write to this file and not to standard output')
    .action(run);
