import { Command } from 'commander';
import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { print, writeError } from '../../kernel/terminal.ts';
import { shownJson } from '../../kernel/text.ts';
import type { SettingTexts } from '../../operations/pools/pool-settings.ts';
import type { Runtime } from '../../runtime/open-runtime.ts';
import { reportAdded, reportMoved } from '../render/added.ts';
import { listing, type Output, printList } from '../render/listing.ts';
import {
  forecastTable,
  historyTable,
  membersTable,
  poolFields,
  poolsTable,
  recruitedTable,
  retirementText,
  scheduleTable,
} from '../render/pools-table.ts';
import { type Json, printResult } from '../render/table.ts';
import { recorded, withRuntime } from '../with-runtime.ts';

/** `sightline pools`: what is crawled, and how often. */
export const poolsCommand = (): Command => {
  const pools = new Command('pools')
    .description(
      'manage pools: groups of accounts with shared rules for recruiting, request shares, caps and intervals',
    )
    .addHelpText(
      'after',
      `
Examples:
  sightline pools list
  sightline pools create press --platform x --rule seed --seeds press.txt --share 4 --refresh-min 1h
  sightline pools create press-mentions --platform x --rule mention --sources press --depth 2 --cap 5000
  sightline pools tune press --share 8
  sightline pools pause press-mentions --reason "too many requests"
  sightline pools members press-mentions --why
  sightline pools retire press-mentions --heir seed-x --reason "merged"

Crawlers apply a change within two seconds. docs/crawling.md describes pools.`,
    );
  addShowing(pools);
  addCreating(pools);
  addChanging(pools);
  return pools;
};

/** Options of a pool's settings. */
const withSettings = (command: Command): Command =>
  command
    .option('--share <n>', "share of the platform's requests, relative to the shares of its other pools")
    .option('--refresh <policy>', 'by_change or fixed')
    .option('--refresh-min <duration>', 'shortest interval between readings of an account, such as 6h')
    .option('--refresh-max <duration>', 'longest interval, such as 7d')
    .option('--refresh-factor <n>', 'factor that multiplies all intervals')
    .option(
      '--requests <n>',
      'target of requests per day, which by_change intervals adapt to; none for no target',
    )
    .option('--cap <n>', 'maximum number of accounts')
    .option(
      '--schedule <cron>',
      'cron schedule of the minutes in which it is crawled, in UTC, such as "* 0-5 * * *"; always for no limit',
    )
    .option(
      '--min-holders <n>',
      'number of holders who must have asked for an account; only for the rule demand',
    );

/** Modules of the commands, loaded when one runs. */
const load = async () => ({
  ...(await import('../../operations/pools/pools.ts')),
  ...(await import('../../operations/input-text.ts')),
  ...(await import('../../operations/crawl/read-accounts.ts')),
  ...(await import('../../operations/pools/change-pool.ts')),
  ...(await import('../../operations/pools/pool-settings.ts')),
  ...(await import('../../operations/pools/forecast.ts')),
});

interface CreateOptions extends SettingTexts {
  readonly platform: string;
  readonly rule: string;
  readonly seeds?: string;
  readonly sources?: string;
  readonly depth?: string;
}

const reportRejected = (rejected: readonly { readonly line: number; readonly text: string }[]): void => {
  for (const { line, text } of rejected) writeError(`line ${line} is no handle: ${JSON.stringify(text)}\n`);
};

const create = (pool: string, options: CreateOptions): Promise<void> =>
  withRuntime(async (runtime) => {
    const use = await load();
    const platform = use.parsePlatform(options.platform);
    const rule = use.parseRule(options.rule);
    const list =
      options.seeds === undefined ? null : use.parseSeedList(platform, await use.inputText(options.seeds));
    await use.createPool(runtime, {
      ...use.NEW_POOL,
      ...use.settingsOf(options),
      pool: use.parsePoolName(pool),
      platform,
      rule,
      seeds: list === null ? null : { digest: list.digest, count: list.handles.length },
      depth: options.depth === undefined ? null : use.parseDepth(options.depth),
      sources: options.sources?.split(',').map((each) => each.trim()) ?? [],
    });
    print(`The pool ${pool} is created; crawlers follow it within two seconds.`);
    if (list === null) return;
    reportRejected(list.rejected);
    reportAdded(await use.addMembers(runtime, await use.poolNamed(runtime, pool), list.handles));
    if (list.rejected.length > 0) process.exitCode = 1;
  });

type Loaded = Awaited<ReturnType<typeof load>>;
type PoolRow = Awaited<ReturnType<Loaded['poolNamed']>>;

/** An action on accounts of a pool that are named as arguments or in a file. */
const onMembers =
  (work: (use: Loaded, runtime: Runtime, pool: PoolRow, handles: readonly string[]) => Promise<void>) =>
  (pool: string, handles: readonly string[], options: { readonly file?: string }): Promise<void> =>
    withRuntime(async (runtime) => {
      const use = await load();
      const row = await use.poolNamed(runtime, pool);
      const text = [...handles, ...(options.file === undefined ? [] : [await use.inputText(options.file)])];
      const list = use.parseSeedList(row.platform, text.join('\n'));
      reportRejected(list.rejected);
      await work(use, runtime, row, list.handles);
      if (list.rejected.length > 0) process.exitCode = 1;
    });

