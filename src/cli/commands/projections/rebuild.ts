import { Command } from 'commander';
import { PLATFORMS } from '../../../kernel/platform-names.ts';
import type { PointInTime } from '../../../operations/projections/builds.ts';
import type { Runtime } from '../../../runtime/open-runtime.ts';
import { pointArg } from '../../parse/position-arg.ts';
import { projectionNames } from '../../parse/projection-arg.ts';
import { writersArg } from '../../parse/writers-arg.ts';
import { psqlOf } from '../../render/psql-hint.ts';
import { withRuntime } from '../../with-runtime.ts';
import { runBuild } from './run-build.ts';

interface Options {
  readonly asOf?: PointInTime;
  readonly into?: string;
  readonly writers?: number;
}

/** What the command works with, loaded when it runs. */
const load = async () => ({
  ...(await import('../../../operations/projections/builds.ts')),
  ...(await import('../../../operations/projections/names.ts')),
});

const copy = async (runtime: Runtime, name: string, { asOf, into, writers }: Options): Promise<void> => {
  const { copyProjection } = await load();
  let schema = into ?? 'copy';
  const aborted = () => `Stopped. There is no ${schema}.`;
  await runBuild(runtime, name, 'copy', aborted, async ({ options, seconds }) => {
    const onSchema = (chosen: string) => {
      schema = chosen;
    };
    const { position, tables } = await copyProjection(
      runtime,
      name,
      { asOf, into },
      { ...options, writers, onSchema },
    );
    console.log(`${name} as of position ${position} is in the schema ${schema}; it took ${seconds()} s.`);
    console.log(`  tables    ${tables.join(', ')}`);
    console.log(`  to query  ${await psqlOf(runtime)} -c 'select * from ${tables[0]} limit 10'`);
    console.log(`  to drop   sightline projections drop ${schema}`);
  });
};

const replace = async (runtime: Runtime, name: string, { writers }: Options): Promise<void> => {
  const { rebuildProjection } = await load();
  const aborted = () => `Stopped. ${name} is unchanged.`;
  await runBuild(runtime, name, 'rebuild', aborted, async ({ options, seconds }) => {
    const { schema } = await rebuildProjection(runtime, name, { ...options, writers });
    console.log(`${name} is now served from ${schema}; it took ${seconds()} s.`);
  });
};

/** `sightline projections rebuild`: a new build of a read model, or a point-in-time copy. */
export const rebuildCommand = (): Command =>
  new Command('rebuild')
    .description('rebuild a read model from the log and switch readers to it, or make a point-in-time copy')
    .argument('<name>', projectionNames)
    .option('--as-of <point>', 'a copy as of a position or a time: 4711, 2026-11-21T08:00:00Z, 7d', pointArg)
    .option('--into <schema>', 'the name of the copy; <name>_as_of_<position> where not given')
    .option(
      '--writers <n>',
      'threads that share the platforms; as many as there are cores where not given',
      writersArg,
    )
    .addHelpText(
      'after',
      `
Reads and event processing continue during a rebuild. Ctrl-C leaves the served build as it is and drops the new one.
Each writer folds some of the platforms, so more than ${PLATFORMS.length} are of no use; each needs memory of its own, and --writers 1
the least. What has no order by platform, as holders, has one.
A time is the log's own (recorded_at), not the platform's (observed_at). Copies are not served, not updated and not
dropped by Sightline.

Examples:
  sightline projections rebuild directory
  sightline projections rebuild directory --as-of 2026-11-01          as the month began
  sightline projections rebuild accounts --as-of 4711 --into before   in the schema "before"
  sightline projections rebuild accounts --into frozen                as of now`,
    )
    .action((name: string, options: Options) =>
      withRuntime(async (runtime) => {
        (await load()).projectionNamed(name);
        if (options.asOf === undefined && options.into === undefined) await replace(runtime, name, options);
        else await copy(runtime, name, options);
      }),
    );
