/** The table of alarms. `infra/prometheus/alerts.yml` and the panels of the dashboard are made of it. */

import { LITTLE_BYTES } from './disk.ts';
import { MEASURES, type Measure, type MeasureName, type Value } from './measures.ts';

export interface Alarm {
  readonly name: string;
  /** Somebody gets up at night for a page, and looks in the morning at a ticket. */
  readonly severity: 'page' | 'ticket';
  readonly condition: Condition;
  /** How long that must hold. */
  readonly forS: number;
  /** What is wrong. `{subject}` and `{value}` are filled in. */
  readonly says: string;
  /** The heading of the operations page that says more, as an anchor. */
  readonly runbook: string;
  /** What ends it: a command where there is one. */
  readonly remedy: string;
}

/** A measure beyond a threshold, or an expression of Prometheus for what the service can't tell when it does not run. */
export type Condition =
  | { readonly measure: Measure; readonly is: 'above' | 'below'; readonly threshold: number }
  | { readonly expr: string };

const measured = (name: MeasureName, is: 'above' | 'below', threshold: number): Condition => ({
  measure: MEASURES.find((each) => each.name === name) as Measure,
  is,
  threshold,
});

const DAY_S = 86_400;

export const ALARMS: readonly Alarm[] = [
  {
    name: 'InstanceDown',
    severity: 'page',
    condition: { expr: 'up{job="sightline"} == 0' },
    forS: 60,
    says: '{{ $labels.instance }} does not answer.',
    runbook: 'a-process-is-down',
    remedy: 'read the log of the process, and start it again',
  },
  {
    name: 'ApiProcessDown',
    severity: 'page',
    condition: { expr: 'sightline_api_process_up == 0' },
    forS: 60,
    says: 'The process of the API on {{ $labels.instance }} does not serve.',
    runbook: 'a-process-is-down',
    remedy: 'read the log: the supervisor starts the process again',
  },
  {
    name: 'NotReady',
    severity: 'page',
    condition: { expr: 'sightline_ready == 0' },
    forS: 60,
    says: '{{ $labels.instance }} is not ready: the database, the event log or a part of it does not answer.',
    runbook: 'a-process-is-down',
    remedy: 'curl /readyz names the part',
  },
  {
    name: 'AlarmsNotEvaluated',
    severity: 'page',
    condition: { expr: 'max(sightline_measures_age_seconds) > 60 or min(sightline_measures_readable) == 0' },
    forS: 60,
    says: 'Measures are not taken: no alarm of the service itself is raised.',
    runbook: 'alarms-are-blind',
    remedy: 'check the database and the log of the service',
  },
  {
    name: 'MeasureUnreadable',
    severity: 'ticket',
    condition: { expr: 'min by (measure) (sightline_measure_readable) == 0' },
    forS: 120,
    says: '{{ $labels.measure }} could not be read: its alarms are not raised.',
    runbook: 'alarms-are-blind',
    remedy: 'read the log of the service; a read model may not be built yet',
  },
  {
    name: 'RoleMissing',
    severity: 'page',
    condition: measured('role_silent_seconds', 'above', 7),
    forS: 15,
    says: 'No process has the role {subject}.',
    runbook: 'a-process-is-down',
    remedy: 'sightline start --role {subject}',
  },
  {
    name: 'RequestsFailing',
    severity: 'page',
    condition: measured('failing_requests_ratio', 'above', 0.05),
    forS: 60,
    says: '{value} of the requests fail.',
    runbook: 'requests-fail',
    remedy: 'find the error in the log by its request_id',
  },
  {
    name: 'ProjectionLagging',
    severity: 'page',
    condition: measured('projection_lag_seconds', 'above', 120),
    forS: 60,
    says: '{subject} is {value} behind the event log.',
    runbook: 'read-models-are-behind',
    remedy: 'sightline projections lag --watch',
  },
  {
    name: 'ProjectionStalled',
    severity: 'page',
    condition: measured('projection_stalls', 'above', 0),
    forS: 0,
    says: '{subject} is stalled at an event that it can’t apply.',
    runbook: 'read-models-are-behind',
    remedy: 'sightline projections lag',
  },
  {
    name: 'StreamsParked',
    severity: 'ticket',
    condition: measured('parked_streams', 'above', 0),
    forS: 0,
    says: '{subject} has {value} streams in its dead-letter queue.',
    runbook: 'read-models-are-behind',
    remedy: 'sightline projections parked list',
  },
  {
    name: 'RelayLagging',
    severity: 'page',
    condition: measured('relay_lag_seconds', 'above', 120),
    forS: 60,
    says: 'The relay to Kafka is {value} behind the event log.',
    runbook: 'read-models-are-behind',
    remedy: 'check the brokers, and the process with the role relay',
  },
  {
    name: 'NoReadings',
    severity: 'page',
    condition: measured('crawl_silent_seconds', 'above', 180),
    forS: 60,
    says: '{subject} has read nothing for {value}, although accounts are due.',
    runbook: 'nothing-is-read',
    remedy: 'sightline engines show {subject}',
  },
  {
    name: 'EngineDegraded',
    severity: 'ticket',
    condition: measured('engine_degraded', 'above', 0),
    forS: 0,
    says: 'The platform of {subject} refuses requests, or shows what can’t be read.',
    runbook: 'nothing-is-read',
    remedy: 'sightline engines show {subject}',
  },
  {
    name: 'ReadingsInconclusive',
    severity: 'ticket',
    condition: measured('inconclusive_readings_ratio', 'above', 0.5),
    forS: 120,
    says: '{value} of the readings of {subject} are inconclusive.',
    runbook: 'nothing-is-read',
    remedy: 'sightline engines probe {subject}',
  },
  {
    name: 'FreshnessMissed',
    severity: 'ticket',
    condition: measured('freshness_over_target', 'above', 1),
    forS: 120,
    says: 'Readings of {subject} are {value} times as old as its pools allow.',
    runbook: 'accounts-wait-too-long',
    remedy: 'sightline pools list: raise the rate or the intervals',
  },
  {
    name: 'BacklogOld',
    severity: 'ticket',
    condition: measured('backlog_age_seconds', 'above', DAY_S),
    forS: 60,
    says: 'An account of {subject} has been due for {value}.',
    runbook: 'accounts-wait-too-long',
    remedy: 'sightline top: raise the rate of the engine, or the intervals of its pools',
  },
  {
    name: 'SessionsUsedUp',
    severity: 'ticket',
    condition: measured('usable_sessions', 'below', 1),
    forS: 60,
    says: 'No session of {subject} can send requests.',
    runbook: 'nothing-is-read',
    remedy: 'sightline sessions list',
  },
  {
    name: 'WalletEmpty',
    severity: 'ticket',
    condition: measured('wallet_balance_usd', 'below', 0.01),
    forS: 0,
    says: 'The wallet of {subject} has {value} US dollars.',
    runbook: 'a-wallet-is-empty',
    remedy: 'sightline wallet credit {subject}',
  },
  {
    name: 'DiskFilling',
    severity: 'page',
    condition: measured('disk_hours_left', 'below', 24),
    forS: 60,
    says: 'The disk of {subject} is full in {value} hours.',
    runbook: 'the-disk-fills',
    remedy: 'make the disk larger, or lower the rates of engines',
  },
  {
    name: 'DiskNearlyFull',
    severity: 'page',
    condition: measured('disk_free_bytes', 'below', LITTLE_BYTES),
    forS: 60,
    says: 'The disk of {subject} has {value} left: below 512 MiB nothing is written.',
    runbook: 'the-disk-fills',
    remedy: 'make the disk larger; sightline projections list shows builds that can be dropped',
  },
  {
    name: 'BackupOld',
    severity: 'ticket',
    condition: measured('backup_age_seconds', 'above', 2 * DAY_S),
    forS: 0,
    says: 'The last verified backup is {value} old.',
    runbook: 'the-backup-is-old',
    remedy: 'sightline backup --out FOLDER',
  },
  {
    name: 'ResearchFailed',
    severity: 'ticket',
    condition: measured('research_failed', 'above', 0),
    forS: 0,
    says: 'The last run of research failed.',
    runbook: 'accounts-wait-too-long',
    remedy: 'sightline research list',
  },
  {
    name: 'ResearchLimited',
    severity: 'ticket',
    condition: measured('research_capped_pools', 'above', 0),
    forS: 0,
    says: '{value} full pools have the largest cap that research may give.',
    runbook: 'accounts-wait-too-long',
    remedy: 'sightline research limits --size-cap',
  },
];

