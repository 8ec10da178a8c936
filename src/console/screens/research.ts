import { html } from '../../kernel/html.ts';
import { explain, listFindings, listRuns } from '../../operations/research/findings.ts';
import { readActiveLimits } from '../../operations/research/limits.ts';
import type { Screen } from '../console.ts';
import { facts, instant, link, note, pathOf, percent, table, UNKNOWN, valueText } from '../view.ts';

const SHOWN = 200;

export const research: Screen = {
  path: '/research',
  nav: { text: 'Research', key: 'r' },
  everyS: 5,
  show: async (context) => {
    const [findings, runs, limits] = await Promise.all([
      listFindings(context, SHOWN),
      listRuns(context, SHOWN),
      readActiveLimits(context),
    ]);
    return {
      title: 'Research',
      offers: [
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
        facts(
          Object.entries(limits).map(
            ([name, value]) =>
              [
                name.replaceAll('_', ' '),
                typeof value === 'object' ? JSON.stringify(value) : valueText(value),
              ] as const,
          ),
        ),
        table({ id: 'findings', caption: 'Findings, newest first', empty: 'None yet.' }, findings, [
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

export const finding: Screen = {
  path: '/research/:id',
  show: async (context, { params }) => {
    const id = params.id ?? '';
    const { run, state, finding: found } = await explain(context, id);
    const listed = (await listFindings(context, SHOWN)).find((each) => each.id === id);
    return {
      title: found === null ? `Run ${run}` : `${found.kind}: ${found.subject}`,
      offers:
        listed?.status === 'open'
          ? [
              { action: 'finding.confirm', given: { finding: id } },
              { action: 'finding.dismiss', given: { finding: id } },
            ]
          : [],
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
        html`<h2>The run</h2><pre>${JSON.stringify(state, null, 2)}</pre>`,
      ],
    };
  },
};
