import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../../kernel/postgres/statement.ts';
import { engineOfStream } from '../../../write/engines.ts';
import {
  dispatch,
  type Fold,
  type Handlers,
  type ProjectedEvent,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { upsert } from '../../table/bulk.ts';
import { type DriverRow, driverReader } from '../../table/table.ts';
import {
  type EngineRow,
  engineTable,
  HOUR_MINUTES,
  type HourRow,
  hourTable,
  MINUTE_MS,
  type MinuteRow,
  minuteTable,
  tables,
} from './tables.ts';

/** Numbers by name. */
type Counts = Readonly<Record<string, number>>;

/** Adds counts name by name. The order of additions does not matter. */
const addCounts = (a: Counts, b: Counts): Counts => {
  const sum: Record<string, number> = { ...a };
  for (const [name, n] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + n;
  return sum;
};

/** What a report adds to its buckets. */
interface Work {
  readonly readings: number;
  readonly requests: number;
  readonly bytes: number;
  readonly live_requests: number;
  readonly outcomes: Counts;
  readonly latency_bins: Counts;
}

/** Reports by minute and hour, as many as windows of 24 hours need. */
interface Buckets {
  readonly minutes: Map<string, MinuteRow>;
  readonly hours: Map<string, HourRow>;
  readonly changedMinutes: Set<string>;
  readonly changedHours: Set<string>;
}

/** Minutes and hours kept before an engine's newest report: more than a window has, since clocks of readers differ. */
const KEPT_MINUTES = 90;
const KEPT_HOURS = 30;

const noBuckets = (): Buckets => ({
  minutes: new Map(),
  hours: new Map(),
  changedMinutes: new Set(),
  changedHours: new Set(),
});

const minuteOf = (at: string): number => Math.floor(Date.parse(at) / MINUTE_MS);
const hourOf = (minute: number): number => Math.floor(minute / HOUR_MINUTES);

/** Sums of both; the order of reports has no effect. */
const sumOf = (a: Work, b: Work): Work => ({
  readings: a.readings + b.readings,
  requests: a.requests + b.requests,
  bytes: a.bytes + b.bytes,
  live_requests: a.live_requests + b.live_requests,
  outcomes: addCounts(a.outcomes, b.outcomes),
  latency_bins: addCounts(a.latency_bins, b.latency_bins),
});

/** The first minute and hour that are kept beside an engine's newest report. */
const keptSince = (reportedAt: string): { readonly minute: number; readonly hour: number } => {
  const newest = minuteOf(reportedAt);
  return { minute: newest - KEPT_MINUTES, hour: hourOf(newest) - KEPT_HOURS };
};

const keyOf = (...parts: readonly (string | number)[]): string => parts.join('\0');

const putMinute = ({ minutes }: Buckets, row: MinuteRow): string => {
  const key = keyOf(row.engine, row.worker, row.minute);
  minutes.set(key, row);
  return key;
};

const putHour = ({ hours }: Buckets, row: HourRow): string => {
  const key = keyOf(row.engine, row.hour);
  hours.set(key, row);
  return key;
};

/** Adds a report that ended at an instant. */
const addReport = (buckets: Buckets, engine: string, worker: string, at: string, work: Work): void => {
  const minute = minuteOf(at);
  const hour = hourOf(minute);
  const inMinute = buckets.minutes.get(keyOf(engine, worker, minute));
  const inHour = buckets.hours.get(keyOf(engine, hour));
  const minuteWork = inMinute === undefined ? work : sumOf(inMinute, work);
  const hourWork = inHour === undefined ? work : sumOf(inHour, work);
  buckets.changedMinutes.add(putMinute(buckets, { engine, worker, minute, ...minuteWork }));
  buckets.changedHours.add(putHour(buckets, { engine, hour, ...hourWork }));
};

/** Forgets buckets that no window has any more, by what has to be kept of each engine. */
const forgetOld = (
  { minutes, hours, changedMinutes, changedHours }: Buckets,
  sinceOf: (engine: string) => { readonly minute: number; readonly hour: number },
): void => {
  for (const [key, { engine, minute }] of minutes) {
    if (minute >= sinceOf(engine).minute) continue;
    minutes.delete(key);
    changedMinutes.delete(key);
  }
  for (const [key, { engine, hour }] of hours) {
    if (hour >= sinceOf(engine).hour) continue;
    hours.delete(key);
    changedHours.delete(key);
  }
};

interface State {
  readonly engines: Map<string, EngineRow>;
  readonly changed: Set<string>;
  readonly buckets: Buckets;
}

const noState = (): State => ({ engines: new Map(), changed: new Set(), buckets: noBuckets() });

const unknownEngine = (engine: string): EngineRow => ({
  engine,
  reported_at: null,
  read_at: null,
  last_success_at: null,
  last_error: null,
  last_error_at: null,
  alarm: null,
  alarm_detail: null,
  alarm_at: null,
  paused_at: null,
  paused_why: null,
  rate_per_s: null,
});

const change = (
  { engines, changed }: State,
  { stream }: Pick<ProjectedEvent, 'stream'>,
  changes: (row: EngineRow) => Partial<EngineRow>,
): void => {
  const engine = engineOfStream(stream);
  const row = engines.get(engine) ?? unknownEngine(engine);
  engines.set(engine, { ...row, ...changes(row) });
  changed.add(engine);
};

const later = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b > a) ? b : a;

type Report = ProjectedEvent<'CrawlBatchCompleted'>;

/** Times of a worker whose clock is ahead count as the time of recording: buckets in the future would expire all others. */
const recorded = ({ recorded_at }: Report, at: string): string => (at > recorded_at ? recorded_at : at);

type ErrorColumns = Pick<EngineRow, 'last_error' | 'last_error_at'>;

/** The later error. Of two errors at the same time the choice does not depend on the order of reports. */
const lastError = (row: EngineRow, event: Report): ErrorColumns => {
  const { last_error } = event.data;
  const before = { last_error: row.last_error, last_error_at: row.last_error_at };
  if (last_error === null) return before;
  const found = { last_error: last_error.reason, last_error_at: recorded(event, last_error.at) };
  const order = (error: ErrorColumns) => `${error.last_error_at} ${error.last_error}`;
  return row.last_error_at === null || order(found) > order(before) ? found : before;
};

const workOf = ({ data }: Report): Work => ({
  readings: Object.values(data.outcomes).reduce((sum, n) => sum + n, 0),
  requests: data.requests,
  bytes: data.bytes,
  live_requests: data.live.requests,
  outcomes: data.outcomes,
  latency_bins: data.latency_bins,
});

const report = (state: State, event: Report): void => {
  const { worker, finished_at, last_success_at } = event.data;
  const at = recorded(event, finished_at);
  const work = workOf(event);
  const successAt = last_success_at === null ? null : recorded(event, last_success_at);
  change(state, event, (row) => ({
    reported_at: later(row.reported_at, at),
    read_at: work.readings === 0 ? row.read_at : later(row.read_at, at),
    last_success_at: later(row.last_success_at, successAt),
    ...lastError(row, event),
  }));
  addReport(state.buckets, engineOfStream(event.stream), worker, at, work);
};

const handlers: Handlers<State> = {
  CrawlBatchCompleted: report,
  EngineDegraded: (state, event) =>
    change(state, event, () => {
      const { at, reason, detail } = event.data;
      return { alarm: reason, alarm_detail: detail, alarm_at: at };
    }),
  EngineRecovered: (state, event) =>
    change(state, event, () => ({ alarm: null, alarm_detail: null, alarm_at: null })),
  EnginePaused: (state, event) =>
    change(state, event, () => ({ paused_at: event.data.at, paused_why: event.data.why })),
  EngineResumed: (state, event) => change(state, event, () => ({ paused_at: null, paused_why: null })),
  EngineTuned: (state, event) => change(state, event, () => ({ rate_per_s: event.data.rate_per_s })),
};

const apply = dispatch(handlers);

const engineOfRow = driverReader(engineTable);
const minuteOfRow = driverReader(minuteTable);
const hourOfRow = driverReader(hourTable);

/** Deletes the rows of buckets that no window has any more. */
const deleteOld = async (
  db: Queryable,
  schema: string,
  since: readonly { readonly engine: string; readonly minute: number; readonly hour: number }[],
): Promise<void> => {
  const engines = since.map(({ engine }) => engine);
  for (const unit of ['minute', 'hour'] as const) {
    await db.query(sql.named(`forget ${schema}.${unit}s`)`
      delete from ${ident(schema)}.${raw(unit)}s b using unnest(${engines}::text[],
        ${since.map((each) => each[unit])}::int[]) as kept (engine, since)
      where b.engine = kept.engine and b.${raw(unit)} < kept.since`);
  }
};

const open = (schema: string): Fold => {
  let state = noState();
  let isLoaded = false;
  return {
    // All rows are loaded: retention bounds them, and every batch changes some of each engine.
    load: async (db) => {
      if (isLoaded) return;
      const { engines, buckets } = state;
      const rowsOf = async <Row>(table: string) =>
        (await db.query<DriverRow<Row>>(sql`select * from ${ident(schema)}.${ident(table)}`)).rows;
      for (const row of (await rowsOf<EngineRow>('engines')).map(engineOfRow)) engines.set(row.engine, row);
      for (const row of (await rowsOf<MinuteRow>('minutes')).map(minuteOfRow)) putMinute(buckets, row);
      for (const row of (await rowsOf<HourRow>('hours')).map(hourOfRow)) putHour(buckets, row);
      isLoaded = true;
    },
    apply: (event) => apply(state, event),
    store: async (db) => {
      const { engines, changed, buckets } = state;
      const { minutes, hours, changedMinutes, changedHours } = buckets;
      const since = new Map(
        [...engines.values()].flatMap(({ engine, reported_at }) =>
          reported_at === null ? [] : [[engine, keptSince(reported_at)] as const],
        ),
      );
      forgetOld(buckets, (engine) => since.get(engine) ?? { minute: 0, hour: 0 });
      const rowsOf = <Row>(keys: ReadonlySet<string>, rows: ReadonlyMap<string, Row>) =>
        [...keys].map((key) => rows.get(key) as Row);
      await upsert(db, schema, engineTable, rowsOf(changed, engines));
      await upsert(db, schema, minuteTable, rowsOf(changedMinutes, minutes));
      await upsert(db, schema, hourTable, rowsOf(changedHours, hours));
      const concerned = [...changed].flatMap((engine) => {
        const kept = since.get(engine);
        return kept === undefined ? [] : [{ engine, ...kept }];
      });
      if (concerned.length > 0) await deleteOld(db, schema, concerned);
      changed.clear();
      changedMinutes.clear();
      changedHours.clear();
    },
    reset: () => {
      state = noState();
      isLoaded = false;
    },
  };
};

/**
 * Engines, and what their workers did by minute and hour. One writer, since the marketplace's engine is of no
 * platform.
 */
export const engines: Projection = {
  name: 'engines',
  version: 1,
  order: 'global',
  types: typesOf(handlers),
  forgets: 'no accounts',
  streamPrefixes: ['engine-'],
  parks: ['engine-'],
  tables,
  indexes: () => 'select 1',
  open,
};
