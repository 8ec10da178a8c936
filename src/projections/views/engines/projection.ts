import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { engineOfStream } from '../../../write/engines/events.ts';
import {
  dispatch,
  type Fold,
  type Handlers,
  type ProjectedEvent,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { upsert } from '../../table/bulk-upsert.ts';
import { type DriverRow, driverReader } from '../../table/rows.ts';
import {
  addReport,
  type Buckets,
  forgetOld,
  keptSince,
  noBuckets,
  putHour,
  putMinute,
  type Work,
} from './buckets.ts';
import {
  type EngineRow,
  engineTable,
  type HourRow,
  hourTable,
  type MinuteRow,
  minuteTable,
  tables,
} from './tables.ts';

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

/** Instants of a worker whose clock is ahead count as of when the log recorded them: buckets of the future would end all others. */
const recorded = ({ recorded_at }: Report, at: string): string => (at > recorded_at ? recorded_at : at);

type ErrorColumns = Pick<EngineRow, 'last_error' | 'last_error_at'>;

/** The later error; of two at one time the same one in any order of reports. */
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
    await db.query({
      name: `forget ${schema}.${unit}s`,
      text: `delete from ${schema}.${unit}s b using unnest($1::text[], $2::int[]) as kept (engine, since)
             where b.engine = kept.engine and b.${unit} < kept.since`,
      values: [engines, since.map((each) => each[unit])],
    });
  }
};

const open = (schema: string): Fold => {
  let state = noState();
  let isLoaded = false;
  return {
    // All rows: retention bounds them, and every batch changes some of each engine.
    load: async (db) => {
      if (isLoaded) return;
      const { engines, buckets } = state;
      const rowsOf = async <Row>(table: string) =>
        (await db.query<DriverRow<Row>>(`select * from ${schema}.${table}`)).rows;
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
  streamPrefixes: ['engine-'],
  parks: ['engine-'],
  tables,
  indexes: () => 'select 1',
  open,
};