/** Alarms that the service raises itself. */
export const OWN_ALARMS = ALARMS.flatMap((alarm) =>
  'measure' in alarm.condition ? [{ ...alarm, condition: alarm.condition }] : [],
);

export const isBeyond = (
  { is, threshold }: Extract<Condition, { readonly measure: Measure }>,
  value: number,
): boolean => (is === 'above' ? value > threshold : value < threshold);

/** `projection_lag_seconds above 120`, or what Prometheus evaluates. */
export const conditionText = (condition: Condition): string =>
  'expr' in condition
    ? `Prometheus: ${condition.expr}`
    : `${condition.measure.name} ${condition.is} ${condition.threshold}`;

/** A text of an alarm for a subject. */
export const filled = (
  text: string,
  { measure }: Extract<Condition, { readonly measure: Measure }>,
  { subject, value }: Value,
): string => text.replaceAll('{subject}', subject).replaceAll('{value}', shown(unitOf(measure), value));

/** The unit of a measure, which its name ends with. */
export const unitOf = ({ name }: Pick<Measure, 'name'>): 'seconds' | 'bytes' | 'ratio' | 'number' =>
  (['seconds', 'bytes', 'ratio'] as const).find((unit) => name.endsWith(`_${unit}`)) ?? 'number';

const shown = (unit: ReturnType<typeof unitOf>, value: number): string => {
  switch (unit) {
    case 'seconds':
      return value < 7_200 ? `${Math.round(value)} s` : `${Math.round(value / 3_600)} h`;
    case 'bytes':
      return `${(value / 2 ** 30).toFixed(1)} GiB`;
    case 'ratio':
      return `${(100 * value).toFixed(0)} %`;
    case 'number':
      return Number.isInteger(value) || Math.abs(value) >= 100
        ? String(Math.round(value))
        : value.toPrecision(3);
  }
};
