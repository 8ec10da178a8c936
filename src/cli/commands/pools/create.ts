import type { Command } from 'commander';
import type { SettingTexts } from '../../../operations/pools/pool-settings.ts';
import { withRuntime } from '../../with-runtime.ts';
import { withSettings } from './settings.ts';

interface CreateOptions extends SettingTexts {
  readonly platform: string;
  readonly rule: string;
  readonly seeds?: string;
  readonly sources?: string;
  readonly depth?: string;
}

/** What the commands work with, loaded when one runs. */
const load = async () => ({
  ...(await import('../../../operations/input-text.ts')),
  ...(await import('../../../operations/crawl/handles.ts')),
  ...(await import('../../../operations/pools/change-pool.ts')),
  ...(await import('../../../operations/pools/members.ts')),
  ...(await import('../../../operations/pools/pool-settings.ts')),
  ...(await import('../../../operations/pools/pools.ts')),
});

const reportRejected = (rejected: readonly { readonly line: number; readonly text: string }[]): void => {
  for (const { line, text } of rejected) console.error(`line ${line} is no handle: ${JSON.stringify(text)}`);
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
    console.log(`The pool ${pool} is created; crawlers follow it within two seconds.`);
    if (list === null) return;
    reportRejected(list.rejected);
    const added = await use.addMembers(runtime, { platform, pool }, list.handles);
    console.log(`${added} of ${list.handles.length} accounts recruited; all others are already in a pool.`);
    if (list.rejected.length > 0) process.exitCode = 1;
  });

const add = (pool: string, handles: readonly string[], options: { readonly file?: string }): Promise<void> =>
  withRuntime(async (runtime) => {
    const use = await load();
    const { platform } = await use.poolNamed(runtime, pool);
    const text = [...handles, ...(options.file === undefined ? [] : [await use.inputText(options.file)])];
    const list = use.parseSeedList(platform, text.join('\n'));
    reportRejected(list.rejected);
    const added = await use.addMembers(runtime, { platform, pool }, list.handles);
    console.log(`${added} of ${list.handles.length} accounts recruited; all others are already in a pool.`);
    if (list.rejected.length > 0) process.exitCode = 1;
  });

/** Commands that create pools and add accounts to them. */
export const addCreating = (pools: Command): void => {
  withSettings(
    pools
      .command('create')
      .description('create a pool')
      .argument('<pool>', 'its name, of a-z, 0-9 and -')
      .requiredOption('--platform <platform>', 'the platform of its accounts')
      .requiredOption('--rule <rule>', 'what it recruits: seed, mention, link, follow or demand')
      .option('--seeds <file>', 'accounts to begin with, a handle a line; - for standard input')
      .option('--sources <pools>', 'only what accounts of these pools name, separated by commas')
      .option('--depth <n>', 'only what is named within so many steps from a seed'),
  )
    .addHelpText(
      'after',
      `
Rules: seed takes the accounts of --seeds and of pools add; mention, link and follow take what accounts of the source
pools mention, link to or follow; demand takes what enough holders asked for (--min-holders) and the catalog lacks.

Examples:
  sightline pools create press --platform x --rule seed --seeds press.txt
  cut -d, -f1 press.csv | sightline pools create press --platform x --rule seed --seeds -
  sightline pools create night --platform youtube --rule link --schedule "* 0-5 * * *" --cap 20000`,
    )
    .action(create);
  pools
    .command('add')
    .description('recruit accounts into a pool')
    .argument('<pool>', 'its name')
    .argument('[handle...]', 'handles, with or without @')
    .option('--file <file>', 'a handle a line; - for standard input')
    .action(add);
};
