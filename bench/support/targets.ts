import { renderTable } from '../../src/cli/render/table.ts';

/** What a bench promises of one figure, and what came out. */
export interface Goal {
  readonly bench: string;
  readonly what: string;
  readonly ratio: number;
  readonly goal: number;
  /** `least`: the ratio is to reach the goal; `most`: it is to stay at or below it. */
  readonly kind: 'least' | 'most';
}

/** Makes goals of a bench: figures that are to reach a bar, and figures that are to stay at or below one. */
export const goalsFor = (bench: string) => ({
  least: (what: string, ratio: number, goal: number): Goal => ({ bench, what, ratio, goal, kind: 'least' }),
  most: (what: string, ratio: number, goal: number): Goal => ({ bench, what, ratio, goal, kind: 'most' }),
});

/** What a bench found. */
export interface Report {
  readonly bench: string;
  /** Column names, then rows: what was measured, for people. */
  readonly table: readonly (readonly string[])[];
  readonly goals: readonly Goal[];
  /** What the figures mean and what was compared. */
  readonly notes: readonly string[];
}

export const isMet = ({ ratio, goal, kind }: Goal): boolean =>
  // An equality in the printed digits is one.
  kind === 'least' ? Number(ratio.toFixed(2)) >= goal : Number(ratio.toFixed(2)) <= goal;

/** One digit, or two where one would round. */
const goalText = (goal: number): string =>
  Number(goal.toFixed(1)) === goal ? goal.toFixed(1) : goal.toFixed(2);

export const goalLine = (goal: Goal): string =>
  `${goal.bench} ${goal.what}: ${goal.ratio.toFixed(2)} goal ${goalText(goal.goal)} ${isMet(goal) ? 'met' : 'short'}`;

/** The table, what it means, and one line a goal at the end. */
export const printReport = (report: Report): void => {
  const [head = [], ...rows] = report.table;
  console.log(`\n${report.bench}\n${renderTable(head, rows)}`);
  for (const note of report.notes) console.log(`  ${note}`);
};

export const printJson = (reports: readonly Report[]): void => {
  const withMet = reports.map((report) => ({
    ...report,
    goals: report.goals.map((goal) => ({ ...goal, met: isMet(goal) })),
  }));
  console.log(JSON.stringify(withMet, null, 2));
};

/** Where a long bench stands; never on standard output, which is for results. */
export const progress = (text: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
};
