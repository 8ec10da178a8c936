import { join } from 'node:path';
import { Command } from 'commander';
import { PLATFORMS } from '../../../kernel/platform-names.ts';
import { print, printJson } from '../../../kernel/terminal.ts';
import type { PointInTime } from '../../../operations/projections/builds.ts';
import type { Runtime } from '../../../runtime/open-runtime.ts';
import { pointArg, projectionNames, writersArg } from '../../parse/args.ts';
import { listing, type Output, printList } from '../../render/listing.ts';
import { renderTable } from '../../render/table.ts';
import { recorded, withRuntime } from '../../with-runtime.ts';
import { doneShare, duration, eventNumber, lagCommand, percent } from './lag.ts';
import { parkedCommand, skipCommand } from './parked.ts';
import { sourceCommand } from './source.ts';
import { runBuild, verifyCommand } from './verify.ts';

/** `sightline projections`: the read models. */
export const projectionsCommand = (): Command => {
  const command = new Command('projections')
    .description('inspect, rebuild and repair the read models')
    .addHelpText(
      'after',
      `
Examples:
  sightline projections list
  sightline projections tables directory                      what SQL finds there
  sightline projections lag --watch
  sightline projections rebuild directory                     reads continue
  sightline projections rebuild directory --as-of 2026-11-01  a point-in-time copy
  sightline projections verify directory                      does it match the event log?
  sightline projections parked list                           the dead-letter queue
  sightline projections skip 4711 --reason "…"                past an event that can't be applied`,
    );
  const makers = [
    listCommand,
    tablesCommand,
    lagCommand,
    rebuildCommand,
    verifyCommand,
    parkedCommand,
    skipCommand,
    dropCommand,
    pruneCommand,
    sourceCommand,
  ];
  for (const make of makers) command.addCommand(make());
  return command;
};

interface Options {
  readonly asOf?: PointInTime;
  readonly into?: string;
  readonly writers?: number;
}

/** Modules of the command, loaded when it runs. */
const load = () => import('../../../operations/projections/builds.ts');

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
    print(`${name} as of position ${position} is in the schema ${schema}; it took ${seconds()} s.`);
    print(`  tables    ${tables.join(', ')}`);
    print(`  to query  ${await psqlOf(runtime)} -c 'select * from ${tables[0]} limit 10'`);
    print(`  to drop   sightline projections drop ${schema}`);
  });
};

const replace = async (runtime: Runtime, name: string, { writers }: Options): Promise<void> => {
  const { rebuildProjection } = await load();
  const aborted = () => `Stopped. ${name} is unchanged.`;
  await runBuild(runtime, name, 'rebuild', aborted, async ({ options, seconds }) => {
    const { schema } = await rebuildProjection(runtime, name, { ...options, writers });
    print(`${name} is now served from ${schema}; it took ${seconds()} s.`);
  });
};

