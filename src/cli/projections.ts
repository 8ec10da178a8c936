import Table from 'cli-table3';
import { Command } from 'commander';
import { listBuilds } from '../projections/builds.ts';
import { rebuild } from '../projections/rebuild.ts';
import { stopSignal, withProgram } from './command.ts';
import { createProgress } from './progress.ts';
import { projectionNames, projectionOf } from './projections/names.ts';
import { skipCommand } from './projections/skip.ts';

/** `sightline projections`: the read models and how they follow the log. */
export const projectionsCommand = (): Command => {
  const command = new Command('projections').description('the read models').addHelpText(
    'after',
    `
Examples:
  sightline projections list
  sightline projections rebuild directory     readers go on meanwhile`,
  );
  command
    .command('list')
    .option('--json', 'print JSON')
    .description('list the builds of the read models and how far each has come')
    .action((options: { json?: boolean }) =>
      withProgram(async ({ db, log }) => {
        const head = await log.head();
        const rows = (await listBuilds(db)).map((build) => ({
          projection: build.projection,
          version: build.version,
          build: build.build,
          status: build.status,
          position: String(build.position),
          lag: String(head > build.position ? head - build.position : 0n),
          created_at: build.createdAt.toISOString(),
        }));
        if (options.json === true) {
          console.log(JSON.stringify(rows, null, 2));
          return;
        }
        const table = new Table({
          head: ['projection', 'version', 'build', 'status', 'position', 'behind', 'since'],
          style: { head: [], border: [] },
        });
        for (const row of rows) table.push(Object.values(row));
        console.log(table.toString());
      }),
    );
  command
    .command('rebuild')
    .argument('<name>', projectionNames)
    .description(
      'build a read model anew from the log, and switch to it; Ctrl-C leaves the present one as it is',
    )
    .action((name: string) =>
      withProgram(async ({ db, log, logger }) => {
        const projection = projectionOf(name);
        const signal = stopSignal();
        const progress = createProgress(`rebuild ${name}`, 'events');
        const startedAt = Date.now();
        try {
          const build = await rebuild(projection, {
            db,
            log,
            logger,
            signal,
            onProgress: (done, total) => progress.update(Number(done), Number(total)),
          });
          progress.end();
          const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
          console.log(`${name} is served from build ${build.build} now; it took ${seconds} s.`);
        } catch (error) {
          progress.end();
          if (!signal.aborted) throw error;
          console.log(`Stopped. ${name} is as it was.`);
          process.exitCode = 130;
        }
      }),
    );
  command.addCommand(skipCommand());
  return command;
};
