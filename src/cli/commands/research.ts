import { Command, InvalidArgumentError } from 'commander';
import { print, write, writeError } from '../../kernel/terminal.ts';
import { shownJson } from '../../kernel/text.ts';
import type { Review } from '../../operations/research/findings.ts';
import type { LimitChanges } from '../../operations/research/limits.ts';
import { listing, type Output, printList } from '../render/listing.ts';
import {
  explanationText,
  findingsTable,
  limitsFields,
  runReport,
  runsTable,
} from '../render/research-table.ts';
import { type Json, printResult } from '../render/table.ts';
import { recorded, withRuntime } from '../with-runtime.ts';

/** `sightline research`: which pools are worth their requests, and what happens in the catalog. */
export const researchCommand = (): Command => {
  const research = new Command('research')
    .description('evaluate how much each pool yields for its requests: runs, findings, limits')
    .addHelpText(
      'after',
      `
Examples:
  sightline research run --dry-run
  sightline research findings
  sightline research explain <run or finding>
  sightline research replay <run>
  sightline research dismiss <finding> --reason "planned maintenance"
  sightline research limits --share-factor 1.5 --pools press,press-mentions
  sightline research limits --observe-only

The role research runs on the schedule RESEARCH_CRON. docs/methods/research.md describes the method.`,
    );
  addRunning(research);
  addReviewing(research);
  return research;
};

/** Modules of the commands, loaded when one runs. */
const load = async () => ({
  ...(await import('../../operations/research/findings.ts')),
  ...(await import('../../operations/research/limits.ts')),
  ...(await import('../../operations/research/replay.ts')),
  ...(await import('../../operations/research/research.ts')),
});

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
    printResult({ json }, { run: dryRun ? null : result.run, findings, decisions, applied }, () =>
      runReport(result),
    );
  });

const replay = (id: string): Promise<void> =>
  withRuntime(async (runtime) => {
    const { replayRun } = await load();
    const { recorded, replayed, differing } = await replayRun(runtime, id);
    write(replayed);
    for (const input of differing) writeError(`Input differs: ${input}\n`);
    const isSame = recorded === replayed;
    if (!isSame) writeError('The replayed decisions are not the recorded ones.\n');
    else if (differing.length === 0) writeError('The replay is identical to the run.\n');
    if (!isSame || differing.length > 0) process.exitCode = 1;
  });

/** Commands that run research and show what it did. */
const addRunning = (research: Command): void => {
  recorded(research.command('run'))
    .description('evaluate the pools now, record findings, and change shares within the limits')
    .option('--dry-run', 'print findings and decisions without recording or changing anything')
    .option('--seed <n>', 'seed of the random draws; random by default', seedOf)
    .option('--json', 'print JSON')
    .action(run);
  listing(research.command('runs'))
    .description('list runs, the newest first')
    .option('--limit <n>', 'how many', limitOf, 25)
    .action(({ limit, ...options }: Output & { limit: number }) =>
      withRuntime(async (runtime) => {
        const rows = await (await load()).listRuns(runtime, limit);
        printList(options, rows, { table: (width) => runsTable(rows, width), empty: 'No runs yet.' });
      }),
    );
  listing(research.command('findings'))
    .description('list findings, the newest first')
    .option('--limit <n>', 'how many', limitOf, 25)
    .action(({ limit, ...options }: Output & { limit: number }) =>
      withRuntime(async (runtime) => {
        const rows = await (await load()).listFindings(runtime, limit);
        printList(options, rows, { table: (width) => findingsTable(rows, width), empty: 'No findings yet.' });
      }),
    );
  research
    .command('explain')
    .description('print the figures, draws, limits and policy behind a run or a finding')
    .argument('<id>', 'ID of a run or a finding')
    .option('--json', 'print JSON')
    .action((id: string, options: Json) =>
      withRuntime(async (runtime) => {
        const found = await (await load()).explain(runtime, id);
        const { started, pools, found: findings, decided, ended } = found.state;
        const data = found.finding ?? { run: found.run, started, pools, findings, decisions: decided, ended };
        printResult(options, data, () => explanationText(found));
      }),
    );
  research
    .command('replay')
    .description(
      'repeat the decisions of a run from its events, and print decisions and findings as JSON lines',
    )
    .argument('<run>', 'its ID')
    .addHelpText(
      'after',
      `
The draws are repeated from the seed, and the figures are computed from the log again. If an input or a decision
differs, the command names it and exits with 1.`,
    )
    .action(replay);
};

