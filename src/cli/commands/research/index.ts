import { Command } from 'commander';
import { addReviewing } from './review.ts';
import { addRunning } from './run.ts';

/** `sightline research`: which pools are worth their requests, and what happens in the catalog. */
export const researchCommand = (): Command => {
  const research = new Command('research')
    .description('which pools are worth their requests: runs, findings, limits')
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

The role research runs by RESEARCH_CRON. The method is described in docs/methods/research.md.`,
    );
  addRunning(research);
  addReviewing(research);
  return research;
};
