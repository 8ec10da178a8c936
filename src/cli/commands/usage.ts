import { Command, InvalidArgumentError } from 'commander';
import { formatUsd } from '../../kernel/money.ts';
import { print, printJson } from '../../kernel/terminal.ts';
import { type PeriodUsage, USAGE_BY, type Usage, type UsageBy } from '../../operations/help-constants.ts';
import type { Plans } from '../../operations/holders/change-holder.ts';
import type { Audit, HolderUsage } from '../../operations/usage/usage.ts';
import { isJson, listing, type Output, printList } from '../render/listing.ts';
import { logProgress } from '../render/progress.ts';
import { plural, renderFields, renderTable } from '../render/table.ts';
import { linesTable, usageTable } from '../render/usage-table.ts';
import { withRuntime } from '../with-runtime.ts';

/** `sightline usage`: what holders used and were charged. */
export const usageCommand = (): Command => {
  const usage = new Command('usage')
    .description('show and audit what holders used, were charged and have left')
    .addHelpText(
      'after',
      `
Examples:
  sightline usage show acme-research                       the running period
  sightline usage show acme-research --by-day
  sightline usage show acme-research --by-endpoint --by-key --period all
  sightline usage audit                                    reconcile usage, charges, wallets and the log
  sightline usage audit acme-research --json`,
    );
  listing(usage.command('show'))
    .argument('<holder>', 'id of the holder')
    .option('--by-day', 'usage by UTC day')
    .option('--by-endpoint', 'usage by endpoint')
    .option('--by-key', 'usage by key; the three options can be combined')
    .option('--period <n>', 'number of a period, or all for all periods', periodOf, 'running')
    .description('show what a holder used, was charged and has left')
    .addHelpText(
      'after',
      `
Examples:
  sightline usage show acme-research --by-day
  sightline usage show acme-research --by-endpoint --period 2 --output csv
  sightline usage show acme-research --period all          a line for each period`,
    )
    .action((id: string, options: ShowOptions) =>
      withRuntime(async (runtime) => {
        const { activePlans } = await import('../../operations/holders/change-holder.ts');
        const { readUsage } = await import('../../operations/usage/usage.ts');
        const plans = await activePlans(runtime.config);
        const grouped = { day: options.byDay, endpoint: options.byEndpoint, key: options.byKey };
        const by = USAGE_BY.filter((each) => grouped[each] === true);
        const usage = await readUsage(runtime, id, options.period, by);
        const whole = showJson(usage, by, options.period, plans);
        if (isJson(options)) {
          printJson(whole, 2);
          return;
        }
        // The rows of CSV are those that the table has: of what was asked for, or of the periods.
        printList(options, whole.usage ?? whole.periods, {
          table: (width) =>
            [
              summary(usage, options.period, plans, width),
              ...(usage.lines.length > 0 ? ['', linesTable(by, usage.lines, width)] : []),
            ].join('\n'),
        });
      }),
    );
  usage
    .command('audit')
    .argument('[holder]', 'id of a holder; all by default')
    .option('--json', 'print JSON')
    .description('reconcile usage, charges, wallets and the log; exits with 1 if they differ')
    .addHelpText(
      'after',
      `
Examples:
  sightline usage audit
  sightline usage audit acme-research
  sightline usage audit --json | jq .differences`,
    )
    .action((id: string | undefined, options: { json?: boolean }) =>
      withRuntime(async (runtime) => {
        const { auditLedger } = await import('../../operations/usage/usage.ts');
        const progress = await logProgress('audit', runtime);
        const audit = await auditLedger(runtime, id ?? null, (done, total) =>
          progress.update(Number(done), Number(total)),
        ).finally(() => progress.end());
        if (audit.differences.length > 0) process.exitCode = 1;
        if (options.json !== true) {
          sayAudit(audit);
          return;
        }
        const { holders, periods, lines, chargedMicroUsd } = totalsOf(audit);
        const totals = { holders, periods, ledger_lines: lines, charged_micro_usd: String(chargedMicroUsd) };
        printJson({ ...totals, differences: audit.differences }, 2);
      }),
    );
  return usage;
};

type Period = number | 'running' | 'all';

interface ShowOptions extends Output {
  readonly byDay?: boolean;
  readonly byEndpoint?: boolean;
  readonly byKey?: boolean;
  readonly period: Period;
}

const periodOf = (text: string): Period => {
  if (text === 'all') return text;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('A period is a number from 1 on, or all.');
  return Number(text);
};

const count = (n: bigint | number): string => n.toLocaleString('en-US');
const usd = (micro: bigint): string => `${formatUsd(micro)} dollars`;

/** `950 of 1,000 (95.0 %)`; the units alone if the plan is no longer active. */
const quotaText = ({ plan, budget_units: used }: PeriodUsage, plans: Plans): string => {
  const units = plans.find(plan)?.units;
  if (units === undefined) return `${count(used)} (${plan} is not among the active plans)`;
  const percent = units === 0 ? '' : ` (${(Number((used * 1_000n) / BigInt(units)) / 10).toFixed(1)} %)`;
  return `${count(used)} of ${count(units)}${percent}`;
};

const STATES: Readonly<Record<PeriodUsage['state'], string>> = {
  running: 'running',
  ended: 'ended, not settled yet',
  settled: 'settled',
};

