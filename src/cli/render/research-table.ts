import type { Explanation, FindingRow, RunRow } from '../../operations/research/findings.ts';
import type { RunLimits } from '../../operations/research/limits.ts';
import type { RunResult } from '../../operations/research/research.ts';
import { renderFields, renderTable } from './table.ts';

/** The findings and decisions of a run. */
export const runReport = ({ run, findings, decisions, applied }: RunResult): string => {
  const changes = decisions.filter(({ action }) => action !== 'hold');
  const carriedOut =
    applied === null
      ? 'Dry run: nothing was recorded or changed.'
      : `${applied} of ${changes.length} changes carried out.`;
  return [
    applied === null ? 'Research' : `Research run ${run}`,
    findings.length === 0 ? 'No new findings.' : foundTable(findings),
    decisions.length === 0 ? 'No pools.' : decisionsTable(decisions),
    carriedOut,
  ].join('\n\n');
};

export const runsTable = (runs: readonly RunRow[], width: number): string =>
  renderTable(
    [
      { head: 'run', keep: true },
      'started',
      'status',
      'pools',
      'findings',
      'changes',
      { head: 'by', optional: true },
    ],
    runs.map((row) => [
      row.run,
      minuteOf(row.started_at),
      row.failure === null ? row.status : `${row.status}: ${row.failure}`,
      row.pools_evaluated,
      row.findings,
      row.observe_only ? 'none, observes only' : row.decisions,
      row.trigger,
    ]),
    { width },
  );

export const findingsTable = (findings: readonly FindingRow[], width: number): string =>
  renderTable(
    [{ head: 'finding', keep: true }, 'at', 'kind', 'status', 'summary'],
    findings.map((row) => [row.id, minuteOf(row.created_at), row.kind, row.status, row.summary]),
    { width },
  );

/** Limits of runs. */
export const limitsFields = ({ limits, pools, observe_only }: RunLimits): string =>
  renderFields('limits of research', [
    ['carries out', observe_only ? 'nothing: it observes only' : 'what it decides'],
    ['pools', pools === null ? 'all' : pools.length === 0 ? 'none' : pools.join(', ')],
    ['share, within an hour', `at most × or ÷ ${limits.share_factor_per_hour}`],
    [
      'cap, within an hour',
      `at most × ${limits.size_factor_per_hour}, up to ${limits.size_cap.toLocaleString('en')}`,
    ],
    ['floor', `${rounded(100 * limits.floor)} % of the shares, all pools alike`],
    ['half-life of evidence', `${limits.half_life_h} h`],
    ['draws of a pool', String(limits.draws)],
  ]);

/** Everything behind a run, or a finding of it. */
export const explanationText = ({ run, state, finding }: Explanation): string => {
  const { started } = state;
  if (started === null) return '';
  const about = renderFields(`run ${run}`, [
    ['started', started.at],
    ['status', state.ended ?? 'running'],
    ['policy', started.policy],
    ['seed', String(started.seed)],
    ['figures up to event', started.as_of ?? 'none'],
    [
      'limits',
      Object.entries(started.limits)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    ],
    ['pools it may change', started.pools === null ? 'all' : started.pools.join(', ') || 'none'],
    ['carries out', started.observe_only ? 'nothing: it observes only' : 'what it decides'],
  ]);
  if (finding !== null) return [findingFields(finding), about].join('\n\n');
  return [about, evaluatedTable(state), ...(state.found.length === 0 ? [] : [foundTable(state.found)])].join(
    '\n\n',
  );
};

type Decided = RunResult['decisions'][number];
type Finding = RunResult['findings'][number];

const minuteOf = (at: string | null): string => at?.slice(0, 16).replace('T', ' ') ?? '';
const rounded = (value: number): string => String(Number(value.toPrecision(4)));

const changeText = ({ tuning }: Decided): string =>
  [
    ...(tuning.share === undefined ? [] : [`share ${rounded(tuning.share)}`]),
    ...(tuning.size_cap === undefined ? [] : [`cap ${tuning.size_cap.toLocaleString('en')}`]),
  ].join(', ');

const decisionsTable = (decisions: readonly Decided[]): string =>
  renderTable(
    [{ head: 'pool', keep: true }, 'action', 'change', { head: 'decision', optional: true }],
    decisions.map((each) => [each.pool, each.action, changeText(each), each.decision]),
  );

const foundTable = (findings: readonly Finding[]): string =>
  renderTable(
    [{ head: 'finding', keep: true }, 'kind', 'summary'],
    findings.map(({ finding, kind, summary }) => [finding, kind, summary]),
  );

const share = (part: number, of: number): string => (of === 0 ? '' : `${rounded((100 * part) / of)} %`);

/** How often a pool had the highest draw among those of its platform. */
const winsOf = (pools: Explanation['state']['pools']): ReadonlyMap<string, number> => {
  const wins = new Map<string, number>();
  for (const group of Map.groupBy(pools, ({ platform }) => platform).values()) {
    const rounds = Math.min(...group.map(({ draws }) => draws.length));
    for (let round = 0; round < rounds; round++) {
      const best = group.reduce((a, b) => ((b.draws[round] as number) > (a.draws[round] as number) ? b : a));
      wins.set(best.pool, (wins.get(best.pool) ?? 0) + 1);
    }
  }
  return wins;
};

const evaluatedTable = ({ pools, decided }: Explanation['state']): string => {
  const wins = winsOf(pools);
  return renderTable(
    [
      { head: 'pool', keep: true },
      'share',
      'requests',
      'discovered',
      'namers',
      'a thousand',
      'draws',
      'highest',
      'action',
      'change',
    ],
    pools.map(({ pool, figures, draws }) => {
      const decision = decided.find((each) => each.pool === pool);
      const [requests, discovered] = [figures.requests ?? 0, figures.discovered ?? 0];
      const sorted = draws.toSorted((a, b) => a - b);
      const range =
        sorted.length === 0 ? '' : `${rounded(sorted[0] as number)}–${rounded(sorted.at(-1) as number)}`;
      return [
        pool,
        rounded(figures.share ?? 0),
        rounded(requests),
        rounded(discovered),
        rounded(figures.namers ?? 0),
        requests === 0 ? '' : rounded((1_000 * discovered) / requests),
        range,
        share(wins.get(pool) ?? 0, draws.length),
        decision?.action ?? '',
        decision === undefined ? '' : changeText(decision),
      ];
    }),
  );
};

const findingFields = (finding: Finding): string =>
  renderFields(`${finding.kind}: ${finding.subject}`, [
    ['summary', finding.summary],
    ['confidence', String(finding.confidence)],
    ...Object.entries(finding.metrics).map(([name, value]) => [name, String(value ?? 'unknown')] as const),
    ['decision', finding.decision ?? 'none'],
    ['evidence', finding.evidence.length === 0 ? 'none' : finding.evidence.join('\n')],
  ]);
