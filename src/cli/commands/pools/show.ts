import type { Command } from 'commander';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import {
  historyTable,
  membersTable,
  poolFields,
  poolsTable,
  recruitedTable,
} from '../../render/pools-table.ts';
import { withRuntime } from '../../with-runtime.ts';

interface Json {
  readonly json?: boolean;
}

/** What the commands work with, loaded when one runs. */
const load = async () => ({
  ...(await import('../../../operations/pools/pools.ts')),
  ...(await import('../../../operations/pools/members.ts')),
});

const print = ({ json }: Json, data: unknown, text: () => string): void =>
  console.log(json === true ? JSON.stringify(data, null, 2) : text());

const limitOf = (text: string): number => {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new OperatorError('argument_invalid', `"${text}" is no limit; give a number from 1 to 9999`);
};

/** Commands that show pools. */
export const addShowing = (pools: Command): void => {
  pools
    .command('list')
    .description('list the pools with their accounts and what is due')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withRuntime(async (runtime) => {
        const rows = await (await load()).listPools(runtime);
        print(options, rows, () =>
          rows.length === 0 ? 'No pools yet. The role crawl creates one a platform.' : poolsTable(rows),
        );
      }),
    );
  pools
    .command('show')
    .description('show the settings of a pool')
    .argument('<pool>', 'its name')
    .option('--json', 'print JSON')
    .action((pool: string, options: Json) =>
      withRuntime(async (runtime) => {
        const row = await (await load()).showPool(runtime, pool);
        print(options, row, () => poolFields(row));
      }),
    );
  pools
    .command('members')
    .description('list accounts that a pool recruited, those that are due first')
    .argument('<pool>', 'its name')
    .argument('[handle...]', 'only these')
    .option('--why', 'show who named each account, and through which rule')
    .option('--limit <n>', 'accounts to list', '50')
    .option('--json', 'print JSON')
    .action((pool: string, handles: string[], options: Json & { why?: boolean; limit: string }) =>
      withRuntime(async (runtime) => {
        const why = options.why === true;
        const rows = await (await load()).listMembers(runtime, pool, {
          handles,
          limit: limitOf(options.limit),
          why,
        });
        print(options, rows, () =>
          rows.length === 0 ? 'It recruited none of them.' : (why ? recruitedTable : membersTable)(rows),
        );
      }),
    );
  pools
    .command('history')
    .description('list what was decided about a pool, oldest first')
    .argument('<pool>', 'its name')
    .option('--json', 'print JSON')
    .action((pool: string, options: Json) =>
      withRuntime(async (runtime) => {
        const changes = await (await load()).poolHistory(runtime, pool);
        print(options, changes, () => historyTable(changes));
      }),
    );
};
