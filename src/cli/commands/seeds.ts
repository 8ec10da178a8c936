import { Command } from 'commander';
import type { PlatformAdapter } from '../../crawlers/platforms/adapter.ts';
import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors/codes.ts';
import type { Platform } from '../../kernel/platform.ts';
import { PLATFORMS } from '../../kernel/platform-names.ts';
import { withRuntime } from '../with-runtime.ts';

/** The adapter of a platform that an operator named. @throws {OperatorError} */
export const adapterFor = async (name: string): Promise<PlatformAdapter> => {
  if (!PLATFORMS.includes(name as Platform))
    throw new OperatorError(`"${name}" is no platform. The platforms are: ${PLATFORMS.join(', ')}`);
  const { adapterOf } = await import('../../crawlers/platforms/registry.ts');
  return adapterOf(name as Platform);
};

/** Handles in normal form. @throws {OperatorError} for one that the platform's grammar refuses. */
export const handlesFor = (adapter: PlatformAdapter, names: readonly string[]): readonly string[] =>
  names.map((name) => {
    const handle = adapter.parseHandle(name);
    if (handle === null) {
      throw new OperatorError(`"${name}" is no handle of ${adapter.name}: one is ${adapter.handlePattern}`);
    }
    return handle;
  });

/** `sightline seeds`: where crawling begins. */
export const seedsCommand = (): Command => {
  const seeds = new Command('seeds').description('the accounts that crawling begins with').addHelpText(
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
        const { recruitSeeds } = await import('../../crawlers/pools.ts');
        const adapter = await adapterFor(platform);
        const handles = handlesFor(adapter, names);
        const fresh = await recruitSeeds(runtime.log, adapter.platform, handles, systemClock.now());
        console.log(`${fresh} of ${handles.length} recruited; the others were already.`);
      }),
    );
  return seeds;
};
