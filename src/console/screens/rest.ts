import { describeConfig, originsOfSettings, shownValue } from '../../kernel/config.ts';
import { html } from '../../kernel/html.ts';
import { listOperators } from '../../operations/operators.ts';
import { listProxies } from '../../operations/proxies.ts';
import { explain, listFindings, listRuns } from '../../operations/research/findings.ts';
import { readActiveLimits } from '../../operations/research/limits.ts';
import { listSessions } from '../../operations/sessions/sessions.ts';
import { receiptOf } from '../../operations/subjects/receipts.ts';
import { listRequests } from '../../operations/subjects/requests.ts';
import { listSubjects, subjectNamed } from '../../operations/subjects/subjects.ts';
import type { Screen } from '../console.ts';
import { badge, facts, instant, link, note, pathOf, percent, table, UNKNOWN, valueText } from '../view.ts';
import { jobsTable } from './models.ts';

export const sessions: Screen = {
  path: '/sessions',
  nav: { text: 'Sessions', key: 's' },
  everyS: 5,
  show: async (context) => {
    const [found, proxies] = await Promise.all([
      listSessions(context, context.keyring),
      listProxies(context),
    ]);
    return {
      title: 'Sessions and proxies',
      offers: [
        { action: 'session.add', given: {} },
        ...found.flatMap(({ id, label, platform }) => [
          { action: 'session.test', given: { session: id }, label: `Test ${platform} ${label}` },
          { action: 'session.remove', given: { session: id }, label: `Remove ${platform} ${label}` },
        ]),
      ],
      live: [
        table(
          {
            id: 'sessions',
            caption: 'Sessions',
            empty: 'None: what platforms hide from strangers is not read.',
          },
          found,
          [
            { head: 'platform', value: ({ platform }) => platform },
            { head: 'label', value: ({ label }) => label },
            {
              head: 'status',
              value: ({ status }) => status,
              cell: ({ status }) =>
                badge(status, status === 'active' ? 'good' : status === 'resting' ? 'warn' : 'bad'),
            },
            { head: 'proxy', value: ({ proxy }) => proxy },
            { head: 'added', value: ({ created_at }) => created_at, is: 'instant' },
            { head: 'id', value: ({ id }) => id },
          ],
        ),
        table({ id: 'proxies', caption: 'Proxies', empty: 'None: requests go out directly.' }, proxies, [
          { head: 'proxy', value: ({ name }) => name },
          { head: 'address', value: ({ url }) => url },
          { head: 'platform', value: ({ platform }) => platform },
          {
            head: 'status',
            value: ({ status }) => status,
            cell: ({ status }) => badge(status, status === 'usable' ? 'good' : 'warn'),
          },
          { head: 'failures', value: ({ failures }) => failures },
          { head: 'reason', value: ({ reason }) => reason },
          { head: 'rests until', value: ({ resting_until }) => resting_until, is: 'instant' },
        ]),
      ],
    };
  },
};

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

/** A run or a finding, with what it was decided from. */
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

export const erasures: Screen = {
  path: '/erasures',
  nav: { text: 'Erasures', key: 'x' },
  everyS: 5,
  show: async (context) => {
    const [subjects, requests] = await Promise.all([listSubjects(context), listRequests(context)]);
    return {
      title: 'Erasures',
      offers: requests.map(({ id }) => ({
        action: 'request.dismiss',
        given: { request: id },
        label: `Dismiss ${id}`,
      })),
      live: [
        table({ id: 'subjects', caption: 'Erased and suppressed accounts', empty: 'None.' }, subjects, [
          {
            head: 'subject',
            value: ({ subject }) => subject,
            cell: ({ subject }) => link(pathOf('erasures', subject), subject.slice(0, 16)),
          },
          { head: 'state', value: ({ state }) => state },
          { head: 'platform', value: ({ platform }) => platform },
          { head: 'suppressed', value: ({ suppressed_at }) => suppressed_at, is: 'instant' },
          { head: 'due', value: ({ due_at }) => due_at, is: 'instant' },
          { head: 'erased', value: ({ erased_at }) => erased_at, is: 'instant' },
          { head: 'forgotten', value: ({ forgotten_at }) => forgotten_at, is: 'instant' },
        ]),
        table({ id: 'requests', caption: 'Requests of people that wait for you', empty: 'None.' }, requests, [
          { head: 'request', value: ({ id }) => id },
          { head: 'asks for', value: ({ act }) => act },
          { head: 'platform', value: ({ platform }) => platform },
          { head: 'account', value: (request) => request.account },
          { head: 'contact', value: ({ contact }) => contact },
          { head: 'asked', value: ({ at }) => at, is: 'instant' },
        ]),
        jobsTable(context.jobs.list().filter(({ name }) => name === 'erasures' || name === 'lift')),
        note('Erase an account on its page. For what is held about one: sightline subjects export'),
      ],
    };
  },
};

/** An erasure or suppression, with its receipt. */
export const erasure: Screen = {
  path: '/erasures/:subject',
  show: async (context, { params }) => {
    const subject = await subjectNamed(context, params.subject ?? '');
    return {
      title: `Erasure ${subject.subject.slice(0, 16)}`,
      offers:
        subject.state === 'lifted' ? [] : [{ action: 'subject.lift', given: { subject: subject.subject } }],
      live: [
        note('The receipt, signed. docs/privacy.md says how to verify it.'),
        html`<pre>${JSON.stringify(await receiptOf(context, subject), null, 2)}</pre>`,
      ],
    };
  },
};

export const operators: Screen = {
  path: '/operators',
  nav: { text: 'Operators', key: 'o' },
  everyS: 5,
  show: async (context) => {
    const found = await listOperators(context);
    return {
      title: 'Operators',
      offers: [
        { action: 'operator.add', given: {}, values: { role: 'viewer' } },
        ...found.map(({ operator }) => ({
          action: 'operator.remove',
          given: { operator },
          label: `Remove ${operator}`,
        })),
      ],
      live: [
        table({ id: 'operators', caption: 'Who may use this console', empty: 'Nobody.' }, found, [
          { head: 'operator', value: ({ operator }) => operator },
          { head: 'role', value: ({ role }) => role },
          { head: 'open sessions', value: (each) => each.sessions },
        ]),
      ],
    };
  },
};

export const settings: Screen = {
  path: '/settings',
  nav: { text: 'Settings', key: 'g' },
  show: async ({ config }) => {
    const origins = originsOfSettings(process.env);
    return {
      title: 'Settings',
      live: [
        table({ id: 'settings', caption: 'Settings of this process', empty: '' }, describeConfig(), [
          { head: 'setting', value: ({ key }) => key },
          { head: 'value', value: ({ key }) => shownValue(config, key) || null },
          { head: 'from', value: ({ key }) => origins[key] },
          { head: 'meaning', value: ({ about }) => about },
          { head: 'allowed', value: ({ allowed }) => allowed },
          { head: 'default', value: ({ fallback }) => fallback || null },
        ]),
      ],
    };
  },
};
