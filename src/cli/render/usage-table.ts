import Table from 'cli-table3';
import { formatUsd } from '../../kernel/money.ts';
import { addUsage, type Usage, type UsageBy, type UsageLine } from '../../read/metering/usage.ts';

const count = (n: bigint): string => n.toLocaleString('en-US');

const NOTHING: Usage = {
  requests: 0n,
  refused: 0n,
  budget_units: 0n,
  overage_units: 0n,
  overage_micro_usd: 0n,
  live_calls: 0n,
};

const BAR_WIDTH = 20n;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar as long as `part` is of `whole`, to an eighth of a character; something is never drawn as nothing. */
export const barOf = (part: bigint, whole: bigint): string => {
  if (part <= 0n || whole <= 0n) return '';
  const eighths = (part * BAR_WIDTH * 8n) / whole;
  return '█'.repeat(Number(eighths / 8n)) + (EIGHTHS[Number(eighths % 8n)] ?? '') || '▏';
};

const FIGURES = ['requests', 'refused', 'live calls', 'units', 'overage units', 'overage, dollars'] as const;

const figuresOf = (usage: Usage): readonly string[] => [
  count(usage.requests),
  count(usage.refused),
  count(usage.live_calls),
  count(usage.budget_units + usage.overage_units),
  count(usage.overage_units),
  formatUsd(usage.overage_micro_usd),
];

/** Rows of usage between a head and a total, figures flush right; a bar of units where `bars`. */
export const usageTable = (
  heads: readonly string[],
  rows: readonly { readonly cells: readonly string[]; readonly usage: Usage }[],
  bars: boolean,
): string => {
  const units = ({ budget_units, overage_units }: Usage) => budget_units + overage_units;
  const most = rows.reduce((max, { usage }) => (units(usage) > max ? units(usage) : max), 0n);
  const total = rows.reduce((sum, { usage }) => addUsage(sum, usage), NOTHING);
  const table = new Table({
    head: [...heads, ...FIGURES, ...(bars ? [''] : [])],
    colAligns: [
      ...heads.map(() => 'left' as const),
      ...FIGURES.map(() => 'right' as const),
      ...(bars ? (['left'] as const) : []),
    ],
    style: { head: [], border: [] },
  });
  for (const { cells, usage } of rows)
    table.push([...cells, ...figuresOf(usage), ...(bars ? [barOf(units(usage), most)] : [])]);
  const label = heads.map((_, i) => (i === 0 ? 'total' : ''));
  table.push([...label, ...figuresOf(total), ...(bars ? [''] : [])]);
  const isRule = (line: string) => line.startsWith('├');
  const drawn = table.toString().split('\n');
  const first = drawn.findIndex(isRule);
  const last = drawn.findLastIndex(isRule);
  return drawn.filter((line, i) => !isRule(line) || i === first || i === last).join('\n');
};

const HEADS: Readonly<Record<UsageBy, string>> = { day: 'day (UTC)', endpoint: 'endpoint', key: 'key' };

/** Usage told apart by days, endpoints, keys; by days with bars. */
export const linesTable = (by: readonly UsageBy[], lines: readonly UsageLine[]): string =>
  usageTable(
    by.map((each) => HEADS[each]),
    lines.map((line) => ({ cells: line.by, usage: line })),
    by.includes('day'),
  );