const periodRows = (one: PeriodUsage, plans: Plans): readonly (readonly [string, string])[] => [
  ['period', `${one.period} (${STATES[one.state]})`],
  ['plan', one.plan],
  ['from', one.started_at],
  ['to', one.ends_at],
  ['units of the quota', quotaText(one, plans)],
  ['overage', `${count(one.overage_units)} units, ${usd(one.overage_micro_usd)}`],
  ['live calls', count(one.live_calls)],
  ['requests', count(one.requests)],
  ['refused', count(one.refused)],
];

const walletRows = ({ wallet, reserved }: HolderUsage): readonly (readonly [string, string])[] => [
  ['wallet', `${usd(wallet.credited)} credited, ${usd(wallet.charged)} charged`],
  ['balance', usd(wallet.balance)],
  [
    'in flight',
    reserved.calls === 0n
      ? 'no live calls'
      : `${plural(reserved.calls, 'live call')}: ${count(reserved.units)} units, ${usd(reserved.overage_micro_usd)} of overage`,
  ],
];

const summary = (usage: HolderUsage, period: Period, plans: Plans, width: number): string => {
  const { holder, periods } = usage;
  const table = (rows: readonly (readonly [string, string])[]) =>
    renderFields(`${holder.holder}: ${holder.name}`, rows, width);
  if (periods.length === 0)
    return `${table(walletRows(usage))}\n${holder.holder} has never called: its first request begins a period.`;
  if (period === 'all') {
    const rows = periods.map((one) => ({
      cells: [
        String(one.period),
        one.plan,
        one.started_at.slice(0, 10),
        one.ends_at.slice(0, 10),
        STATES[one.state],
      ],
      usage: one satisfies Usage,
    }));
    return `${table(walletRows(usage))}\n\n${usageTable(['period', 'plan', 'from', 'to', 'state'], rows, true, width)}`;
  }
  const one = periods.find((each) =>
    period === 'running' ? each.state === 'running' : each.period === period,
  );
  if (one !== undefined) return table([...periodRows(one, plans), ...walletRows(usage)]);
  return `${table(walletRows(usage))}\nNo period is running: the next request begins one. See those that ended with --period all.`;
};

/** Counts are numbers; money is micro-dollars as text, since sums may exceed what a JSON number holds. */
const usageJson = (usage: Usage) => ({
  requests: Number(usage.requests),
  refused: Number(usage.refused),
  budget_units: Number(usage.budget_units),
  overage_units: Number(usage.overage_units),
  overage_micro_usd: String(usage.overage_micro_usd),
  live_calls: Number(usage.live_calls),
});

const showJson = (
  { holder, periods, wallet, reserved, lines }: HolderUsage,
  by: readonly UsageBy[],
  period: Period,
  plans: Plans,
) => ({
  holder: holder.holder,
  wallet: {
    credited_micro_usd: String(wallet.credited),
    charged_micro_usd: String(wallet.charged),
    balance_micro_usd: String(wallet.balance),
  },
  in_flight: {
    live_calls: Number(reserved.calls),
    units: Number(reserved.units),
    overage_micro_usd: String(reserved.overage_micro_usd),
  },
  periods: periods
    .filter(
      (one) => period === 'all' || (period === 'running' ? one.state === 'running' : one.period === period),
    )
    .map(({ period: n, plan, state, started_at, ends_at, ...usage }) => ({
      ...{ period: n, plan, state, started_at, ends_at, units: plans.find(plan)?.units ?? null },
      ...usageJson(usage),
    })),
  ...(by.length === 0
    ? {}
    : {
        usage: lines.map((line) => ({
          ...Object.fromEntries(by.map((each, i) => [each, line.by[i]])),
          ...usageJson(line),
        })),
      }),
});

/** Maximum holders that an audit lists one by one. */
const MAX_NAMED = 30;

const auditRows = ({ ledger, differences }: Audit) =>
  ledger.holders.map(({ holder, credited, charged }) => {
    const periods = ledger.periods.filter((row) => row.holder === holder);
    const wrong = differences.filter((difference) => difference.holder === holder).length;
    return [
      holder,
      count(periods.length),
      count(periods.reduce((sum, { lines }) => sum + lines, 0)),
      formatUsd(charged ?? 0n),
      formatUsd((credited ?? 0n) - (charged ?? 0n)),
      wrong === 0 ? 'consistent' : plural(wrong, 'difference'),
    ];
  });

const totalsOf = ({ ledger }: Audit) => ({
  holders: ledger.holders.length,
  periods: ledger.periods.length,
  lines: ledger.periods.reduce((sum, { lines }) => sum + lines, 0),
  chargedMicroUsd: ledger.holders.reduce((sum, { charged }) => sum + (charged ?? 0n), 0n),
});

const sayAudit = (audit: Audit): void => {
  const { ledger, differences } = audit;
  if (ledger.holders.length > 0 && ledger.holders.length <= MAX_NAMED)
    print(
      renderTable(
        [
          { head: 'holder', keep: true },
          'periods',
          'ledger lines',
          'charged, dollars',
          'balance, dollars',
          'ledger',
        ],
        auditRows(audit),
      ),
    );
  if (differences.length > 0)
    print(
      renderTable(
        ['holder', 'what', 'expected', 'found'],
        differences.map(({ holder, what, expected, found }) => [holder, what, expected, found]),
      ),
    );
  const { holders, periods, lines, chargedMicroUsd } = totalsOf(audit);
  print(
    `${plural(holders, 'holder')}, ${plural(periods, 'period')}, ${plural(lines, 'ledger line')}, ${usd(chargedMicroUsd)} charged: ${
      differences.length === 0 ? 'consistent.' : `${plural(differences.length, 'difference')}.`
    }`,
  );
};