/** `sightline projections rebuild`: a new build of a read model, or a point-in-time copy. */
const rebuildCommand = (): Command =>
  recorded(new Command('rebuild'))
    .description('rebuild a read model from the log and switch readers to it, or make a point-in-time copy')
    .argument('<name>', projectionNames)
    .option('--as-of <point>', 'a copy as of a position or a time: 4711, 2026-11-21T08:00:00Z, 7d', pointArg)
    .option('--into <schema>', 'the name of the copy; <name>_as_of_<position> by default')
    .option(
      '--writers <n>',
      'threads that divide the platforms among themselves; default: one per core',
      writersArg,
    )
    .addHelpText(
      'after',
      `
Reads and event processing continue during a rebuild. Ctrl-C drops the new build and leaves the served one as it is.
Each writer folds some of the platforms and takes memory of its own; more than ${PLATFORMS.length} writers are of no use. Projections
that are not divided by platform, such as holders, have one writer.
A time is compared with recorded_at, the time of the log, not with observed_at, the time of the reading. Sightline
neither serves nor updates copies, and never drops them by itself.

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

const HEAD = [
  'projection',
  { head: 'schema', keep: true },
  'status',
  'position',
  'events behind',
  'done',
  { head: 'left', optional: true },
  { head: 'since', keep: true, optional: true },
] as const;

/** `sightline projections list`: what is built. */
const listCommand = (): Command =>
  listing(new Command('list'))
    .description('list the builds and copies of the read models with their lag')
    .addHelpText(
      'after',
      `
"events behind" is the number of events that the build has not processed; with EventStoreDB, numbers above a few hundred
are estimates. An "active" build is served. One that "stands in" answers until this version's build is done; "left" is
when, at the pace so far. An "old version" serves processes that are not upgraded yet. A "copy" is a point-in-time copy,
which is not updated.

Examples:
  sightline projections list
  sightline projections list --json | jq '.[] | select(.status == "copy") | .schema'`,
    )
    .action((options: Output) =>
      withRuntime(async (runtime) => {
        const { listProjections } = await import('../../../operations/projections/lag.ts');
        const rows = (await listProjections(runtime)).map((build) => ({
          projection: build.projection,
          version: build.version,
          build: build.build,
          schema: build.schema,
          status: build.status,
          use: build.use,
          position: String(build.position),
          behind: build.behind === null ? null : String(build.behind.events),
          behind_is_estimate: build.behind?.isEstimate ?? false,
          done: doneShare(build.status === 'building' ? build.reached : build.position, build.head),
          eta_s: build.leftS,
          created_at: build.createdAt,
          stalled_positions: build.stalledAt.map(String),
        }));
        // The column takes width from the others, so it is shown where it says something.
        const isStalled = rows.some((row) => row.stalled_positions.length > 0);
        printList(options, rows, {
          table: (width) =>
            renderTable(
              isStalled ? [...HEAD, 'stalled at'] : HEAD,
              rows.map((row) => [
                row.projection,
                row.schema,
                row.use,
                row.position,
                row.behind === null ? '' : eventNumber(row.behind, row.behind_is_estimate),
                row.behind === null ? '' : percent(row.done),
                row.eta_s === null ? '' : duration(row.eta_s),
                row.created_at.slice(0, 10),
                ...(isStalled ? [row.stalled_positions.join(', ')] : []),
              ]),
              { width },
            ),
        });
      }),
    );

/** `sightline projections tables`: what SQL finds in the read models. */
const tablesCommand = (): Command =>
  listing(new Command('tables'))
    .description('list the tables of the served read models with their columns, as SQL sees them')
    .argument('[name...]', `only these (${projectionNames})`)
    .addHelpText(
      'after',
      `
Examples:
  sightline projections tables directory
  sightline projections tables --output csv > tables.csv`,
    )
    .action((names: string[], options: Output) =>
      withRuntime(async (runtime) => {
        const { projectionTables } = await import('../../../operations/projections/tables.ts');
        const columns = await projectionTables(runtime, names.length === 0 ? undefined : names);
        printList(options, columns, {
          table: (width) =>
            renderTable(
              [{ head: 'table', keep: true }, { head: 'column', keep: true }, 'type', 'null', 'key'],
              columns.map(({ schema, table, column, type, nullable, key }) => [
                `${schema}.${table}`,
                column,
                type,
                nullable ? 'yes' : '',
                key ? 'yes' : '',
              ]),
              { width },
            ),
        });
      }),
    );

/** `sightline projections drop`: copies, and builds of versions that no process runs any more. */
const dropCommand = (): Command =>
  recorded(new Command('drop'))
    .description('drop a copy, or the build of an old version that no running process uses')
    .argument('<schema>', 'its name, as listed by: sightline projections list')
    .addHelpText(
      'after',
      `
A build that this version of Sightline serves cannot be dropped. After an upgrade, drop the old version's build once
all its processes, API servers included, have stopped: this command can't see whether they still run.

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
        print(`${schema} is dropped: ${what}.`);
      }),
    );

/** `sightline projections prune`: all builds that nothing needs. */
const pruneCommand = (): Command =>
  recorded(new Command('prune'))
    .description('drop every build that nothing needs: of old versions, and what crashes left')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Copies, served builds, builds of newer versions and builds that a running process writes to or answers from stay. Run it
once all processes, API servers included, are of this version.

Examples:
  sightline projections prune
  sightline projections prune --json | jq '.kept'`,
    )
    .action(({ json }: { json?: boolean }) =>
      withRuntime(async (runtime) => {
        const { prune } = await load();
        const { dropped, kept } = await prune(runtime);
        const schemas = dropped.map(({ schema }) => schema);
        if (json === true) {
          printJson({ dropped: schemas, kept }, 2);
          return;
        }
        for (const schema of schemas) print(`${schema} is dropped.`);
        for (const { reason } of kept) print(reason);
        if (dropped.length + kept.length === 0) print('There is nothing to drop.');
      }),
    );

/** A shell command that queries the database, whatever its port is then. It reads the password from its file. */
const psqlOf = async ({
  config,
  url,
}: Pick<Runtime, 'url'> & {
  readonly config: Pick<Runtime['config'], 'DATABASE_URL' | 'SIGHTLINE_HOME'>;
}): Promise<string> => {
  if (config.DATABASE_URL !== undefined) return 'psql "$DATABASE_URL"';
  const { hostname, username, pathname } = new URL(url);
  const { serverFiles } = await import('../../../kernel/postgres/embedded/server.ts');
  const { data, password } = await serverFiles(config.SIGHTLINE_HOME);
  const port = `"$(sed -n 4p ${join(data, 'postmaster.pid')})"`;
  return `PGPASSWORD="$(cat ${password})" psql -h ${hostname} -p ${port} -U ${username} ${pathname.slice(1)}`;
};
