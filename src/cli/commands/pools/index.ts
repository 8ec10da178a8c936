import { Command } from 'commander';
import { addChanging } from './change.ts';
import { addCreating } from './create.ts';
import { addShowing } from './show.ts';

/** `sightline pools`: what is crawled, and how often. */
export const poolsCommand = (): Command => {
  const pools = new Command('pools')
    .description(
      'groups of accounts that are crawled alike: what they recruit, their shares, caps and intervals',
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

Crawlers follow a change within two seconds. Pools are described in docs/operations/pools.md.`,
    );
  addShowing(pools);
  addCreating(pools);
  addChanging(pools);
  return pools;
};
