import { randomBytes } from 'node:crypto';
import Table from 'cli-table3';
import { Command } from 'commander';
import { isoOf, systemClock } from '../kernel/clock.ts';
import { UsageError } from '../kernel/errors.ts';
import { decideOn } from '../write/command.ts';
import { holderDecider } from '../write/holders/decide.ts';
import { holderStream } from '../write/holders/events.ts';
import { registerHolder } from '../write/holders/terms.ts';
import { loadPlans } from '../write/metering/plans-file.ts';
import { withProgram } from './command.ts';
import { readHolders } from './program/holders.ts';
import { projected } from './program/projected.ts';

/** `Acme Research` → `acme-research`. */
const idOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60) || `holder-${randomBytes(4).toString('hex')}`;

/** `sightline holders`: who may call the API. */
export const holdersCommand = (): Command => {
  const holders = new Command('holders').description('who may call the API').addHelpText(
    'after',
    `
Examples:
  sightline holders add "Acme Research"     its id is acme-research
  sightline holders list`,
  );
  holders
    .command('add')
    .argument('<name>', 'the name of a person or company')
    .option('--id <id>', 'its id, where the one made of the name will not do')
    .description('add a holder; its keys are issued with: sightline keys issue')
    .action((name: string, options: { id?: string }) =>
      withProgram(async (program) => {
        const id = options.id ?? idOf(name);
        if (!/^[a-z0-9][a-z0-9-]{0,59}$/.test(id)) {
          throw new UsageError(`"${id}" is no holder id: use up to 60 of a-z, 0-9 and -, as acme-research`);
        }
        const now = systemClock.now();
        const register = registerHolder({ holder: id, name }, await loadPlans(program.config), isoOf(now));
        const { outcome } = await decideOn(program.log, holderDecider, holderStream(id), register, {
          nowMs: now,
        });
        if (outcome === null)
          throw new UsageError(`There is a holder ${id} already. Choose another id with --id.`);
        await projected(program, outcome.position);
        console.log(id);
      }),
    );
  holders
    .command('list')
    .option('--json', 'print JSON')
    .description('list the holders')
    .action((options: { json?: boolean }) =>
      withProgram(async (program) => {
        const rows = await readHolders(program);
        if (options.json === true) {
          console.log(JSON.stringify(rows, null, 2));
          return;
        }
        const table = new Table({
          head: ['holder', 'name', 'since', 'keys'],
          style: { head: [], border: [] },
        });
        for (const row of rows) table.push([row.holder, row.name, row.registered_at, row.keys]);
        console.log(table.toString());
      }),
    );
  return holders;
};
