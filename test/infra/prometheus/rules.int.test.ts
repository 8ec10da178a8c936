import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ALARMS, type Alarm, type Condition } from '../../../src/operations/health/alarms.ts';

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) console.warn('There is no promtool: the rules of Prometheus are not tested.');

type Measured = Extract<Condition, { measure: unknown }>;

const seriesOf = ({ measure: { name, label, shownBy } }: Measured): string =>
  `${shownBy ?? `sightline_${name}`}${label === null ? '' : `{${label}="one"}`}`;

/** Series that raise an alarm from the first minute on, for those that Prometheus alone evaluates. */
const OUTSIDE: Readonly<Record<string, readonly [series: string, good: number, bad: number]>> = {
  InstanceDown: ['up{job="sightline",instance="one"}', 1, 0],
  ApiProcessDown: ['sightline_api_process_up', 1, 0],
  NotReady: ['sightline_ready{instance="one"}', 1, 0],
  AlarmsNotEvaluated: ['sightline_measures_age_seconds', 15, 61],
  MeasureUnreadable: ['sightline_measure_readable{measure="one"}', 1, 0],
};

const valuesOf = ({ name, condition }: Alarm): readonly [series: string, good: number, bad: number] => {
  if ('expr' in condition) {
    const found = OUTSIDE[name];
    if (found === undefined) throw new Error(`no series of ${name}`);
    return found;
  }
  const { is, threshold } = condition;
  return [seriesOf(condition), threshold, is === 'above' ? threshold * 1.1 + 1 : threshold * 0.9 - 0.001];
};

/** What `promtool` says of rules that see some series for ten minutes. */
const promtool = (
  tests: readonly {
    readonly series: string;
    readonly values: string;
    readonly alarm: string;
    readonly fires: boolean;
  }[],
): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-rules-'));
  try {
    copyFileSync('infra/prometheus/alerts.yml', join(folder, 'alerts.yml'));
    writeFileSync(
      join(folder, 'test.yml'),
      stringify({
        rule_files: ['alerts.yml'],
        evaluation_interval: '15s',
        tests: tests.map(({ series, values, alarm, fires }) => ({
          name: alarm,
          interval: '15s',
          input_series: [{ series, values }],
          promql_expr_test: [
            {
              expr: `count(ALERTS{alertname="Sightline${alarm}",alertstate="firing"})`,
              eval_time: '5m',
              exp_samples: fires ? [{ labels: '{}', value: 1 }] : [],
            },
          ],
        })),
      }),
    );
    return execFileSync('promtool', ['test', 'rules', join(folder, 'test.yml')], { encoding: 'utf8' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return `${stdout ?? ''}${stderr ?? ''}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe.skipIf(!hasPromtool)('a rule of Prometheus', () => {
  it.each(ALARMS)('$name fires within five minutes of its cause, and not at its threshold', (alarm) => {
    const [series, good, bad] = valuesOf(alarm);
    const said = promtool([
      { series, values: `${bad}x40`, alarm: alarm.name, fires: true },
      { series, values: `${good}x40`, alarm: alarm.name, fires: false },
    ]);
    expect(said).toContain('SUCCESS');
  });

  it('fires while the database is down, a projector is stopped, or nothing is read', () => {
    const said = promtool([
      { series: 'sightline_measures_readable', values: '1x4 0x40', alarm: 'AlarmsNotEvaluated', fires: true },
      {
        series: 'sightline_projection_lag_seconds{projection="directory"}',
        values: '0+15x40',
        alarm: 'ProjectionLagging',
        fires: true,
      },
      {
        series: 'sightline_crawl_silent_seconds{engine="x"}',
        values: '0+15x40',
        alarm: 'NoReadings',
        fires: true,
      },
    ]);
    expect(said).toContain('SUCCESS');
  });
});
