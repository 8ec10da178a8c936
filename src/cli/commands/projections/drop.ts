import { Command } from 'commander';
import { withRuntime } from '../../with-runtime.ts';

/** `sightline projections drop`: copies, and builds of versions that no process runs any more. */
export const dropCommand = (): Command =>
  new Command('drop')
    .description('drop a copy, or the build of an older version that no running program uses')
    .argument('<schema>', 'its name, as listed by: sightline projections list')
    .addHelpText(
      'after',
      `
What this version of Sightline serves is not dropped. After an upgrade, drop the old version's build when no process of
the old version runs any more, API servers included: they can't be seen from here.

Examples:
  sightline projections drop directory_as_of_4711
  sightline projections drop directory_v1_b3        once all processes are of the new version`,
    )
    .action((schema: string) =>
      withRuntime(async (runtime) => {
        const { dropBuild } = await import('../../../operations/projections/builds.ts');
        const { projection, version, status } = await dropBuild(runtime, schema);
        const what =
          status === 'copy' ? `a copy of ${projection}` : `a build of ${projection}, version ${version}`;
        console.log(`${schema} is dropped: ${what}.`);
      }),
    );
