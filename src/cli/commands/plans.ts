import { Command } from 'commander';
import { formatUsd } from '../../kernel/money.ts';
import { print, printJson } from '../../kernel/terminal.ts';
import type { Plan, Plans } from '../../operations/holders/change-holder.ts';
import { isJson, listing, type Output, printList } from '../render/listing.ts';
import { renderTable, wrapped } from '../render/table.ts';
import { recorded, withRuntime } from '../with-runtime.ts';

/** `sightline plans`: what holders can be on. */
export const plansCommand = (): Command => {
  const plans = new Command('plans')
    .alias('plan')
    .description('show the plans, and put holders on them')
    .addHelpText(
      'after',
      `
PLAN_SET selects one of the two published sets of plans; PLANS_FILE names a file with your own.

Examples:
  sightline plans show
  PLAN_SET=B sightline plans show
  sightline plan set acme-research growth
  sightline plan set acme-research free --revoke-surplus`,
    );
  listing(plans.command('show'))
    .description('show the active plans')
    .action(async (options: Output) => {
      const { activePlans, parseConfig, SCOPES } = await load();
      const active = await activePlans(parseConfig(process.env));
      const all = jsonOf(active);
      if (isJson(options)) printJson(all, 2);
      else printList(options, all.plans, { table: (width) => describe(active, SCOPES.length, width) });
    });
  recorded(plans.command('set'))
    .argument('<holder>', 'id of the holder')
    .argument('<plan>', 'name of the plan')
    .option('--revoke-surplus', 'revoke the newest keys if more are in use than the plan allows')
    .description('put a holder on a plan; a new period of 30 days begins at once')
    .action((holder: string, name: string, options: { revokeSurplus?: boolean }) =>
      withRuntime(async (runtime) => {
        const { setPlan } = await load();
        const { chosen, revokedKeys } = await setPlan(runtime, {
          holder,
          plan: name,
          revokeSurplus: options.revokeSurplus === true,
        });
        print(
          chosen === null
            ? `${holder} is on ${name} already.`
            : `${holder} is on ${chosen.plan} from ${chosen.at}: a new period of 30 days begins.`,
        );
        for (const keyId of revokedKeys) print(`${keyId} is revoked.`);
      }),
    );
  return plans;
};

const count = (n: number): string => n.toLocaleString('en-US');

const featuresOf = ({ scopes, ip_allowlist, support }: Plan, allScopes: number): string =>
  [
    scopes.length === allScopes ? 'every scope' : scopes.join(' '),
    ...(ip_allowlist ? ['keys pinned to addresses'] : []),
    ...(support === null ? [] : [`support: ${support}`]),
  ].join('; ');

const rowOf = (plan: Plan, { inherited }: Plans): readonly string[] => {
  const cell = (figure: keyof Plan, text: string) =>
    inherited.has(`${plan.name}.${figure}`) ? `${text}*` : text;
  const { overage_micro_usd: overage } = plan;
  return [
    plan.name,
    cell('price_micro_usd', formatUsd(BigInt(plan.price_micro_usd))),
    cell('units', count(plan.units)),
    cell('requests_per_minute', count(plan.requests_per_minute)),
    cell('live_per_minute', count(plan.live_per_minute)),
    cell('keys', count(plan.keys)),
    cell('overage_micro_usd', overage === null ? 'none' : formatUsd(BigInt(overage))),
    [plan.weights.catalog, plan.weights.live, plan.weights.upstream ?? 0].join(' / '),
  ];
};

const HEAD = [
  'plan',
  'dollars for 30 days',
  'units for 30 days',
  'requests a minute',
  'live calls a minute',
  'keys',
  'overage, dollars a unit',
  'units: catalog / live / request',
];

const describe = (plans: Plans, allScopes: number, width: number): string =>
  [
    ['A', 'B'].includes(plans.source) ? `Plan set ${plans.source}` : `Plans of ${plans.source}`,
    renderTable(
      HEAD,
      plans.all.map((plan) => rowOf(plan, plans)),
      { width },
    ),
    '',
    ...plans.all.flatMap((plan) =>
      wrapped(`${plan.name}: ${featuresOf(plan, allScopes)}`, width - 2).map(
        (line, i) => `${i === 0 ? '' : '  '}${line}`,
      ),
    ),
    ...(plans.inherited.size === 0
      ? []
      : [`* Set ${plans.source} does not state this figure: set A lends it.`]),
  ].join('\n');

const jsonOf = ({ source, all, inherited }: Plans) => ({
  source,
  plans: all.map((plan) => ({
    ...plan,
    inherited: [...inherited]
      .filter((figure) => figure.startsWith(`${plan.name}.`))
      .map((figure) => figure.slice(plan.name.length + 1)),
  })),
});

/** Modules of the commands, loaded when one runs. */
const load = async () => ({
  ...(await import('../../kernel/config.ts')),
  ...(await import('../../operations/holders/change-holder.ts')),
});