const reviewed = (id: string, review: Review): Promise<void> =>
  withRuntime(async (runtime) => {
    const isNew = await (await load()).review(runtime, id, review);
    print(`The finding ${id} is ${review.status}${isNew ? '' : ' already: nothing changed'}.`);
  });

const numberOf = (text: string): number => {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('must be a number');
};

interface LimitFlags {
  readonly shareFactor?: number;
  readonly sizeFactor?: number;
  readonly sizeCap?: number;
  readonly floor?: number;
  readonly halfLife?: number;
  readonly pools?: string;
  readonly allPools?: boolean;
  readonly observeOnly?: boolean;
  readonly act?: boolean;
  readonly json?: boolean;
}

const changesOf = (flags: LimitFlags): LimitChanges | null => {
  const { shareFactor, sizeFactor, sizeCap, floor, halfLife, pools, allPools, observeOnly, act } = flags;
  const limits = {
    ...(shareFactor === undefined ? {} : { share_factor_per_hour: shareFactor }),
    ...(sizeFactor === undefined ? {} : { size_factor_per_hour: sizeFactor }),
    ...(sizeCap === undefined ? {} : { size_cap: sizeCap }),
    ...(floor === undefined ? {} : { floor }),
    ...(halfLife === undefined ? {} : { half_life_h: halfLife }),
  };
  const changes: LimitChanges = {
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(allPools === true
      ? { pools: null }
      : pools === undefined
        ? {}
        : { pools: pools.split(',').filter((pool) => pool !== '') }),
    ...(observeOnly === true ? { observe_only: true } : act === true ? { observe_only: false } : {}),
  };
  return Object.keys(changes).length === 0 ? null : changes;
};

const limits = (flags: LimitFlags): Promise<void> =>
  withRuntime(async (runtime) => {
    const { readLimits, setLimits } = await load();
    const changes = changesOf(flags);
    const active = changes === null ? await readLimits(runtime) : await setLimits(runtime, changes);
    print(flags.json === true ? shownJson(active, 2) : limitsFields(active));
  });

/** Commands by which operators review findings and limit runs. */
const addReviewing = (research: Command): void => {
  for (const [name, status] of [
    ['confirm', 'confirmed'],
    ['dismiss', 'dismissed'],
  ] as const)
    recorded(research.command(name), 'required')
      .description(`record that a finding is ${status}`)
      .argument('<finding>', 'its ID')
      .action((id: string, { reason }: { reason: string }) => reviewed(id, { status, reason }));
  recorded(research.command('supersede'), 'required')
    .description('record that a newer finding replaces another')
    .argument('<finding>', 'its ID')
    .requiredOption('--by <finding>', 'ID of the newer one')
    .action((id: string, { by, reason }: { by: string; reason: string }) =>
      reviewed(id, { status: 'superseded', reason, successor: by }),
    );
  recorded(research.command('limits'))
    .description('print the limits of what runs may decide, or change them from the next run on')
    .option('--share-factor <n>', 'largest factor by which a share may rise or fall within an hour', numberOf)
    .option('--size-factor <n>', 'largest factor by which a cap may rise within an hour', numberOf)
    .option('--size-cap <n>', 'largest cap that a run may set', numberOf)
    .option(
      '--floor <n>',
      'part of the shares that is divided equally among all pools, from 0.01 to 1',
      numberOf,
    )
    .option('--half-life <h>', 'hours after which evidence counts half as much', numberOf)
    .option('--pools <names>', 'pools that runs may change, separated by commas; all others stay')
    .option('--all-pools', 'let runs change all pools')
    .option('--observe-only', 'runs record findings and decisions but carry out no decision')
    .option('--act', 'runs carry out their decisions')
    .option('--json', 'print JSON')
    .action(limits);
};
