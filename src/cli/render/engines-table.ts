import { ageText } from '../../kernel/clock.ts';
import type { EngineState, PoolBacklog } from '../../operations/engines/engines.ts';
import { type Column, renderFields, renderTable, terminalWidth } from './table.ts';

/** An age; nothing where it is unknown. */
export const age = (s: number | null): string => (s === null ? '' : ageText(s));

export const enginesTable = (engines: readonly EngineState[], width = terminalWidth()): string =>
  renderTable(HEAD, engines.map(rowOf), { width });

export const poolBacklogTable = (
  pools: readonly PoolBacklog[],
  nowMs: number,
  width = terminalWidth(),
): string =>
  renderTable(
    POOL_HEAD,
    pools.map((pool) => poolRow(pool, nowMs)),
    { width },
  );

/** One engine, with its pools. @param window of success, outcomes and latencies. */
export const engineFields = (engine: EngineState, window: string, nowMs: number, width?: number): string => {
  const { row, perMin, latencyMs, freshness, pools } = engine;
  const fields = renderFields(
    `engine ${engine.key}`,
    [
      ...decidedFields(engine),
      [
        'reads a minute',
        `${rate(perMin['1m'])}; last hour ${rate(perMin['1h'])}, last day ${rate(perMin['24h'])}`,
      ],
      ['requests a minute', `${rate(engine.requestsPerMin)} in the last hour`],
      ['processes', engine.workers],
      [`success (${window})`, percent(engine.successRate)],
      [`outcomes (${window})`, outcomesOf(engine)],
      [
        `latency (${window})`,
        `p50 ${number(latencyMs.p50)}, p95 ${number(latencyMs.p95)}, p99 ${number(latencyMs.p99)} ms`,
      ],
      ['catalog', number(engine.catalogSize)],
      ['due', engine.backlog === null ? 'none' : number(engine.backlog)],
      ['oldest due', age(engine.oldestDueS) || 'none'],
      [
        'ages',
        `p50 ${age(freshness.p50_s) || NONE}, p95 ${age(freshness.p95_s) || NONE}, p99 ${age(freshness.p99_s) || NONE}; target ${age(freshness.target_s) || NONE}`,
      ],
      ['last report', shortInstant(row?.reported_at)],
      ['last success', shortInstant(row?.last_success_at)],
      [
        'last error',
        row?.last_error == null ? 'none' : `${row.last_error}, ${shortInstant(row.last_error_at)}`,
      ],
    ],
    width,
  );
  return pools.length === 0 ? fields : `${fields}\n\n${poolBacklogTable(pools, nowMs, width)}`;
};

/** One line an engine, for logs and pipes. */
export const engineLines = (engines: readonly EngineState[], nowMs: number): string => {
  const at = `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
  return engines
    .map((engine) => {
      const figures = Object.entries(namedFigures(engine)).map(([name, value]) => `${name}=${value ?? NONE}`);
      return [at, engine.key, engine.status, ...figures].join(' ');
    })
    .join('\n');
};

/** A figure that is unknown. */
const NONE = '?';

const number = (value: number | null): string => (value === null ? NONE : value.toLocaleString('en-US'));

/** A rate, with decimals while it is small. */
const rate = (value: number | null): string =>
  value === null ? NONE : value < 10 ? value.toFixed(1) : number(Math.round(value));

const percent = (share: number | null): string => (share === null ? NONE : `${(share * 100).toFixed(1)} %`);

/** The reason for an engine's state, from an operator or an alarm. */
const reasonOf = ({ row, pause }: EngineState): string =>
  [row?.paused_why ?? row?.alarm ?? '', pause === null ? '' : pauseText(pause)]
    .filter((part) => part !== '')
    .join('; ');

const pauseText = ({ until, why }: NonNullable<EngineState['pause']>): string =>
  `rests until ${until.slice(11, 19)} UTC${why === null ? '' : ` (${why})`}`;

const HEAD: readonly (string | Column)[] = [
  { head: 'engine', keep: true },
  { head: 'status', keep: true },
  'reads a minute',
  'success',
  { head: 'p95 ms', optional: true },
  'due',
  'oldest due',
  'age p50',
  'age p95',
  { head: 'target', optional: true },
  { head: 'catalog', optional: true },
  'reason',
];

const rowOf = (engine: EngineState): string[] => [
  engine.key,
  engine.status,
  rate(engine.perMin['1m'] ?? engine.perMin['1h']),
  percent(engine.successRate),
  number(engine.latencyMs.p95),
  engine.platform === null ? '' : number(engine.backlog),
  age(engine.oldestDueS),
  age(engine.freshness.p50_s),
  age(engine.freshness.p95_s),
  age(engine.freshness.target_s),
  number(engine.catalogSize),
  reasonOf(engine),
];

const POOL_HEAD: readonly (string | Column)[] = [
  { head: 'pool', keep: true },
  'engine',
  'state',
  'share',
  'accounts',
  'due',
  'oldest due',
  'target',
];

const poolRow = (pool: PoolBacklog, nowMs: number): string[] => [
  pool.pool,
  pool.platform,
  pool.paused ? 'paused' : 'read',
  String(pool.share),
  number(pool.members),
  number(pool.backlog),
  pool.oldestDueMs === null ? '' : age(Math.max(0, (nowMs - pool.oldestDueMs) / 1_000)),
  age(pool.targetS),
];

const shortInstant = (at: string | null | undefined): string =>
  at == null ? 'never' : at.slice(0, 19).replace('T', ' ');

const decidedFields = ({ row, status, pause }: EngineState): [string, string][] => {
  const fields: [string, string][] = [['status', status]];
  if (row?.paused_at != null)
    fields.push(['paused', `since ${shortInstant(row.paused_at)}: ${row.paused_why}`]);
  if (row?.alarm != null)
    fields.push(['alarm', `${row.alarm}, since ${shortInstant(row.alarm_at)}: ${row.alarm_detail}`]);
  if (pause !== null) fields.push(['rests', `${pauseText(pause)}; engines resume ends it`]);
  fields.push(['rate', row?.rate_per_s == null ? 'as configured' : `${row.rate_per_s} requests a second`]);
  return fields;
};

const outcomesOf = ({ outcomes }: EngineState): string =>
  Object.entries(outcomes)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, n]) => `${name} ${number(n)}`)
    .join(', ') || 'none';

/** Figures by name, without units and separators; `?` is unknown. */
const namedFigures = ({ perMin, successRate, backlog, oldestDueS, freshness }: EngineState) => ({
  reads_per_min: perMin['1m'] === null ? null : Math.round(perMin['1m'] * 10) / 10,
  success: successRate === null ? null : Math.round(successRate * 1_000) / 1_000,
  due: backlog,
  oldest_due_s: oldestDueS,
  age_p95_s: freshness.p95_s,
  target_s: freshness.target_s,
});
