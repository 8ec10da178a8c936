import { formatUsd } from '../../kernel/money.ts';
import { addUsage, type Usage, type UsageBy, type UsageLine } from '../../operations/help-constants.ts';
import { type Cell, renderTable, terminalWidth } from './table.ts';

/** A bar as long as `part` is of `whole`, to an eighth of a character; something is never drawn as nothing. */
export const barOf = (part: bigint, whole: bigint, width = BAR_WIDTH): string => {
  if (part <= 0n || whole <= 0n) return '';
  const eighths = (part * width * 8n) / whole;
  return '█'.repeat(Number(eighths / 8n)) + (EIGHTHS[Number(eighths % 8n)] ?? '') || '▏';
};

/** Rows of usage between a head and a total, figures flush right; a bar of units where `bars`. */
export const usageTable = (
  heads: readonly string[],
  rows: readonly { readonly cells: readonly string[]; readonly usage: Usage }[],
  bars: boolean,
  width = terminalWidth(),
): string => {
  const units = ({ budget_units, overage_units }: Usage) => budget_units + overage_units;
  const max = rows.reduce((so, { usage }) => (units(usage) > so ? units(usage) : so), 0n);
  const total = rows.reduce((sum, { usage }) => addUsage(sum, usage), NOTHING);
  const row = (cells: readonly Cell[], usage: Usage, bar: string) => [
    ...cells,
    ...figuresOf(usage),
    ...(bars ? [bar] : []),
  ];
  return renderTable(
    [...heads, ...FIGURES, ...(bars ? [''] : [])],
    rows.map(({ cells, usage }) =>
      row(cells, usage, barOf(units(usage), max, width < WIDE ? SHORT_BAR : BAR_WIDTH)),
    ),
    {
      width,
      total: row(
        heads.map((_, i) => (i === 0 ? 'total' : '')),
        total,
        '',
      ),
    },
  );
};

/** Usage by day, endpoint or key; by day with bars. */
export const linesTable = (
  by: readonly UsageBy[],
  lines: readonly UsageLine[],
  width = terminalWidth(),
): string =>
  usageTable(
    by.map((each) => HEADS[each]),
    lines.map((line) => ({ cells: line.by, usage: line })),
    by.includes('day'),
    width,
  );

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
/** Bars are this long where a terminal is narrower than the table with the others. */
const SHORT_BAR = 6n;
const WIDE = 110;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

const FIGURES = ['requests', 'refused', 'live calls', 'units', 'overage units', 'overage, dollars'] as const;

const figuresOf = (usage: Usage): readonly string[] => [
  count(usage.requests),
  count(usage.refused),
  count(usage.live_calls),
  count(usage.budget_units + usage.overage_units),
  count(usage.overage_units),
  formatUsd(usage.overage_micro_usd),
];

const HEADS: Readonly<Record<UsageBy, string>> = { day: 'day (UTC)', endpoint: 'endpoint', key: 'key' };
