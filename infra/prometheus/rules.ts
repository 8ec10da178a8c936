import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { ALARMS, type Condition, unitOf } from '../../src/operations/health/alarms.ts';

/** The alerting rules of Prometheus, from the program's table of alarms. `npm run alerts:dump` writes them. */

/** The metric of a measure, without the processes that all show the same. */
export const metricOf = ({
  measure: { name, label, shownBy },
}: Extract<Condition, { measure: unknown }>): string =>
  `max${label === null ? '' : ` by (${label}) `}(${shownBy ?? `sightline_${name}`})`;

const exprOf = (condition: Condition): string =>
  'expr' in condition
    ? condition.expr
    : `${metricOf(condition)} ${condition.is === 'above' ? '>' : '<'} ${condition.threshold}`;

const FORMATS = {
  seconds: 'humanizeDuration',
  bytes: 'humanize1024',
  ratio: 'humanizePercentage',
  number: 'humanize',
};

const textOf = (text: string, condition: Condition): string => {
  if ('expr' in condition) return text;
  const { label } = condition.measure;
  const unit = unitOf(condition.measure);
  return text
    .replaceAll('{subject}', label === null ? 'the service' : `{{ $labels.${label} }}`)
    .replaceAll('{value}', `{{ $value | ${FORMATS[unit]} }}${unit === 'bytes' ? 'B' : ''}`);
};

export const rules = () => ({
  groups: [
    {
      name: 'sightline',
      rules: ALARMS.map((alarm) => ({
        alert: `Sightline${alarm.name}`,
        expr: exprOf(alarm.condition),
        ...(alarm.forS === 0 ? {} : { for: `${alarm.forS}s` }),
        labels: { severity: alarm.severity },
        annotations: {
          summary: textOf(alarm.says, alarm.condition),
          remedy: textOf(alarm.remedy, alarm.condition),
          runbook: `docs/operating.md#${alarm.runbook}`,
        },
      })),
    },
  ],
});

export const rulesText = (): string =>
  `# Written by \`npm run alerts:dump\` from src/operations/health/alarms.ts.\n${stringify(rules(), { lineWidth: 0 })}`;

if (import.meta.main) {
  await writeFile(fileURLToPath(new URL('alerts.yml', import.meta.url)), rulesText());
  console.log('infra/prometheus/alerts.yml written.');
}
