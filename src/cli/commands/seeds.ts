import { Command } from 'commander';
import { PLATFORMS } from '../../kernel/platform-names.ts';
import { print } from '../../kernel/terminal.ts';
import { withRuntime } from '../with-runtime.ts';

/** `sightline seeds`: where crawling begins. */
export const seedsCommand = (): Command => {
  const seeds = new Command('seeds').description('add the accounts that crawling starts from').addHelpText(
    'after',
    `
Examples:
  sightline seeds add bluesky bsky.app atproto.com
  sightline seeds add x nasa esa`,
  );
  seeds
    .command('add')
    .argument('<platform>', PLATFORMS.join(', '))
    .argument('<handle...>', 'handles, with or without @')
    .description("recruit accounts into a platform's seed pool")
    .action((platform: string, names: string[]) =>
      withRuntime(async (runtime) => {
        const { addSeeds } = await import('../../operations/pools/pools.ts');
        const { named, recruited } = await addSeeds(runtime, platform, names);
        print(`${recruited} of ${named} recruited; all others are already in a pool.`);
      }),
    );
  return seeds;
};