/** A command that names a pool and accounts. */
const naming = (command: Command): Command =>
  recorded(command)
    .argument('<pool>', 'its name')
    .argument('[handle...]', 'handles or addresses of profiles')
    .option('--file <file>', 'file with one handle or address of a profile a line; - for standard input');

/** Commands that create pools, and add, move and remove their accounts. */
const addCreating = (pools: Command): void => {
  withSettings(
    recorded(pools.command('create'))
      .description('create a pool')
      .argument('<pool>', 'its name: a-z, 0-9 and -')
      .requiredOption('--platform <platform>', 'the platform of its accounts')
      .requiredOption('--rule <rule>', 'how it finds accounts: seed, mention, link, follow or demand')
      .option(
        '--seeds <file>',
        'file with the first accounts, one handle or address of a profile a line; - for standard input',
      )
      .option(
        '--sources <pools>',
        'recruit only accounts that are named by accounts of these pools, separated by commas',
      )
      .option('--depth <n>', 'recruit only within this number of steps from a seed'),
  )
    .addHelpText(
      'after',
      `
Rules: seed takes the accounts of --seeds and of pools add. The rules mention, link and follow take the accounts that
accounts of the source pools mention, link to or follow. demand takes accounts that the catalog lacks and that enough
holders (--min-holders) asked for.

Examples:
  sightline pools create press --platform x --rule seed --seeds press.txt
  cut -d, -f1 press.csv | sightline pools create press --platform x --rule seed --seeds -
  sightline pools create night --platform youtube --rule link --schedule "* 0-5 * * *" --cap 20000`,
    )
    .action(create);
  naming(pools.command('add'))
    .description('recruit accounts into a pool')
    .action(
      onMembers(async (use, runtime, pool, handles) =>
        reportAdded(await use.addMembers(runtime, pool, handles)),
      ),
    );
  naming(pools.command('move'))
    .description('move accounts to a pool from others of its platform')
    .action(
      onMembers(async (use, runtime, pool, handles) =>
        reportMoved(pool.pool, 'moved to', await use.moveMembers(runtime, pool, handles)),
      ),
    );
  naming(pools.command('remove'))
    .description('remove accounts from a pool: they are no longer read, until an operator adds them again')
    .action(
      onMembers(async (use, runtime, pool, handles) =>
        reportMoved(pool.pool, 'removed from', await use.removeMembers(runtime, pool, handles)),
      ),
    );
};

const say = (pool: string, isChanged: boolean, done: string, unchanged: string): void =>
  print(isChanged ? `The pool ${pool} ${done}.` : `The pool ${pool} ${unchanged} already: nothing changed.`);

