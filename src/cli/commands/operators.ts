import { Command } from 'commander';
import { print } from '../../kernel/terminal.ts';
import { listing, type Output, printList } from '../render/listing.ts';
import { renderTable } from '../render/table.ts';
import { localUser, recorded, withRuntime } from '../with-runtime.ts';

const load = () => import('../../operations/operators.ts');

/** `sightline operators`: who may use the console. */
export const operatorsCommand = (): Command => {
  const operators = new Command('operators').description('manage who may use the console').addHelpText(
    'after',
    `
Roles: a viewer looks, an operator tunes engines and pools and repairs read models, an administrator does the rest:
customers, keys, sessions, operators.

Examples:
  sightline operators add ada --role operator
  sightline operators list
  sightline operators remove ada --reason "left the team"`,
  );
  listing(operators.command('list'))
    .description('list the operators, with their roles and open sessions')
    .action((options: Output) =>
      withRuntime(async (runtime) => {
        const rows = await (await load()).listOperators(runtime);
        printList(options, rows, {
          empty: 'No operators yet. The first is you: sightline console login',
          table: (width) =>
            renderTable(
              ['operator', 'role', 'sessions'],
              rows.map(({ operator, role, sessions }) => [operator, role, String(sessions)]),
              { width },
            ),
        });
      }),
    );
  recorded(operators.command('add'))
    .description('add an operator, or change the role of one')
    .argument('<operator>', 'the name: a-z, 0-9 and ._+-, or an e-mail address')
    .requiredOption('--role <role>', 'viewer, operator or administrator')
    .action((operator: string, { role }: { role: string }) =>
      withRuntime(async (runtime) => {
        const isChanged = await (await load()).addOperator(runtime, operator, role);
        print(
          isChanged
            ? `${operator} is ${role} now. For a link: sightline console login ${operator}`
            : `${operator} is ${role} already: nothing changed.`,
        );
      }),
    );
  recorded(operators.command('remove'), 'required')
    .description('remove an operator, whose sessions end at once')
    .argument('<operator>', 'the name')
    .action((operator: string) =>
      withRuntime(async (runtime) => {
        await (await load()).removeOperator(runtime, operator);
        print(`${operator} is removed.`);
      }),
    );
  return operators;
};

/** `sightline console`: how to get into the console. */
export const consoleCommand = (): Command => {
  const group = new Command('console').description('open the console of a running service in a browser');
  recorded(group.command('login'))
    .description('print a link that logs an operator in: once, and within five minutes')
    .argument('[operator]', 'the name; your own name on this system by default')
    .addHelpText(
      'after',
      `
Where there are no operators yet, the first login adds its operator as an administrator.

Examples:
  sightline console login
  sightline console login ada`,
    )
    .action((operator: string | undefined) =>
      withRuntime(async (runtime) => {
        const { addOperator, consoleOrigin, listOperators, loginToken } = await load();
        const name = operator ?? localUser().toLowerCase();
        const origin = await consoleOrigin(runtime);
        if ((await listOperators(runtime)).length === 0) {
          await addOperator(runtime, name, 'administrator');
          print(`${name} is the first operator, as an administrator.`);
        }
        print(`${origin}/login?token=${await loginToken(runtime, name)}`);
      }),
    );
  return group;
};
