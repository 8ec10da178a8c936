import { systemClock } from '../../kernel/clock.ts';
import type { Html } from '../../kernel/html.ts';
import { html } from '../../kernel/html.ts';
import type { Source } from '../../kernel/platform.ts';
import { type EngineState, parseEngine, type Window } from '../../operations/engines/engines.ts';
import { newestEvents } from '../../operations/events/newest-events.ts';
import { engineStream } from '../../write/engines.ts';
import { type Asked, type ConsoleContext, oneOf, type Screen } from '../console.ts';
import {
  addressOf,
  badge,
  type Chart,
  duration,
  facts,
  instant,
  link,
  note,
  pathOf,
  percent,
  table,
  UNKNOWN,
  valueText,
} from '../view.ts';
import { eventsTable, streamLink } from './events.ts';

const KINDS = { healthy: 'good', idle: 'plain', paused: 'warn', degraded: 'bad', blocked: 'bad' } as const;

export const engineBadge = ({ status }: Pick<EngineState, 'status'>): Html => badge(status, KINDS[status]);

const WINDOWS: readonly Window[] = ['1m', '1h', '24h'];
const windowOf = ({ query }: Asked): Window => WINDOWS.find((each) => each === query.window) ?? '1h';

const windowsOf = (asked: Asked): Html =>
  html`<p>Window: ${WINDOWS.map((each) =>
    each === windowOf(asked)
      ? html`<strong>${each}</strong> `
      : html`${link(addressOf(asked, { window: each }), each)} `,
  )}</p>`;

/** Why an engine does not read, from an operator, an alarm or its rest. */
const whyOf = ({ row, pause }: EngineState): string =>
  [
    row?.paused_why ?? row?.alarm_detail ?? '',
    pause === null
      ? ''
      : `rests until ${pause.until.slice(11, 19)} UTC${pause.why === null ? '' : `: ${pause.why}`}`,
  ]
    .filter((part) => part !== '')
    .join('; ');

export const engines: Screen = {
  path: '/engines',
  query: { window: oneOf(WINDOWS) },
  nav: { text: 'Engines', key: 'e' },
  everyS: 3,
  show: async (context, asked) => ({
    title: 'Engines',
    search: windowsOf(asked),
    live: [
      table(
        { id: 'engines', caption: 'Crawlers, by platform', empty: 'No engine has reported yet.' },
        await context.engines.read(windowOf(asked)),
        [
          { head: 'engine', value: ({ key }) => key, cell: ({ key }) => link(pathOf('engines', key), key) },
          { head: 'status', value: ({ status }) => status, cell: engineBadge },
          { head: 'why', value: whyOf },
          { head: 'readings a minute', value: ({ perMin }) => perMin[windowOf(asked)] },
          { head: 'requests a minute', value: ({ requestsPerMin }) => requestsPerMin },
          {
            head: 'conclusive',
            value: ({ successRate }) => successRate,
            cell: ({ successRate }) => percent(successRate),
          },
          { head: 'p95 ms', value: ({ latencyMs }) => latencyMs.p95 },
          { head: 'due', value: ({ backlog }) => backlog },
          {
            head: 'oldest due',
            value: ({ oldestDueS }) => oldestDueS,
            cell: ({ oldestDueS }) => duration(oldestDueS),
          },
          {
            head: 'age p50',
            value: ({ freshness }) => freshness.p50_s,
            cell: ({ freshness }) => duration(freshness.p50_s),
          },
          {
            head: 'age p95',
            value: ({ freshness }) => freshness.p95_s,
            cell: ({ freshness }) => duration(freshness.p95_s),
          },
          {
            head: 'target',
            value: ({ freshness }) => freshness.target_s,
            cell: ({ freshness }) => duration(freshness.target_s),
          },
          { head: 'catalog', value: ({ catalogSize }) => catalogSize },
        ],
      ),
    ],
  }),
};

/** What a resumption would do. */
const resumeLabel = (isPaused: boolean, isResting: boolean): string => {
  if (!isPaused) return 'End its rest';
  return isResting ? 'Resume, and end its rest' : 'Resume';
};

/** What an engine did in each minute of the last hour; a gap is a minute that nothing was reported of. */
const minutesCharts = async ({ engines: reads }: ConsoleContext, key: Source): Promise<readonly Chart[]> => {
  const minutes = await reads.minutes(key);
  const names = [...new Set(minutes.flatMap(({ outcomes }) => Object.keys(outcomes ?? {})))].toSorted();
  if (names.length === 0) return [];
  const times = minutes.map(({ minute }) => minute * 60);
  return [
    {
      id: 'outcomes-by-minute',
      caption: 'Readings by outcome, each minute of the last hour',
      times,
      isStacked: true,
      lines: names.map((name) => ({
        name,
        values: minutes.map(({ outcomes }) => (outcomes === null ? null : (outcomes[name] ?? 0))),
      })),
    },
    {
      id: 'requests-by-minute',
      caption: 'Requests, each minute of the last hour',
      times,
      lines: [{ name: 'requests', values: minutes.map(({ requests }) => requests) }],
    },
  ];
};

/** Decisions that an engine's page shows. */
const DECISIONS = 20;

