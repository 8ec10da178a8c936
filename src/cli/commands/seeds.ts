import { Command } from 'commander';
import { PLATFORMS } from '../../kernel/platform-names.ts';
import { reportAdded } from '../render/added.ts';
import { recorded, withRuntime } from '../with-runtime.ts';

/** `sightline seeds`: where crawling begins. */
export const seedsCommand = (): Command => {
  const seeds = new Command('seeds').description('add the accounts that crawling starts from').addHelpText(
    'after',
    `
Examples:
  sightline seeds add bluesky bsky.app atproto.com
  sightline seeds add x nasa esa`,
  );
  recorded(seeds.command('add'))
    .argument('<platform>', PLATFORMS.join(', '))
    .argument('<handle...>', 'handles or addresses of profiles')
    .description("recruit accounts into a platform's seed pool")
    .action((platform: string, names: string[]) =>
      withRuntime(async (runtime) => {
        const { addSeeds } = await import('../../operations/pools/pools.ts');
        reportAdded(await addSeeds(runtime, platform, names));
      }),
    );
  return seeds;
};
