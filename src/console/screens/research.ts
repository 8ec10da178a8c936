import { html } from '../../kernel/html.ts';
import { explain, listFindings, listRuns } from '../../operations/research/findings.ts';
import { type ActiveLimits, readActiveLimits } from '../../operations/research/limits.ts';
import type { RunState } from '../../write/research/research.ts';
import { ANY_TEXT, type Offer, oneOf, type Screen } from '../console.ts';
import {
  facts,
  heading,
  instant,
  link,
  note,
  type Piece,
  pathOf,
  percent,
  table,
  UNKNOWN,
  valueText,
} from '../view.ts';
import { jobsTable } from './models.ts';

const SHOWN = 200;

/** Limits of research, with their labels. */
export const LIMITS = [
  ['share_factor_per_hour', 'Most that a share grows by an hour, as a factor'],
  ['size_factor_per_hour', 'Most that a cap grows by an hour, as a factor'],
  ['size_cap', 'Largest cap'],
  ['floor', 'Least share of a platform'],
  ['half_life_h', 'Hours after which evidence counts half'],
] as const;

const FINDING_STATUSES = ['open', 'confirmed', 'dismissed', 'superseded'] as const;

const choice = (name: string, chosen: string, options: readonly string[]) =>
  html`<label>${name}<select name="${name}"><option value="">all</option>${options.map(
    (each) => html`<option${each === chosen ? html` selected` : null}>${each}</option>`,
  )}</select></label>`;

/** Limits of what runs decide, in words. */
const limitsFacts = ({ limits, pools, observe_only }: ActiveLimits) =>
  facts([
    ['decides', observe_only ? 'nothing: it only observes' : 'shares and caps of pools'],
    ['for', pools === null ? 'all pools' : pools.join(', ') || 'no pool'],
    ...LIMITS.map(([name, label]) => [label, valueText(limits[name] ?? null)] as const),
  ]);

/** Actions on all open findings that are shown, with their number. */
const bulkOffers = (open: readonly { readonly id: string }[], kind: string): readonly Offer[] => {
  if (open.length < 2) return [];
  const given = { finding: open.map(({ id }) => id).join(' ') };
  const all = `all ${open.length} open findings${kind === '' ? '' : ` of ${kind}`}`;
  return [
    { action: 'finding.confirm', given, label: `Confirm ${all}` },
    { action: 'finding.dismiss', given, label: `Dismiss ${all}` },
  ];
};

export const research: Screen = {
  path: '/research',
  query: { kind: ANY_TEXT, status: oneOf(FINDING_STATUSES) },
  nav: { text: 'Research', key: 'r' },
  everyS: 5,
  show: async (context, { query }) => {
    const { kind = '', status = '' } = query;
    const [all, runs, limits] = await Promise.all([
      listFindings(context, SHOWN),
      listRuns(context, SHOWN),
      readActiveLimits(context),
    ]);
    const findings = all.filter(
      (each) => (kind === '' || each.kind === kind) && (status === '' || each.status === status),
    );
    const kinds = [...new Set(all.map((each) => each.kind))].toSorted();
    return {
      title: 'Research',
      search: html`<form class="filter" action="/research">${choice('kind', kind, kinds)}${choice('status', status, FINDING_STATUSES)}<button>Filter findings</button></form>`,
      offers: [
        ...bulkOffers(
          findings.filter((each) => each.status === 'open'),
          kind,
        ),
        {
          action: 'research.limits',
          given: {},
          values: {
            ...Object.fromEntries(
              Object.entries(limits.limits).map(([name, value]) => [name, String(value)]),
            ),
            observe_only: limits.observe_only ? 'yes' : 'no',
            pools: limits.pools?.join(', ') ?? '',
          },
        },
      ],
      live: [
        limitsFacts(limits),
        table({ id: 'findings', caption: 'Findings, newest first', empty: 'None.' }, findings, [
          {
            head: 'finding',
            value: ({ kind }) => kind,
            cell: ({ id, kind }) => link(pathOf('research', id), kind),
          },
          { head: 'about', value: ({ subject }) => subject },
          { head: 'says', value: ({ summary }) => summary },
          {
            head: 'confidence',
            value: ({ confidence }) => confidence,
            cell: ({ confidence }) => percent(confidence),
          },
          { head: 'evidence', value: ({ evidence }) => evidence.length },
          { head: 'status', value: ({ status }) => status },
          { head: 'found', value: ({ created_at }) => created_at, is: 'instant' },
        ]),
        table({ id: 'runs', caption: 'Runs, newest first', empty: 'None yet.' }, runs, [
          { head: 'run', value: ({ run }) => run, cell: ({ run }) => link(pathOf('research', run), run) },
          { head: 'status', value: ({ status }) => status },
          { head: 'began', value: ({ started_at }) => started_at, is: 'instant' },
          { head: 'pools', value: ({ pools_evaluated }) => pools_evaluated },
          { head: 'findings', value: (run) => run.findings },
          { head: 'decisions', value: ({ decisions }) => decisions },
          { head: 'observes only', value: ({ observe_only }) => observe_only },
          { head: 'failure', value: ({ failure }) => failure },
        ]),
      ],
    };
  },
};

