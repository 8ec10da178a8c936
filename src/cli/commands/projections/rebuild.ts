import { Command } from 'commander';
import { timeOf } from '../../../operations/events/selection.ts';
import type { Projection } from '../../../projections/projection.ts';
import type { Runtime } from '../../../runtime/open-runtime.ts';
import type { EventLog } from '../../../write/log/port.ts';
import { projectionNames, projectionOf } from '../../parse/projection-arg.ts';
import { psqlOf } from '../../render/psql-hint.ts';
import { withRuntime } from '../../with-runtime.ts';
import { withMaking } from './run-build.ts';

/** A position, or an instant in milliseconds since 1970. */
type Point = { readonly position: bigint } | { readonly timeMs: number };

const point = (text: string): Point =>
  /^\d{1,18}$/.test(text) ? { position: BigInt(text) } : { timeMs: timeOf(text) };

interface Options {
  readonly asOf?: Point;
  readonly into?: string;
}

/** Of a time, the last position that the log had given before it. */
const positionOf = async (log: EventLog, asOf: Point | undefined): Promise<bigint> => {
  if (asOf === undefined) return log.head();
  const { positionAtTime } = await import('../../../write/position-at-time.ts');
  return 'position' in asOf ? asOf.position : positionAtTime(log, asOf.timeMs);
};

const copy = async (runtime: Runtime, projection: Projection, { asOf, into }: Options): Promise<void> => {
  const { createPointInTimeCopy } = await import('../../../projections/builds/point-in-time.ts');
  const { tablesOf } = await import('../../../projections/builds/builds.ts');
  const { db, log } = runtime;
  const { name } = projection;
  const to = await positionOf(log, asOf);
  const schema = into ?? `${name}_as_of_${to}`;
  await withMaking(
    runtime,
    projection,
    'copy',
    `Stopped. There is no ${schema}.`,
    async ({ options, seconds }) => {
      await createPointInTimeCopy(projection, to, schema, options);
      const tables = await tablesOf(db, schema);
      console.log(`${name} as of position ${to} is in the schema ${schema}; it took ${seconds()} s.`);
      console.log(`  tables   ${tables.join(', ')}`);
      console.log(`  to ask   ${await psqlOf(runtime)} -c 'select * from ${tables[0]} limit 10'`);
      console.log(`  to drop  sightline projections drop ${schema}`);
    },
  );
};

const replace = async (runtime: Runtime, projection: Projection): Promise<void> => {
  const { rebuild } = await import('../../../projections/builds/rebuild.ts');
  const { name } = projection;
  await withMaking(
    runtime,
    projection,
    'rebuild',
    `Stopped. ${name} is as it was.`,
    async ({ options, seconds }) => {
      const { schema } = await rebuild(projection, options);
      console.log(`${name} is served from ${schema} now; it took ${seconds()} s.`);
    },
  );
};

/** `sightline projections rebuild`: a read model anew, or as it once was. */
export const rebuildCommand = (): Command =>
  new Command('rebuild')
    .description('build a read model anew from the log and switch to it, or a copy of it as it once was')
    .argument('<name>', projectionNames)
    .option(
      '--as-of <point>',
      'a copy as the world stood at a position or a time: 4711, 2026-11-21T08:00:00Z, 7d',
      point,
    )
    .option('--into <schema>', 'the name of the copy; <name>_as_of_<position> where not given')
    .addHelpText(
      'after',
      `
Readers go on meanwhile, and so do events. Ctrl-C leaves what is served as it is, and nothing half built behind.
A time is one of the log's own (recorded_at), not of the platforms (observed_at). Copies are nobody's but yours: they
are not served, not followed and not dropped by anybody else.

Examples:
  sightline projections rebuild directory
  sightline projections rebuild directory --as-of 2026-11-01          as the month began
  sightline projections rebuild accounts --as-of 4711 --into before   in the schema "before"
  sightline projections rebuild accounts --into frozen                as of now`,
    )
    .action((name: string, options: Options) =>
      withRuntime(async (runtime) => {
        const projection = await projectionOf(name);
        if (options.asOf === undefined && options.into === undefined) await replace(runtime, projection);
        else await copy(runtime, projection, options);
      }),
    );
