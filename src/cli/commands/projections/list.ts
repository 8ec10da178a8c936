import { Command } from 'commander';
import { tableOf } from '../../render/table.ts';
import { withRuntime } from '../../with-runtime.ts';

const HEAD = [
  'projection',
  'version',
  'schema',
  'status',
  'position',
  'behind',
  'since',
  'stopped at',
] as const;

/** `sightline projections list`: what is built. */
export const listCommand = (): Command =>
  new Command('list')
    .description('list the builds and copies of the read models, and how far each has come')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
An "active" build is served. A "copy" shows the world as it stood at its position and is followed by nobody.

Examples:
  sightline projections list
  sightline projections list --json | jq '.[] | select(.status == "copy") | .schema'`,
    )
    .action(({ json }: { json?: boolean }) =>
      withRuntime(async ({ db, log }) => {
        const { listBuilds } = await import('../../../projections/builds/builds.ts');
        const { listStalls } = await import('../../../projections/stalls/stalls.ts');
        const builds = await listBuilds(db);
        const stalls = await listStalls(db);
        const head = await log.head();
        const rows = builds.map((build) => {
          const follows = build.status !== 'copy';
          const own = stalls.filter((s) => s.projection === build.projection && s.version === build.version);
          return {
            projection: build.projection,
            version: build.version,
            build: build.build,
            schema: build.schema,
            status: build.status,
            position: String(build.position),
            lag: follows ? String(head > build.position ? head - build.position : 0n) : null,
            created_at: build.createdAt.toISOString(),
            stopped_at: build.status === 'active' ? own.map((stall) => String(stall.position)) : [],
          };
        });
        if (json === true) {
          console.log(JSON.stringify(rows, null, 2));
          return;
        }
        console.log(
          tableOf(
            HEAD,
            rows.map((row) => [
              row.projection,
              row.version,
              row.schema,
              row.status,
              row.position,
              row.lag ?? '',
              row.created_at,
              row.stopped_at.join(', '),
            ]),
          ),
        );
      }),
    );