/** What a run saw of each pool and decided: the shares that it set beside those that it found. */
const runPieces = ({ started, pools, decided, ended }: RunState): readonly Piece[] => {
  const decisionOf = (pool: string) => decided.find((each) => each.pool === pool);
  const figures = [...new Set(pools.flatMap((each) => Object.keys(each.figures)))];
  return [
    heading('The run'),
    facts([
      ['state', ended ?? 'it runs, or its process ended'],
      ['began', instant(started?.at ?? null)],
      ['begun by', started?.trigger ?? UNKNOWN],
      ['policy', started?.policy ?? UNKNOWN],
      ['seed', started === null ? UNKNOWN : String(started.seed)],
    ]),
    table({ id: 'decisions', caption: 'What it decided', empty: 'It evaluated no pool.' }, pools, [
      { head: 'pool', value: ({ pool }) => pool, cell: ({ pool }) => link(pathOf('pools', pool), pool) },
      { head: 'decision', value: ({ pool }) => decisionOf(pool)?.action ?? 'none' },
      { head: 'share before', value: (each) => each.figures.share ?? null },
      { head: 'share that it set', value: ({ pool }) => decisionOf(pool)?.tuning.share ?? null },
      { head: 'cap before', value: (each) => each.figures.size_cap ?? null },
      { head: 'cap that it set', value: ({ pool }) => decisionOf(pool)?.tuning.size_cap ?? null },
      { head: 'heir', value: ({ pool }) => decisionOf(pool)?.heir ?? null },
    ]),
    table({ id: 'figures', caption: 'What it decided that from', empty: 'Nothing.' }, pools, [
      { head: 'pool', value: ({ pool }) => pool },
      ...figures.map((name) => ({
        head: name.replaceAll('_', ' '),
        value: (each: RunState['pools'][number]) => each.figures[name] ?? null,
      })),
    ]),
  ];
};

export const finding: Screen = {
  path: '/research/:id',
  everyS: 5,
  show: async (context, { params }) => {
    const id = params.id ?? '';
    const { run, state, finding: found } = await explain(context, id);
    const listed = (await listFindings(context, SHOWN)).find((each) => each.id === id);
    return {
      title: found === null ? `Run ${run}` : `${found.kind}: ${found.subject}`,
      offers: [
        ...(listed?.status === 'open'
          ? [
              { action: 'finding.confirm', given: { finding: id } },
              { action: 'finding.dismiss', given: { finding: id } },
            ]
          : []),
        { action: 'research.replay', given: { run } },
      ],
      live: [
        ...(found === null || listed === undefined
          ? []
          : [
              note(listed.summary),
              facts([
                ['status', listed.status],
                ['confidence', percent(listed.confidence)],
                ['why it was reviewed so', listed.reason ?? UNKNOWN],
                ['run', link(pathOf('research', run), run)],
                ['found', instant(listed.created_at)],
                ...Object.entries(listed.metrics).map(
                  ([name, value]) => [name.replaceAll('_', ' '), valueText(value)] as const,
                ),
              ]),
              table({ id: 'evidence', caption: 'Evidence', empty: 'None.' }, listed.evidence_positions, [
                {
                  head: 'position',
                  value: (position) => position,
                  cell: (position) => link(pathOf('events', position), position),
                },
              ]),
            ]),
        ...runPieces(state),
        jobsTable(context.jobs.list().filter(({ name }) => name === `replay ${run}`)),
      ],
    };
  },
};
