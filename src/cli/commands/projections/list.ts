import { Command } from 'commander';
import { doneShare, eventNumber, percent } from '../../render/events-behind.ts';
import { renderTable } from '../../render/table.ts';
import { withRuntime } from '../../with-runtime.ts';

const HEAD = [
  'projection',
  { head: 'schema', keep: true },
  'status',
  'position',
  'events behind',
  'done',
  { head: 'since', keep: true, optional: true },
] as const;

/** `sightline projections list`: what is built. */
export const listCommand = (): Command =>
  new Command('list')
    .description('list the builds and copies of the read models, and how far each has come')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
"events behind" is what the build lacks of the log: with EventStoreDB about so many, where there are more than a few
hundred. An "active" build is served. A "copy" shows the world as it stood at its position and is followed by nobody.

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
        const { eventsBetween } = await import('../../../write/log/events-between.ts');
        const rows = [];
        for (const build of builds) {
          const behind = build.status === 'copy' ? null : await eventsBetween(log, build.position, head);
          const own = stalls.filter((s) => s.projection === build.projection && s.version === build.version);
          rows.push({
            projection: build.projection,
            version: build.version,
            build: build.build,
            schema: build.schema,
            status: build.status,
            position: String(build.position),
            lag: behind === null ? null : String(behind.events),
            lag_is_estimate: behind?.isEstimate ?? false,
            done: doneShare(build.position, head),
            created_at: build.createdAt.toISOString(),
            stopped_at: build.status === 'active' ? own.map((stall) => String(stall.position)) : [],
          });
        }
        if (json === true) {
          console.log(JSON.stringify(rows, null, 2));
          return;
        }
        // Most of the time none stands still: the room is for the others.
        const isStopped = rows.some((row) => row.stopped_at.length > 0);
        console.log(
          renderTable(
            isStopped ? [...HEAD, 'stopped at'] : HEAD,
            rows.map((row) => [
              row.projection,
              row.schema,
              row.status,
              row.position,
              row.lag === null ? '' : eventNumber(row.lag, row.lag_is_estimate),
              row.lag === null ? '' : percent(row.done),
              row.created_at.slice(0, 10),
              ...(isStopped ? [row.stopped_at.join(', ')] : []),
            ]),
          ),
        );
      }),
    );
