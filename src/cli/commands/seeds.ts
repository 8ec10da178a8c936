import { Command } from 'commander';
import type { PlatformAdapter } from '../../crawlers/platforms/adapter.ts';
import { adapterOf } from '../../crawlers/platforms/registry.ts';
import { recruitSeeds } from '../../crawlers/pools.ts';
import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { PLATFORMS, platformSchema } from '../../kernel/platform.ts';
import { withRuntime } from '../with-runtime.ts';

/** The adapter of a platform that an operator named. @throws {OperatorError} */
export const adapterFor = (name: string): PlatformAdapter => {
  const platform = platformSchema.safeParse(name);
  if (!platform.success)
    throw new OperatorError(
      'argument_invalid',
      `"${name}" is no platform. The platforms are: ${PLATFORMS.join(', ')}`,
    );
  return adapterOf(platform.data);
};

/** Handles in normal form. @throws {OperatorError} for one that the platform's grammar refuses. */
export const handlesFor = (adapter: PlatformAdapter, names: readonly string[]): readonly string[] =>
  names.map((name) => {
    const handle = adapter.parseHandle(name);
    if (handle === null) {
      throw new OperatorError(
        'argument_invalid',
        `"${name}" is no handle of ${adapter.name}: one is ${adapter.handlePattern}`,
      );
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
        const adapter = adapterFor(platform);
        const handles = handlesFor(adapter, names);
        const fresh = await recruitSeeds(runtime.log, adapter.platform, handles, systemClock.now());
        console.log(`${fresh} of ${handles.length} recruited; the others were already.`);
      }),
    );
  return seeds;
};
