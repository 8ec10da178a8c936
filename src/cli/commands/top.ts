import { Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../../kernel/clock.ts';
import { pause } from '../../kernel/retry.ts';
import { print, write } from '../../kernel/terminal.ts';
import type { EngineState } from '../../operations/engines/engines.ts';
import { age, engineLines, enginesTable, poolBacklogTable } from '../render/engines-table.ts';
import { shortened } from '../render/table.ts';
import { stopSignal, withRuntime } from '../with-runtime.ts';

/** `sightline top`: engines and pools at work. */
export const topCommand = (): Command =>
  new Command('top')
    .description('watch engines and pools live (rates, backlog, ages) until Ctrl-C')
    .option('--once', 'print it once')
    .option('--interval <seconds>', 'seconds between two updates', secondsOf, 2)
    .addHelpText(
      'after',
      `
Without a terminal it prints one line per engine at each interval.

Examples:
  sightline top
  sightline top --once
  sightline top --interval 60 >> engines.log`,
    )
    .action(({ once = false, interval }: { once?: boolean; interval: number }) =>
      withRuntime(async (runtime) => {
        const [{ openEngineReads }, { readTrouble }] = await Promise.all([
          import('../../operations/engines/engines.ts'),
          import('../../operations/health/trouble.ts'),
        ]);
        const signal = stopSignal();
        const reads = await openEngineReads(runtime);
        const { stdout } = process;
        const redraws = stdout.isTTY === true && !once;
        if (redraws) write(CLEAR_ALL);
        try {
          do {
            const engines = await reads.read('1h');
            const trouble = await readTrouble(runtime.db);
            const nowMs = systemClock.now();
            const { rows = 24, columns = 80 } = stdout;
            if (redraws) write(redrawn(topScreen(engines, trouble, nowMs, rows, columns)));
            else if (stdout.isTTY === true)
              print(topScreen(engines, trouble, nowMs, Number.POSITIVE_INFINITY, columns));
            else print([...trouble, engineLines(engines, nowMs)].join('\n'));
            if (!once) await pause(interval * 1_000, signal);
          } while (!once && !signal.aborted);
        } finally {
          await reads.close();
        }
      }),
    );

/** What is wrong, engines, and below them the pools with the largest backlog, as many as the terminal has lines for. */
export const topScreen = (
  engines: readonly EngineState[],
  trouble: readonly string[],
  nowMs: number,
  rows: number,
  width: number,
): string => {
  const due = engines.reduce((sum, { backlog }) => sum + (backlog ?? 0), 0);
  const oldest = engines.flatMap(({ oldestDueS }) => oldestDueS ?? []);
  // Without a feed the engine of the marketplace has nothing to do.
  const working = engines.filter(({ platform, row }) => platform !== null || row?.reported_at != null);
  const healthy = working.filter(({ status }) => status === 'healthy').length;
  const summary = [
    new Date(nowMs).toISOString().slice(11, 19),
    `${healthy} of ${working.length} engines healthy`,
    `${due.toLocaleString('en-US')} due`,
    ...(oldest.length === 0 ? [] : [`the oldest since ${age(Math.max(...oldest))}`]),
  ].join(', ');
  const wrong = trouble.map((line) => shortened(line, width));
  const top = [summary, ...wrong, '', ...enginesTable(engines, width).split('\n')];
  const pools = engines.flatMap((engine) => engine.pools).toSorted((a, b) => b.backlog - a.backlog);
  const lines = pools.length === 0 ? [] : ['', ...poolBacklogTable(pools, nowMs, width).split('\n')];
  return [...top, ...lines].slice(0, Math.max(1, rows - 1)).join('\n');
};

const HOME = '\x1b[H';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
const CLEAR_ALL = '\x1b[2J';

/** A screen over the one before, without flicker. */
const redrawn = (text: string): string =>
  `${HOME}${text
    .split('\n')
    .map((line) => `${line}${CLEAR_LINE}`)
    .join('\n')}\n${CLEAR_BELOW}`;

const secondsOf = (text: string): number => {
  const seconds = Number(text);
  if (!(seconds >= 0.5 && seconds <= 3_600)) throw new InvalidArgumentError('must be from 0.5 to 3600');
  return seconds;
};
