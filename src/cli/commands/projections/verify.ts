import { Command, InvalidArgumentError } from 'commander';
import type { RowDifference } from '../../../projections/verify/compare-builds.ts';
import type { Verification } from '../../../projections/verify/verify.ts';
import { projectionNames, projectionOf } from '../../parse/projection-arg.ts';
import { withRuntime } from '../../with-runtime.ts';
import { withMaking } from './run-build.ts';

const SHOWN = 20;
const WIDTH = 60;
/** Of no use to anybody who may read it. */
const SECRET = new Set(['key_hash']);

const number = (n: number | bigint): string => n.toLocaleString('en-US');
const plural = (n: number, what: string): string => `${number(n)} ${what}${n === 1 ? '' : 's'}`;

const short = (text: string): string => (text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text);
const shown = (column: string, value: string | null): string =>
  value === null ? 'null' : SECRET.has(column) ? '[redacted]' : short(JSON.stringify(value));

const WHERE = {
  'only live': 'only in the live build',
  'only rebuilt': 'only in the rebuilt one',
  differs: '',
};

const linesOf = ({ table, key, kind, values }: RowDifference): readonly string[] => {
  const where = key.map(([column, value]) => `${column}=${shown(column, value)}`).join(' ');
  return [
    `${table} ${where}${kind === 'differs' ? '' : `: ${WHERE[kind]}`}`,
    ...values.map(
      ({ column, live, rebuilt }) =>
        `    ${column}: live ${shown(column, live)}, rebuilt ${shown(column, rebuilt)}`,
    ),
  ];
};

/** What a verify came to, for people. */
export const reportOf = (name: string, found: Verification): readonly string[] => {
  const { equal, different, differences, tables, checkpoints } = found;
  const at = [...checkpoints].map(
    ([partition, position]) => (partition === 'all' ? '' : `${partition} `) + position,
  );
  const where = at.length > 1 ? `${at.length} partitions` : `position ${at.join()}`;
  if (different === 0) {
    return [
      `${name} is as the log makes it: ${plural(equal, 'row')} of ${plural(tables, 'table')} are equal, at ${where}.`,
    ];
  }
  const more = different - differences.length;
  return [
    `${name} is not as the log makes it: ${plural(different, 'row')} ${different === 1 ? 'differs' : 'differ'}, ${number(equal)} are equal, at ${where}.`,
    ...differences.flatMap(linesOf),
    ...(more > 0 ? [`… and ${number(more)} more`] : []),
    `To put it right: sightline projections rebuild ${name}`,
  ];
};

const count = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('How many is a whole number.');
  return Number(text);
};

/** `sightline projections verify`: whether a read model is what the log says. */
export const verifyCommand = (): Command =>
  new Command('verify')
    .description('build a read model aside and compare it with the live one, row by row')
    .argument('<name>', projectionNames)
    .option('--show <n>', 'differing rows to print', count, SHOWN)
    .addHelpText(
      'after',
      `
Both are compared where the live one stands just then; events may flow in meanwhile. What was built is dropped again.
Exits with 0 where all rows are equal, with 1 where some are not.

Examples:
  sightline projections verify directory
  sightline projections verify directory --show 500`,
    )
    .action((name: string, { show }: { show: number }) =>
      withRuntime(async (runtime) => {
        const { verify } = await import('../../../projections/verify/verify.ts');
        const projection = await projectionOf(name);
        await withMaking(runtime, projection, 'verify', `Stopped. ${name} is as it was.`, async (making) => {
          let comparing: ReturnType<typeof making.next> | undefined;
          const found = await verify(projection, {
            ...making.options,
            max: show,
            onRow: (rows, total) => {
              comparing ??= making.next('compare', 'rows');
              comparing.update(rows, total);
            },
          });
          comparing?.end();
          for (const line of reportOf(name, found)) console.log(line);
          console.log(`It took ${making.seconds()} s.`);
          if (found.different > 0) process.exitCode = 1;
        });
      }),
    );