interface TuneOptions extends SettingTexts {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const tune = (pool: string, options: TuneOptions): Promise<void> =>
  withRuntime(async (runtime) => {
    const use = await load();
    const settings = await use.withThreshold(runtime, pool, use.settingsOf(options));
    if (options.dryRun !== true) {
      say(pool, await use.tunePool(runtime, pool, settings), 'is tuned', 'has these settings');
      return;
    }
    const forecast = await use.forecastTuning(runtime, pool, settings);
    print(options.json === true ? shownJson(forecast, 2) : forecastTable(forecast));
  });

interface MembersOptions {
  readonly named?: string;
  readonly why?: boolean;
  readonly limit: string;
}

interface RetireOptions {
  readonly heir?: string;
  readonly abandon?: boolean;
  readonly reason: string;
}

const retire = (pool: string, { heir, abandon = false, reason }: RetireOptions): Promise<void> =>
  withRuntime(async (runtime) => {
    const use = await load();
    const isDecided = (heir !== undefined) !== abandon;
    print(retirementText(pool, heir ?? null, await use.retirementOf(runtime, pool)));
    if (!isDecided)
      throw new OperatorError(
        'argument_invalid',
        `Nothing was changed. Name a pool that takes over its accounts with --heir, or give them up with --abandon${abandon ? ', not both' : ''}.`,
      );
    say(pool, await use.retirePool(runtime, pool, heir ?? null, reason), 'is retired', 'is retired');
  });

/** Commands that change pools. */
const addChanging = (pools: Command): void => {
  withSettings(
    recorded(pools.command('tune'))
      .description('change settings of a pool; omitted settings stay')
      .argument('<pool>', 'its name'),
  )
    .option('--dry-run', 'print the requests per day and the ages before and after, and change nothing')
    .option('--json', 'print JSON; requires --dry-run')
    .addHelpText(
      'after',
      `
Examples:
  sightline pools tune press --share 8
  sightline pools tune press --requests 20000 --dry-run
  sightline pools tune press --refresh-min 30m --refresh-max 2d --dry-run --json`,
    )
    .action(tune);
  recorded(pools.command('expand'))
    .description('raise the share or the cap of a pool')
    .argument('<pool>', 'its name')
    .option('--share <n>', 'the new share')
    .option('--cap <n>', 'the new cap')
    .action((pool: string, options: SettingTexts) =>
      withRuntime(async (runtime) => {
        const { expandPool, settingsOf } = await load();
        const { share = null, size_cap = null } = settingsOf(options);
        say(pool, await expandPool(runtime, pool, { share, size_cap }), 'is expanded', 'has this size');
      }),
    );
  recorded(pools.command('pause'), 'required')
    .description('stop reading and recruiting for a pool until it is resumed')
    .argument('<pool>', 'its name')
    .action((pool: string, { reason }: { reason: string }) =>
      withRuntime(async (runtime) => {
        say(pool, await (await load()).pausePool(runtime, pool, reason), 'is paused', 'is paused');
      }),
    );
  recorded(pools.command('resume'))
    .description('end the pause of a pool')
    .argument('<pool>', 'its name')
    .action((pool: string) =>
      withRuntime(async (runtime) => {
        say(pool, await (await load()).resumePool(runtime, pool), 'is resumed', 'is active');
      }),
    );
  recorded(pools.command('retire'), 'required')
    .description('end a pool; its heir takes over its accounts')
    .argument('<pool>', 'its name')
    .option('--heir <pool>', 'the pool that takes over its accounts')
    .option('--abandon', 'without an heir: its accounts are no longer read')
    .addHelpText(
      'after',
      `
Without --heir and --abandon it shows what would follow, and changes nothing.

Examples:
  sightline pools retire press-mentions --reason "what would follow?"
  sightline pools retire press-mentions --heir seed-x --reason merged
  sightline pools reopen press-mentions`,
    )
    .action(retire);
  recorded(pools.command('reopen'))
    .description('undo the retirement of a pool: it reads its accounts again')
    .argument('<pool>', 'its name')
    .action((pool: string) =>
      withRuntime(async (runtime) => {
        say(pool, await (await load()).reopenPool(runtime, pool), 'is open again', 'is open');
      }),
    );
};

const limitOf = (text: string): number => {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new OperatorError('argument_invalid', `"${text}" is no limit; give a number from 1 to 9999`);
};

/** Times that a preview of a schedule shows. */
const PREVIEWED = 8;

const previewSchedule = async (cron: string, options: Output): Promise<void> => {
  const { settingsOf, scheduleTimes } = await import('../../operations/pools/pool-settings.ts');
  const { schedule = null } = settingsOf({ schedule: cron });
  const { open, times } = scheduleTimes(schedule, systemClock.now(), PREVIEWED);
  printList(options, times, { table: (width) => scheduleTable(open, times, width) });
};

/** Commands that show pools. */
const addShowing = (pools: Command): void => {
  listing(pools.command('schedule'))
    .description('preview a schedule: the next times in which a pool with it is crawled')
    .argument('<cron>', 'cron schedule in UTC, such as "* 0-5 * * *"')
    .action(previewSchedule);
  listing(pools.command('list'))
    .description('list the pools with their numbers of accounts and of due accounts')
    .action((options: Output) =>
      withRuntime(async (runtime) => {
        const rows = await (await load()).listPools(runtime);
        printList(options, rows, {
          table: (width) => poolsTable(rows, width),
          empty: 'No pools yet. The role crawl creates one a platform.',
        });
      }),
    );
  pools
    .command('show')
    .description('show the settings of a pool')
    .argument('<pool>', 'its name')
    .option('--json', 'print JSON')
    .action((pool: string, options: Json) =>
      withRuntime(async (runtime) => {
        const row = await (await load()).showPool(runtime, pool);
        printResult(options, row, () => poolFields(row));
      }),
    );
  listing(pools.command('members'))
    .description('list the accounts that a pool recruited, starting with those due first')
    .argument('<pool>', 'its name')
    .argument('[handle...]', 'only these')
    .option('--named <beginning>', 'only those whose handles begin so')
    .option('--why', 'show which account named each account, and by which rule it was recruited')
    .option('--limit <n>', 'accounts to list', '50')
    .action((pool: string, handles: string[], options: Output & MembersOptions) =>
      withRuntime(async (runtime) => {
        const why = options.why === true;
        const rows = await (await load()).listMembers(runtime, pool, {
          handles,
          named: options.named ?? '',
          limit: limitOf(options.limit),
          why,
        });
        printList(options, rows, {
          table: (width) => (why ? recruitedTable : membersTable)(rows, width),
          empty: 'It recruited none of them.',
        });
      }),
    );
  listing(pools.command('history'))
    .description('list the decisions about a pool, oldest first')
    .argument('<pool>', 'its name')
    .action((pool: string, options: Output) =>
      withRuntime(async (runtime) => {
        const changes = await (await load()).poolHistory(runtime, pool);
        printList(options, changes, { table: (width) => historyTable(changes, width) });
      }),
    );
};
