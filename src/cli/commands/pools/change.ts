import type { Command } from 'commander';
import type { SettingTexts } from '../../../operations/pools/pool-settings.ts';
import { forecastTable } from '../../render/pools-table.ts';
import { withRuntime } from '../../with-runtime.ts';
import { withSettings } from './settings.ts';

/** What the commands work with, loaded when one runs. */
const load = async () => ({
  ...(await import('../../../operations/pools/change-pool.ts')),
  ...(await import('../../../operations/pools/forecast.ts')),
  ...(await import('../../../operations/pools/pool-settings.ts')),
});

const say = (pool: string, isChanged: boolean, done: string, unchanged: string): void =>
  console.log(
    isChanged ? `The pool ${pool} ${done}.` : `The pool ${pool} ${unchanged} already: nothing changed.`,
  );

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
    console.log(options.json === true ? JSON.stringify(forecast, null, 2) : forecastTable(forecast));
  });

/** Commands that change pools. */
export const addChanging = (pools: Command): void => {
  withSettings(
    pools
      .command('tune')
      .description('change settings of a pool; those left out stay')
      .argument('<pool>', 'its name'),
  )
    .option('--dry-run', 'print requests a day and ages before and after, and change nothing')
    .option('--json', 'print JSON, with --dry-run')
    .addHelpText(
      'after',
      `
Examples:
  sightline pools tune press --share 8
  sightline pools tune press --requests 20000 --dry-run
  sightline pools tune press --refresh-min 30m --refresh-max 2d --dry-run --json`,
    )
    .action(tune);
  pools
    .command('expand')
    .description('let a pool take more accounts, with a larger share')
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
  pools
    .command('pause')
    .description('read and recruit nothing for a pool until it is resumed')
    .argument('<pool>', 'its name')
    .requiredOption('--reason <text>', 'the reason, which its history keeps')
    .action((pool: string, { reason }: { reason: string }) =>
      withRuntime(async (runtime) => {
        say(pool, await (await load()).pausePool(runtime, pool, reason), 'is paused', 'is paused');
      }),
    );
  pools
    .command('resume')
    .description('end the pause of a pool')
    .argument('<pool>', 'its name')
    .action((pool: string) =>
      withRuntime(async (runtime) => {
        say(pool, await (await load()).resumePool(runtime, pool), 'is resumed', 'is active');
      }),
    );
  pools
    .command('retire')
    .description('end a pool; its accounts are read for its heir')
    .argument('<pool>', 'its name')
    .option('--heir <pool>', 'the pool that takes over its accounts; without one they are not read any more')
    .requiredOption('--reason <text>', 'the reason, which its history keeps')
    .action((pool: string, { heir = null, reason }: { heir?: string | null; reason: string }) =>
      withRuntime(async (runtime) => {
        say(pool, await (await load()).retirePool(runtime, pool, heir, reason), 'is retired', 'is retired');
      }),
    );
};
