import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { OWN_ALARMS, unitOf } from '../../src/operations/health/alarms.ts';
import { metricOf } from '../prometheus/rules.ts';

/** The Grafana dashboard, from the metrics that every process serves at `/metrics`. `npm run dashboard:dump` writes it. */

interface Query {
  readonly expr: string;
  readonly legend: string;
}

interface Panel {
  readonly title: string;
  readonly about: string;
  readonly unit: 'short' | 's' | 'reqps' | 'ops' | 'percentunit' | 'bytes';
  readonly queries: readonly Query[];
}

const UNITS = { seconds: 's', bytes: 'bytes', ratio: 'percentunit', number: 'short' } as const;

/** A panel of each alarm that a measure decides. */
const alarmPanels = OWN_ALARMS.map(({ name, condition }): Panel => {
  const { measure, is, threshold } = condition;
  return {
    title: name,
    about: `${measure.help} The alarm is raised ${is} ${threshold}.`,
    unit: UNITS[unitOf(measure)],
    queries: [
      { expr: metricOf(condition), legend: measure.label === null ? 'service' : `{{${measure.label}}}` },
      { expr: `vector(${threshold})`, legend: 'threshold' },
    ],
  };
});

const rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[] = [
  {
    title: 'Alarms',
    panels: [
      {
        title: 'Raised',
        about: 'Alarms that are raised, by name: `sightline alarms` says since when, and what ends them.',
        unit: 'short',
        queries: [{ expr: 'max by (alarm) (sightline_alarms)', legend: '{{alarm}}' }],
      },
      {
        title: 'Ready',
        about: '1 while a process is ready.',
        unit: 'short',
        queries: [{ expr: 'sightline_ready', legend: '{{instance}}' }],
      },
      {
        title: 'Measures',
        about: 'Time since the service measured itself, and measures that could not be read.',
        unit: 's',
        queries: [
          { expr: 'max(sightline_measures_age_seconds)', legend: 'age' },
          { expr: 'count(sightline_measure_readable == 0)', legend: 'unreadable' },
        ],
      },
      ...alarmPanels,
    ],
  },
  {
    title: 'API',
    panels: [
      {
        title: 'Requests',
        about: 'Requests per second, by operation.',
        unit: 'reqps',
        queries: [
          {
            expr: 'sum by (operation) (rate(sightline_http_request_duration_seconds_count[5m]))',
            legend: '{{operation}}',
          },
        ],
      },
      {
        title: 'Request latency',
        about: 'Median, 95th and 99th percentile over all operations.',
        unit: 's',
        queries: [0.5, 0.95, 0.99].map((quantile) => ({
          expr: `histogram_quantile(${quantile}, sum by (le) (rate(sightline_http_request_duration_seconds_bucket[5m])))`,
          legend: `p${quantile * 100}`,
        })),
      },
      {
        title: 'Errors',
        about:
          'Error responses per second, by code. internal and service_unavailable are server errors, the others client errors.',
        unit: 'reqps',
        queries: [
          { expr: 'sum by (code) (rate(sightline_http_request_errors_total[5m]))', legend: '{{code}}' },
        ],
      },
    ],
  },
  {
    title: 'Projections and relay',
    panels: [
      {
        title: 'Projection lag',
        about: 'Unprocessed events by projection; the maximum over all processes.',
        unit: 'short',
        queries: [
          { expr: 'max by (projection) (sightline_projection_lag_events)', legend: '{{projection}}' },
        ],
      },
      {
        title: 'Stalled projections',
        about:
          '1 while a projection or one of its partitions is stalled at a poison event: `sightline projections lag` shows which.',
        unit: 'short',
        queries: [
          {
            expr: 'max by (projection, partition) (sightline_projection_stalled)',
            legend: '{{projection}} {{partition}}',
          },
        ],
      },
      {
        title: 'Published to Kafka',
        about: 'Events per second, by topic, and the lag of the relay.',
        unit: 'ops',
        queries: [
          { expr: 'sum by (topic) (rate(sightline_relay_published_events_total[5m]))', legend: '{{topic}}' },
          { expr: 'max(sightline_relay_lag_events)', legend: 'lag' },
        ],
      },
    ],
  },
  {
    title: 'Crawlers',
    panels: [
      {
        title: 'Reads',
        about: 'Accounts read per second, by platform.',
        unit: 'ops',
        queries: [
          { expr: 'sum by (platform) (rate(sightline_crawl_readings_total[5m]))', legend: '{{platform}}' },
        ],
      },
      {
        title: 'Inconclusive reads',
        about: 'Fraction of all reads, by platform.',
        unit: 'percentunit',
        queries: [
          {
            expr: 'sum by (platform) (rate(sightline_crawl_readings_total{outcome=~"unknown.*"}[5m])) / sum by (platform) (rate(sightline_crawl_readings_total[5m]))',
            legend: '{{platform}}',
          },
        ],
      },
      {
        title: 'Outcomes',
        about: 'Reads per second, by outcome.',
        unit: 'ops',
        queries: [
          { expr: 'sum by (outcome) (rate(sightline_crawl_readings_total[5m]))', legend: '{{outcome}}' },
        ],
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'CPU',
        about: 'Cores in use, by process.',
        unit: 'percentunit',
        queries: [{ expr: 'rate(process_cpu_seconds_total{job="sightline"}[5m])', legend: '{{instance}}' }],
      },
      {
        title: 'Memory',
        about: 'Resident set size, by process.',
        unit: 'bytes',
        queries: [{ expr: 'process_resident_memory_bytes{job="sightline"}', legend: '{{instance}}' }],
      },
      {
        title: 'Event loop lag',
        about: '99th percentile, by process.',
        unit: 's',
        queries: [{ expr: 'nodejs_eventloop_lag_p99_seconds{job="sightline"}', legend: '{{instance}}' }],
      },
    ],
  },
];

const COLUMNS = 3;
const WIDTH = 8;
const HEIGHT = 8;
const SOURCE = { type: 'prometheus', uid: 'prometheus' };

const panelOf = (panel: Panel, id: number, x: number, y: number) => ({
  id,
  type: 'timeseries',
  title: panel.title,
  description: panel.about,
  datasource: SOURCE,
  gridPos: { x, y, w: WIDTH, h: HEIGHT },
  fieldConfig: { defaults: { unit: panel.unit, min: 0 }, overrides: [] },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
  targets: panel.queries.map(({ expr, legend }, i) => ({
    refId: String.fromCodePoint(65 + i),
    datasource: SOURCE,
    expr,
    legendFormat: legend,
  })),
});

export const dashboard = () => {
  let id = 0;
  let y = 0;
  const panels = rows.flatMap(({ title, panels: own }) => {
    const top = y;
    y += 1 + Math.ceil(own.length / COLUMNS) * HEIGHT;
    return [
      { id: ++id, type: 'row', title, collapsed: false, gridPos: { x: 0, y: top, w: 24, h: 1 }, panels: [] },
      ...own.map((panel, i) =>
        panelOf(panel, ++id, (i % COLUMNS) * WIDTH, top + 1 + Math.floor(i / COLUMNS) * HEIGHT),
      ),
    ];
  });
  return {
    uid: 'sightline',
    title: 'Sightline',
    schemaVersion: 41,
    tags: ['sightline'],
    timezone: 'utc',
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    panels,
  };
};

export const dashboardText = (): string => `${JSON.stringify(dashboard(), null, 2)}\n`;

if (import.meta.main) {
  await writeFile(fileURLToPath(new URL('dashboards/sightline.json', import.meta.url)), dashboardText());
  console.log('infra/grafana/dashboards/sightline.json written.');
}
