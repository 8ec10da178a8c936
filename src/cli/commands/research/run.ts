import { type Command, InvalidArgumentError } from 'commander';
import { explanationText, findingsTable, runReport, runsTable } from '../../render/research-table.ts';
import { withRuntime } from '../../with-runtime.ts';

interface Json {
  readonly json?: boolean;
}

/** What the commands work with, loaded when one runs. */
const load = async () => ({
  ...(await import('../../../operations/research/findings.ts')),
  ...(await import('../../../operations/research/replay.ts')),
  ...(await import('../../../operations/research/research.ts')),
});

const print = ({ json }: Json, data: unknown, text: () => string): void =>
  console.log(json === true ? JSON.stringify(data, null, 2) : text());

const seedOf = (text: string): number => {
  const seed = Number(text);
  if (/^\d{1,10}$/.test(text) && seed < 2 ** 32) return seed;
  throw new InvalidArgumentError('must be a whole number below 4294967296');
};

const limitOf = (text: string): number => {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a number from 1 to 9999');
};

interface RunFlags extends Json {
  readonly dryRun?: boolean;
  readonly seed?: number;
}

const run = ({ dryRun = false, seed, json = false }: RunFlags): Promise<void> =>
  withRuntime(async (runtime) => {
    const { runOnce } = await load();
    const options = { trigger: 'operator', dryRun, ...(seed === undefined ? {} : { seed }) } as const;
    const result = await runOnce(runtime, options);
    const { findings, decisions, applied } = result;
    print({ json }, { run: dryRun ? null : result.run, findings, decisions, applied }, () =>
      runReport(result),
    );
  });

const replay = (id: string): Promise<void> =>
  withRuntime(async (runtime) => {
    const { replayRun } = await load();
    const { recorded, replayed, differing } = await replayRun(runtime, id);
    process.stdout.write(replayed);
    for (const input of differing) console.error(`Input differs: ${input}`);
    const isSame = recorded === replayed;
    if (!isSame) console.error('The replayed decisions are not the recorded ones.');
    else if (differing.length === 0) console.error('The replay is identical to the run.');
    if (!isSame || differing.length > 0) process.exitCode = 1;
  });

/** Commands that run research and show what it did. */
export const addRunning = (research: Command): void => {
  research
    .command('run')
    .description('evaluate the pools now, record findings, and change shares within the limits')
    .option('--dry-run', 'print findings and decisions, and record and change nothing')
    .option('--seed <n>', 'seed of the draws; random by default', seedOf)
    .option('--json', 'print JSON')
    .action(run);
  research
    .command('runs')
    .description('list runs, the newest first')
    .option('--limit <n>', 'how many', limitOf, 25)
    .option('--json', 'print JSON')
    .action(({ limit, ...options }: Json & { limit: number }) =>
      withRuntime(async (runtime) => {
        const rows = await (await load()).listRuns(runtime, limit);
        print(options, rows, () => (rows.length === 0 ? 'No runs yet.' : runsTable(rows)));
      }),
    );
  research
    .command('findings')
    .description('list findings, the newest first')
    .option('--limit <n>', 'how many', limitOf, 25)
    .option('--json', 'print JSON')
    .action(({ limit, ...options }: Json & { limit: number }) =>
      withRuntime(async (runtime) => {
        const rows = await (await load()).listFindings(runtime, limit);
        print(options, rows, () => (rows.length === 0 ? 'No findings yet.' : findingsTable(rows)));
      }),
    );
  research
    .command('explain')
    .description('print figures, draws, limits and policy behind a run or a finding')
    .argument('<id>', 'of a run or a finding')
    .option('--json', 'print JSON')
    .action((id: string, options: Json) =>
      withRuntime(async (runtime) => {
        const found = await (await load()).explain(runtime, id);
        const { started, pools, found: findings, decided, ended } = found.state;
        const data = found.finding ?? { run: found.run, started, pools, findings, decisions: decided, ended };
        print(options, data, () => explanationText(found));
      }),
    );
  research
    .command('replay')
    .description('decide a run again from its events, and print decisions and findings as JSON lines')
    .argument('<run>', 'its ID')
    .addHelpText(
      'after',
      `
Draws are made again from the seed, and figures from the log. Exits with 1 if an input or a decision
differs, and names it.`,
    )
    .action(replay);
};
