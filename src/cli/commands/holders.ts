import { Command } from 'commander';
import { formatUsd } from '../../kernel/money.ts';
import { print, printJson } from '../../kernel/terminal.ts';
import type { Plans } from '../../operations/holders/change-holder.ts';
import type { HolderDetails, HolderListing, HolderTerms } from '../../operations/holders/holders.ts';
import { keyTable } from '../render/key-table.ts';
import { listing, type Output, printList } from '../render/listing.ts';
import { renderFields, renderTable } from '../render/table.ts';
import { recorded, withRuntime } from '../with-runtime.ts';

/** `sightline holders`: who may call the API. */
export const holdersCommand = (): Command => {
  const holders = new Command('holders')
    .description('manage holders: the customers who may call the API')
    .addHelpText(
      'after',
      `
Examples:
  sightline holders add "Acme Research"                 its id is acme-research
  sightline holders add "Acme Research" --plan growth
  sightline holders show acme-research
  sightline holders suspend acme-research --reason "invoice 12 is unpaid"
  sightline holders list`,
    );
  recorded(holders.command('add'))
    .argument('<name>', 'the name of a person or company')
    .option('--id <id>', 'its id; derived from the name by default')
    .option('--plan <plan>', 'its plan; the lowest by default')
    .description('add a holder; to issue its keys: sightline keys issue')
    .action((name: string, { id = null, plan = null }: { id?: string | null; plan?: string | null }) =>
      withRuntime(async (runtime) => {
        const { addHolder } = await load();
        print(await addHolder(runtime, { name, id, plan }));
      }),
    );
  holders
    .command('show')
    .argument('<holder>', 'id of the holder')
    .option('--json', 'print JSON')
    .description("show a holder's terms and keys")
    .action((id: string, options: { json?: boolean }) =>
      withRuntime(async (runtime) => {
        const { activePlans, showHolder } = await load();
        const details = await showHolder(runtime, id);
        const { terms, keys, wallet } = details;
        if (options.json === true) {
          const money = {
            charged_micro_usd: String(wallet.charged),
            balance_micro_usd: String(wallet.balance),
          };
          printJson({ ...terms, ...money, keys }, 2);
          return;
        }
        print(termsTable(details, await activePlans(runtime.config)));
        if (keys.length > 0) print(`\n${keyTable(keys)}`);
      }),
    );
  recorded(holders.command('suspend'), 'required')
    .argument('<holder>', 'id of the holder')
    .description('refuse all keys of a holder until it is resumed; every process does within a second')
    .action((holder: string, { reason }: { reason: string }) =>
      withRuntime(async (runtime) => {
        const isChanged = await (await load()).suspendHolder(runtime, holder, reason);
        print(isChanged ? `${holder} is suspended.` : `${holder} was suspended already.`);
      }),
    );
  recorded(holders.command('resume'))
    .argument('<holder>', 'id of the holder')
    .description('end the suspension of a holder')
    .action((holder: string) =>
      withRuntime(async (runtime) => {
        const isChanged = await (await load()).resumeHolder(runtime, holder);
        print(isChanged ? `${holder} is resumed.` : `${holder} is not suspended.`);
      }),
    );
  listing(holders.command('list'))
    .description('list the holders')
    .action((options: Output) =>
      withRuntime(async (runtime) => {
        const { activePlans, listHolders } = await load();
        const rows = await listHolders(runtime);
        const plans = await activePlans(runtime.config);
        printList(options, rows, { table: (width) => listTable(rows, plans, width) });
      }),
    );
  return holders;
};

const planText = ({ plan }: Pick<HolderTerms, 'plan'>, plans: Plans): string => {
  if (plan === null) return `${plans.default.name} (none was chosen)`;
  return plans.find(plan) === null ? `${plan} (not among the active plans)` : plan;
};

const overageText = (holder: HolderTerms, plans: Plans): string => {
  if (!holder.overage_on) return 'off';
  const { cap_micro_usd: cap } = holder;
  const on = cap === null ? 'on, without a cap' : `on, up to ${formatUsd(BigInt(cap))} dollars a period`;
  const plan = holder.plan === null ? plans.default : plans.find(holder.plan);
  return plan?.overage_micro_usd === null ? `${on} (no effect: ${plan.name} has no overage)` : on;
};

const usd = (micro: bigint): string => `${formatUsd(micro)} dollars`;

const termsTable = ({ terms: holder, wallet }: HolderDetails, plans: Plans): string =>
  renderFields(`${holder.holder}: ${holder.name}`, [
    ['since', holder.registered_at],
    ...(holder.suspended_at === null
      ? []
      : [['suspended', `since ${holder.suspended_at}: ${holder.suspended_why}`] as const]),
    ['plan', planText(holder, plans)],
    ['on it since', holder.plan_started_at],
    ['overage', overageText(holder, plans)],
    ['credited to the wallet', usd(wallet.credited)],
    ['charged', usd(wallet.charged)],
    ['balance', usd(wallet.balance)],
    ['keys in use', holder.keys],
  ]);

/** Modules of the commands, loaded when one runs. */
const load = async () => ({
  ...(await import('../../operations/holders/holders.ts')),
  ...(await import('../../operations/holders/change-holder.ts')),
});

const listTable = (rows: readonly HolderListing[], plans: Plans, width: number): string =>
  renderTable(
    [
      { head: 'holder', keep: true },
      'name',
      'plan',
      'since',
      'keys in use',
      { head: 'suspended', optional: true },
    ],
    rows.map((row) => [
      row.holder,
      row.name,
      planText(row, plans),
      row.registered_at.slice(0, 10),
      row.keys,
      row.suspended_at?.slice(0, 10) ?? '',
    ]),
    { width },
  );
