import { Command, InvalidArgumentError } from 'commander';
import { print, writeError } from '../../../kernel/terminal.ts';
import type { BuildOptions, RowDifference, Verification } from '../../../operations/projections/builds.ts';
import type { Runtime } from '../../../runtime/open-runtime.ts';
import { projectionNames } from '../../parse/args.ts';
import { createProgress, logProgress, type Progress } from '../../render/progress.ts';
import { plural } from '../../render/table.ts';
import { stopSignal, withRuntime } from '../../with-runtime.ts';

/** A verification for people. */
export const reportOf = (name: string, found: Verification): readonly string[] => {
  const { equal, different, differences, tables, checkpoints } = found;
  const at = [...checkpoints].map(
    ([partition, position]) => (partition === 'all' ? '' : `${partition} `) + position,
  );
  const where = at.length > 1 ? `${at.length} partitions` : `position ${at.join()}`;
  if (different === 0) {
    return [
      `${name} matches the event log at ${where} (${plural(equal, 'row')}, ${plural(tables, 'table')}).`,
    ];
  }
  const more = different - differences.length;
  return [
    `${name} does not match the event log at ${where}: ${plural(different, 'row')} ${different === 1 ? 'differs' : 'differ'}, ${number(equal)} are equal.`,
    ...differences.flatMap(linesOf),
    ...(more > 0 ? [`… and ${number(more)} more`] : []),
    `To repair it: sightline projections rebuild ${name}`,
  ];
};

/** `sightline projections verify`: whether a read model matches the event log. */
export const verifyCommand = (): Command =>
  new Command('verify')
    .description('build a read model again and compare it row by row with the served one')
    .argument('<name>', projectionNames)
    .option('--show <n>', 'differing rows to print', count, SHOWN)
    .addHelpText(
      'after',
      `
Both builds are compared at the position of the served one, while event processing continues. The second build is
dropped afterwards. Exits with 0 if all rows are equal, otherwise with 1.

Examples:
  sightline projections verify directory
  sightline projections verify directory --show 500`,
    )
    .action((name: string, { show }: { show: number }) =>
      withRuntime(async (runtime) => {
        const { projectionNamed, verifyProjection } = await import(
          '../../../operations/projections/builds.ts'
        );
        projectionNamed(name);
        const aborted = () => `Stopped. ${name} is unchanged.`;
        await runBuild(runtime, name, 'verify', aborted, async (build) => {
          let comparing: ReturnType<typeof build.next> | undefined;
          const found = await verifyProjection(runtime, name, {
            ...build.options,
            max: show,
            onRow: (rows, total) => {
              comparing ??= build.next('compare', 'rows');
              comparing.update(rows, total);
            },
          });
          comparing?.end();
          for (const line of reportOf(name, found)) print(line);
          print(`It took ${build.seconds()} s.`);
          if (found.different > 0) process.exitCode = 1;
        });
      }),
    );

/**
 * Runs an operation that folds the log, with its progress on standard error. After Ctrl-C it drops the unfinished build and
 * exits with 130. If an event can't be applied, it prints the event and the command that skips it.
 * @param what the operation, such as `rebuild`.
 * @param aborted printed after Ctrl-C.
 */
export const runBuild = async (
  runtime: Runtime,
  name: string,
  what: string,
  aborted: () => string,
  work: (build: RunningBuild) => Promise<void>,
): Promise<void> => {
  const signal = stopSignal();
  const startedAt = Date.now();
  let progress = await logProgress(`${what} ${name}`, runtime);
  const build: RunningBuild = {
    options: { signal, onProgress: (done, total) => progress.update(done, total) },
    next: (next, unit) => {
      progress.end();
      progress = createProgress(`${next} ${name}`, unit);
      return progress;
    },
    seconds: () => ((Date.now() - startedAt) / 1_000).toFixed(1),
  };
  try {
    await work(build);
  } catch (error) {
    progress.end();
    if (signal.aborted) {
      print(aborted());
      process.exitCode = 130;
      return;
    }
    const { failedEventOf } = await import('../../../operations/projections/builds.ts');
    const event = failedEventOf(error);
    if (event === null) throw error;
    writeError(
      `sightline: ${(error as Error).message}\n` +
        `To skip this event: sightline projections skip ${event.position} --projection ${name} --reason "…"\n`,
    );
    process.exitCode = 1;
  } finally {
    progress.end();
  }
};

const SHOWN = 20;
const WIDTH = 60;
/** Columns that are not printed. */
const SECRET = new Set(['key_hash']);

const number = (n: number | bigint): string => n.toLocaleString('en-US');

const short = (text: string): string => (text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text);
const shown = (column: string, value: string | null): string =>
  value === null ? 'null' : SECRET.has(column) ? '[redacted]' : short(JSON.stringify(value));

const WHERE = {
  'only active': 'only in the active build',
  'only rebuilt': 'only in the rebuilt one',
  differs: '',
};

const linesOf = ({ table, key, kind, values }: RowDifference): readonly string[] => {
  const where = key.map(([column, value]) => `${column}=${shown(column, value)}`).join(' ');
  return [
    `${table} ${where}${kind === 'differs' ? '' : `: ${WHERE[kind]}`}`,
    ...values.map(
      ({ column, active, rebuilt }) =>
        `    ${column}: active ${shown(column, active)}, rebuilt ${shown(column, rebuilt)}`,
    ),
  ];
};

const count = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('How many is a whole number.');
  return Number(text);
};

/** A build in progress: what the operation needs, and how long it has taken. */
interface RunningBuild {
  readonly options: BuildOptions;
  /** Progress of a second step, after the log was folded. */
  next(what: string, unit: string): Progress;
  seconds(): string;
}