export const engine: Screen = {
  path: '/engines/:engine',
  query: { window: oneOf(WINDOWS) },
  everyS: 3,
  show: async (context, asked) => {
    const key = parseEngine(asked.params.engine ?? '');
    const window = windowOf(asked);
    const all = await context.engines.read(window);
    const found = all.find((each) => each.key === key) as EngineState;
    const { row, pause, latencyMs, freshness } = found;
    const isPaused = row?.paused_at != null;
    const decisions = await context.log.readStream(engineStream(key), {
      direction: 'backwards',
      limit: DECISIONS,
    });
    const paused = decisions.find(({ type }) => type === 'EnginePaused');
    return {
      title: `Engine ${key}`,
      search: windowsOf(asked),
      offers: [
        ...(isPaused || pause !== null
          ? [
              {
                action: 'engine.resume',
                given: { engine: key },
                label: resumeLabel(isPaused, pause !== null),
              },
            ]
          : []),
        ...(isPaused ? [] : [{ action: 'engine.pause', given: { engine: key } }]),
        {
          action: 'engine.tune',
          given: { engine: key },
          values: { rate: row?.rate_per_s == null ? '' : String(row.rate_per_s) },
        },
        ...(found.platform === null ? [] : [{ action: 'engine.probe', given: { engine: key } }]),
      ],
      live: [
        facts([
          ['status', engineBadge(found)],
          ['why', whyOf(found) || 'nothing stops it'],
          ['paused since', instant(row?.paused_at ?? null)],
          ['paused by', isPaused ? (paused?.metadata.actor ?? 'Sightline') : UNKNOWN],
          ['rests until', instant(pause?.until ?? null)],
          ['alarm', row?.alarm ?? 'none'],
          ['alarm since', instant(row?.alarm_at ?? null)],
          ['rate asked', row?.rate_per_s == null ? 'as configured' : `${valueText(row.rate_per_s)} a second`],
          ['requests a minute', valueText(found.requestsPerMin)],
          ['readings a minute', valueText(found.perMin[window])],
          [`conclusive (${window})`, percent(found.successRate)],
          [
            `latency (${window})`,
            `p50 ${valueText(latencyMs.p50)}, p95 ${valueText(latencyMs.p95)}, p99 ${valueText(latencyMs.p99)} ms`,
          ],
          [
            'ages',
            `p50 ${duration(freshness.p50_s)}, p95 ${duration(freshness.p95_s)}, p99 ${duration(freshness.p99_s)}; target ${duration(freshness.target_s)}`,
          ],
          ['due', `${valueText(found.backlog)}, the oldest for ${duration(found.oldestDueS)}`],
          ['processes', valueText(found.workers)],
          ['last report', instant(row?.reported_at ?? null)],
          ['last success', instant(row?.last_success_at ?? null)],
          ['last error', row?.last_error ?? 'none'],
          ['at', row?.last_error == null ? UNKNOWN : instant(row.last_error_at)],
        ]),
        ...(await minutesCharts(context, key)),
        table(
          { id: 'outcomes', caption: `Outcomes (${window})`, empty: 'Nothing was read.' },
          Object.entries(found.outcomes),
          [
            { head: 'outcome', value: ([outcome]) => outcome },
            { head: 'readings', value: ([, n]) => n },
          ],
        ),
        table({ id: 'pools', caption: 'Pools', empty: 'It has no pools.' }, found.pools, [
          { head: 'pool', value: ({ pool }) => pool, cell: ({ pool }) => link(pathOf('pools', pool), pool) },
          { head: 'state', value: ({ paused }) => (paused ? 'paused' : 'active') },
          { head: 'share', value: ({ share }) => share },
          { head: 'accounts', value: ({ members }) => members },
          { head: 'due', value: ({ backlog }) => backlog },
          { head: 'target', value: ({ targetS }) => targetS, cell: ({ targetS }) => duration(targetS) },
        ]),
        eventsTable('Alarms and decisions, newest first', decisions),
        note(
          html`${streamLink(engineStream(key), 'All its events')}${
            found.platform === null
              ? null
              : html` · ${link(pathOf('engines', key, 'surfaces'), 'Surfaces of its newest readings')}`
          }`,
        ),
      ],
    };
  },
};

/** Readings that the shares of surfaces are counted in. */
const COUNTED = 500;

/** What readings tell of where they were read. */
interface Read {
  readonly source: string;
  readonly surface: string;
}

/** Which surfaces an engine's readings came from. It searches the log, and so does not refresh. */
export const surfaces: Screen = {
  path: '/engines/:engine/surfaces',
  show: async (context, { params }) => {
    const key = parseEngine(params.engine ?? '');
    const { events, before } = await newestEvents(context, {
      filter: { streamPrefixes: [`account-${key}:`], types: ['AccountSighted', 'AccountUnchanged'] },
      limit: COUNTED,
      nowMs: systemClock.now(),
    });
    const groups = Map.groupBy(events, ({ data }) => `${(data as Read).source}: ${(data as Read).surface}`);
    const rows = [...groups].toSorted(([, a], [, b]) => b.length - a.length);
    return {
      title: `Surfaces of ${key}`,
      live: [
        note(
          html`${link(pathOf('engines', key), `Engine ${key}`)}. Counted are the newest ${valueText(events.length)} readings that a surface answered${
            before === null ? ', all that the log has' : ''
          }: those that no surface answered are under its outcomes.`,
        ),
        table({ id: 'surfaces', caption: 'Surfaces, by their share', empty: 'None was found.' }, rows, [
          { head: 'read by', value: ([name]) => name },
          { head: 'readings', value: ([, of]) => of.length },
          {
            head: 'share',
            value: ([, of]) => of.length / events.length,
            cell: ([, of]) => percent(of.length / events.length),
          },
          { head: 'newest', value: ([, of]) => of[0]?.recorded_at ?? null, is: 'instant' },
        ]),
      ],
    };
  },
};
