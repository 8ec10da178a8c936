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
    .description('list the builds and copies of the read models with their lag')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
"events behind" counts events of the log that the build has not processed; with EventStoreDB the number is an estimate
above a few hundred. An "active" build is served. A "copy" is a point-in-time copy, which is not updated.

Examples:
  sightline projections list
  sightline projections list --json | jq '.[] | select(.status == "copy") | .schema'`,
    )
    .action(({ json }: { json?: boolean }) =>
      withRuntime(async (runtime) => {
        const { listProjections } = await import('../../../operations/projections/lag.ts');
        const rows = (await listProjections(runtime)).map((build) => ({
          projection: build.projection,
          version: build.version,
          build: build.build,
          schema: build.schema,
          status: build.status,
          position: String(build.position),
          behind: build.behind === null ? null : String(build.behind.events),
          behind_is_estimate: build.behind?.isEstimate ?? false,
          done: doneShare(build.position, build.head),
          created_at: build.createdAt,
          stalled_positions: build.stalledAt.map(String),
        }));
        if (json === true) {
          console.log(JSON.stringify(rows, null, 2));
          return;
        }
        // The column takes width from the others, so it is shown where it says something.
        const isStalled = rows.some((row) => row.stalled_positions.length > 0);
        console.log(
          renderTable(
            isStalled ? [...HEAD, 'stalled at'] : HEAD,
            rows.map((row) => [
              row.projection,
              row.schema,
              row.status,
              row.position,
              row.behind === null ? '' : eventNumber(row.behind, row.behind_is_estimate),
              row.behind === null ? '' : percent(row.done),
              row.created_at.slice(0, 10),
              ...(isStalled ? [row.stalled_positions.join(', ')] : []),
            ]),
          ),
        );
      }),
    );
