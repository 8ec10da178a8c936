import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { OperatorError } from '../../kernel/errors/codes.ts';
import { formatUsd } from '../../kernel/money.ts';
import type { Wallet } from '../../operations/usage/usage.ts';
import type { HolderTerms } from '../../read/holders/holders.ts';
import type { Plans } from '../../write/metering/plans.ts';
import { keyTable } from '../render/key-table.ts';
import { renderFields, renderTable } from '../render/table.ts';
import { withRuntime } from '../with-runtime.ts';

/** `Acme Research` → `acme-research`. */
const idOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60) || `holder-${randomBytes(4).toString('hex')}`;

const planText = ({ plan }: Pick<HolderTerms, 'plan'>, plans: Plans): string => {
  if (plan === null) return `${plans.default.name} (none was chosen)`;
  return plans.find(plan) === null ? `${plan} (not among the plans in force)` : plan;
};

const overageText = (holder: HolderTerms, plans: Plans): string => {
  if (!holder.overage_on) return 'off';
  const { cap_micro_usd: cap } = holder;
  const on = cap === null ? 'on, without a cap' : `on, up to ${formatUsd(BigInt(cap))} dollars a period`;
  const plan = holder.plan === null ? plans.default : plans.find(holder.plan);
  return plan?.overage_micro_usd === null ? `${on} (no effect: ${plan.name} has no overage)` : on;
};

const usd = (micro: bigint): string => `${formatUsd(micro)} dollars`;

const termsTable = (holder: HolderTerms, wallet: Wallet, plans: Plans): string =>
  renderFields(`${holder.holder}: ${holder.name}`, [
    ['since', holder.registered_at],
    ['plan', planText(holder, plans)],
    ['on it since', holder.plan_started_at],
    ['overage', overageText(holder, plans)],
    ['credited to the wallet', usd(wallet.credited)],
    ['charged', usd(wallet.charged)],
    ['balance', usd(wallet.balance)],
    ['keys in use', holder.keys],
  ]);

/** What the commands work with, loaded when one runs. */
const load = async () => ({
  ...(await import('../../write/holders/holder-commands.ts')),
  ...(await import('../../write/metering/load-plans.ts')),
  ...(await import('../../operations/holders/read-holders.ts')),
  ...(await import('../../operations/usage/usage.ts')),
});

/** `sightline holders`: who may call the API. */
export const holdersCommand = (): Command => {
  const holders = new Command('holders').description('who may call the API, and on what terms').addHelpText(
    'after',
    `
Examples:
  sightline holders add "Acme Research"                 its id is acme-research
  sightline holders add "Acme Research" --plan growth
  sightline holders show acme-research
  sightline holders list`,
  );
  holders
    .command('add')
    .argument('<name>', 'the name of a person or company')
    .option('--id <id>', 'its id, where the one made of the name will not do')
    .option('--plan <plan>', 'the plan that it is on; the lowest where not given')
    .description('add a holder; its keys are issued with: sightline keys issue')
    .action((name: string, options: { id?: string; plan?: string }) =>
      withRuntime(async (runtime) => {
        const { changeHolder, loadPlans, registerHolder } = await load();
        const holder = options.id ?? idOf(name);
        if (!/^[a-z0-9][a-z0-9-]{0,59}$/.test(holder)) {
          throw new OperatorError(
            `"${holder}" is no holder id: use up to 60 of a-z, 0-9 and -, as acme-research`,
          );
        }
        const plans = await loadPlans(runtime.config);
        const events = await changeHolder(runtime, holder, (at) =>
          registerHolder({ holder, name, plan: options.plan ?? null }, plans, at),
        );
        if (events.length === 0)
          throw new OperatorError(`There is a holder ${holder} already. Choose another id with --id.`);
        console.log(holder);
      }),
    );
  holders
    .command('show')
    .argument('<holder>', 'id of the holder')
    .option('--json', 'print JSON')
    .description("show a holder's terms and keys")
    .action((id: string, options: { json?: boolean }) =>
      withRuntime(async (runtime) => {
        const { loadPlans, readHolder, readKeys, readWallet } = await load();
        const holder = await readHolder(runtime, id);
        if (holder === null)
          throw new OperatorError(`There is no holder ${id}. List them with: sightline holders list`);
        const keys = await readKeys(runtime, id);
        const wallet = await readWallet(runtime, holder);
        if (options.json === true) {
          const money = {
            charged_micro_usd: String(wallet.charged),
            balance_micro_usd: String(wallet.balance),
          };
          console.log(JSON.stringify({ ...holder, ...money, keys }, null, 2));
          return;
        }
        console.log(termsTable(holder, wallet, await loadPlans(runtime.config)));
        if (keys.length > 0) console.log(`\n${keyTable(keys)}`);
      }),
    );
  holders
    .command('list')
    .option('--json', 'print JSON')
    .description('list the holders')
    .action((options: { json?: boolean }) =>
      withRuntime(async (runtime) => {
        const { loadPlans, readHolders } = await load();
        const rows = await readHolders(runtime);
        if (options.json === true) {
          console.log(JSON.stringify(rows, null, 2));
          return;
        }
        const plans = await loadPlans(runtime.config);
        console.log(
          renderTable(
            [{ head: 'holder', keep: true }, 'name', 'plan', 'since', 'keys in use'],
            rows.map((row) => [
              row.holder,
              row.name,
              planText(row, plans),
              row.registered_at.slice(0, 10),
              row.keys,
            ]),
          ),
        );
      }),
    );
  return holders;
};
