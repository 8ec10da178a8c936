import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { EngineState } from '../../operations/engines/engines.ts';
import { ALARMS } from '../../operations/health/alarms.ts';
import { type Evaluation, readEvaluation } from '../../operations/health/evaluate.ts';
import { isAlive, listProcesses, missingRoles, missingText } from '../../operations/health/processes.ts';
import type { Screen } from '../console.ts';
import {
  badge,
  bytes,
  duration,
  facts,
  link,
  note,
  pathOf,
  percent,
  table,
  UNKNOWN,
  valueText,
} from '../view.ts';
import { engineBadge } from './engines.ts';

/** The largest value of a measure; null if it was not taken. */
const largest = (evaluation: Evaluation | null, measure: string): number | null => {
  const values = evaluation?.measures[measure];
  return values == null || values.length === 0 ? null : Math.max(...values.map(({ value }) => value));
};

const smallest = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.min(...known);
};

const alarmsTable = (evaluation: Evaluation | null) =>
  table(
    {
      id: 'alarms',
      caption: 'Alarms',
      empty: evaluation === null ? 'Nothing was measured yet.' : 'Nothing is raised.',
    },
    evaluation?.alarms ?? [],
    [
      {
        head: 'alarm',
        value: ({ alarm }) => alarm,
        cell: ({ alarm, subject }) => link(pathOf('alarms', alarm, subject), alarm),
      },
      {
        head: 'severity',
        value: ({ severity }) => severity,
        cell: ({ severity }) => badge(severity, severity === 'page' ? 'bad' : 'warn'),
      },
      { head: 'since', value: ({ since }) => since, is: 'instant' },
      { head: 'what', value: ({ detail }) => detail },
      { head: 'what ends it', value: ({ remedy }) => remedy },
      { head: 'seen', value: ({ acknowledged }) => acknowledged?.note ?? 'no' },
    ],
  );

const enginesTable = (engines: readonly EngineState[]) =>
  table({ id: 'engines', caption: 'Engines', empty: 'No engine has reported yet.' }, engines, [
    { head: 'engine', value: ({ key }) => key, cell: ({ key }) => link(pathOf('engines', key), key) },
    { head: 'status', value: ({ status }) => status, cell: engineBadge },
    { head: 'readings in the last minute', value: ({ perMin }) => perMin['1m'] },
    { head: 'a minute in the last hour', value: ({ perMin }) => perMin['1h'] },
    { head: 'due', value: ({ backlog }) => backlog },
    {
      head: 'oldest due',
      value: ({ oldestDueS }) => oldestDueS,
      cell: ({ oldestDueS }) => duration(oldestDueS),
    },
  ]);

export const tonight: Screen = {
  path: '/',
  nav: { text: 'Tonight', key: 't' },
  everyS: 3,
  show: async ({ db, log, engines }) => {
    const [processes, evaluation, states, head] = await Promise.all([
      listProcesses(db),
      readEvaluation(db),
      engines.read('1h').catch(() => []),
      log.head().catch(() => null),
    ]);
    const missing = missingRoles(processes);
    const alive = processes.filter(isAlive);
    const relay = largest(evaluation, 'relay_lag_seconds');
    return {
      title: 'Tonight',
      live: [
        ...missing.map((each) => note(badge(missingText(each), 'bad'))),
        facts([
          ['alarms', evaluation === null ? UNKNOWN : valueText(evaluation.alarms.length)],
          ['measured', evaluation === null ? UNKNOWN : `${duration(evaluation.age_s)} ago`],
          ['event log', head === null ? badge('does not answer', 'bad') : `at position ${head}`],
          ['slowest read model', `${duration(largest(evaluation, 'projection_lag_seconds'))} behind`],
          ['Kafka', relay === null ? 'not used' : `${duration(relay)} behind`],
          ['requests that fail', percent(largest(evaluation, 'failing_requests_ratio'))],
          ['disk', `${bytes(smallest(alive.map(({ disk_free }) => disk_free)))} free`],
          [
            'disk is full in',
            duration(
              ((hours) => (hours === null ? null : hours * 3_600))(
                smallest(alive.map((each) => each.disk_hours_left)),
              ),
            ),
          ],
        ]),
        alarmsTable(evaluation),
        enginesTable(states),
        table({ id: 'processes', caption: 'Processes', empty: 'No process has reported.' }, processes, [
          { head: 'process', value: ({ id }) => id },
          { head: 'host', value: ({ host }) => host },
          { head: 'roles', value: ({ roles }) => roles.join(', ') },
          {
            head: 'state',
            value: (each) => (each.stopped ? 'stopped' : isAlive(each) ? 'alive' : 'silent'),
            cell: (each) =>
              each.stopped
                ? badge('stopped', 'plain')
                : badge(isAlive(each) ? 'alive' : 'silent', isAlive(each) ? 'good' : 'bad'),
          },
          {
            head: 'heard of',
            value: ({ silent_s }) => silent_s,
            cell: ({ silent_s }) => `${duration(silent_s)} ago`,
          },
          {
            head: 'disk free',
            value: ({ disk_free }) => disk_free,
            cell: ({ disk_free }) => bytes(disk_free),
          },
        ]),
      ],
    };
  },
};

/** An alarm that is raised, with what ends it. */
export const alarm: Screen = {
  path: '/alarms/:alarm/:subject',
  everyS: 5,
  show: async ({ db }, { params: { alarm: name = '', subject = '' } }) => {
    const known = ALARMS.find((each) => each.name === name);
    if (known === undefined) throw new OperatorError('argument_invalid', `There is no alarm ${name}.`);
    const evaluation = await readEvaluation(db);
    const open = evaluation?.alarms.find((each) => each.alarm === name && each.subject === subject);
    const values = 'measure' in known.condition ? evaluation?.measures[known.condition.measure.name] : null;
    const value = values?.find((each) => each.subject === subject)?.value ?? null;
    return {
      title: `${name}: ${subject}`,
      live: [
        facts([
          ['state', open === undefined ? badge('not raised', 'good') : badge('raised', 'bad')],
          ['severity', known.severity === 'page' ? 'page: somebody gets up' : 'ticket: in the morning'],
          ['since', open === undefined ? UNKNOWN : `${open.since.slice(0, 19).replace('T', ' ')} UTC`],
          [
            'for',
            open === undefined ? UNKNOWN : duration((systemClock.now() - Date.parse(open.since)) / 1_000),
          ],
          ['measured now', valueText(value)],
          ['raised after', `${known.forS} s`],
          ['seen', open?.acknowledged?.note ?? 'no'],
        ]),
        ...(open === undefined ? [] : [note(open.detail), note(`What ends it: ${open.remedy}`)]),
        note(`docs/operating.md, under ${known.runbook}, says more.`),
      ],
      offers:
        open === undefined || open.acknowledged !== null
          ? []
          : [{ action: 'alarm.acknowledge', given: { alarm: name, subject } }],
    };
  },
};
