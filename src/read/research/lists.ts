import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { columnsExcept, rowSchemaOf } from '../../projections/table/table.ts';
import {
  type EventRow,
  eventHourOf,
  eventTable,
  FINDING_STATUSES,
  type FindingRow,
  findingTable,
  RUN_STATUSES,
  type RunRow,
  runTable,
} from '../../projections/views/research/tables.ts';
import type { FindingKind } from '../../write/research/research.ts';
import type { Builds } from '../active-builds.ts';
import { columnList } from '../conditions.ts';
import { type CursorPosition, type ListPage, pageOf } from '../keyset.ts';
import { type ListReads, scan } from '../lists.ts';

export type { EventRow, FindingRow, RunRow } from '../../projections/views/research/tables.ts';

export { FINDING_STATUSES, RUN_STATUSES };

/** Kinds of findings whose subject is a pool. */
const OF_POOLS: readonly FindingKind[] = [
  'pool_yield',
  'pool_exhausted',
  'pool_stale',
  'demand_surge',
  'growth_cluster',
];

interface Times {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface FindingFilters extends Times {
  readonly kind?: FindingKind | undefined;
  readonly run?: string | undefined;
  readonly pool?: string | undefined;
  readonly status?: FindingRow['status'] | undefined;
}

export interface RunFilters extends Times {
  readonly status?: RunRow['status'] | undefined;
}

export interface EventFilters extends Times {
  readonly run?: string | undefined;
  readonly pool?: string | undefined;
  readonly type?: string | undefined;
}

const positionSchema = z.object({ position: z.string() });
type AtPosition = z.output<typeof positionSchema>;

const positionOf = ({ position }: AtPosition): CursorPosition => [position];

const equal = (column: string, value: string | undefined): readonly FragmentSqlToken[] =>
  value === undefined ? [] : [sql.fragment`${sql.identifier([column])} = ${value}`];

const between = (column: string, { since, until }: Times): readonly FragmentSqlToken[] => [
  ...(since === undefined ? [] : [sql.fragment`${sql.identifier([column])} >= ${since}::timestamptz`]),
  ...(until === undefined ? [] : [sql.fragment`${sql.identifier([column])} < ${until}::timestamptz`]),
];

interface Query<Row> {
  readonly table: FragmentSqlToken;
  readonly columns: readonly string[];
  readonly row: z.ZodType<Row & AtPosition>;
  readonly isNewestFirst: boolean;
  readonly within: readonly FragmentSqlToken[];
  readonly filters: readonly FragmentSqlToken[];
}

/** A page in log order, or against it: a keyset seek on the position, with a bounded scan for what no index answers. */
const listByPosition = async <Row>(
  lists: ListReads,
  { table, columns, row, isNewestFirst, within, filters }: Query<Row>,
  limit: number,
  after: CursorPosition | null,
  observedMs: (row: Row) => number | null,
): Promise<ListPage<Row & AtPosition>> => {
  const behind = isNewestFirst ? sql.fragment`<` : sql.fragment`>`;
  const order = isNewestFirst ? sql.fragment`position desc` : sql.fragment`position`;
  const resumed = after === null ? [] : [sql.fragment`position ${behind} ${String(after[0])}::bigint`];
  const of = {
    table,
    ranked: sql.fragment``,
    rowPosition: sql.fragment`position`,
    columns,
    row,
    at: positionSchema,
    within: [...within, ...resumed],
    filters,
    order,
    orderByName: order,
  };
  const { rows, end } = await scan(lists, of, limit);
  const page = pageOf(rows, limit, { item: (each) => each, position: positionOf, observedMs });
  return { ...page, next: page.next ?? (end === null ? null : positionOf(end)) };
};

const FINDING_COLUMNS = columnsExcept(findingTable, ['position']);
const findingSchema = positionSchema.extend(rowSchemaOf(findingTable, FINDING_COLUMNS).shape);

const RUN_COLUMNS = columnsExcept(runTable, ['position']);
const runSchema = positionSchema.extend(rowSchemaOf(runTable, RUN_COLUMNS).shape);

const EVENT_COLUMNS = columnsExcept(eventTable, ['position']);
const eventSchema = positionSchema.extend(rowSchemaOf(eventTable, EVENT_COLUMNS).shape);

/** Findings, newest first. */
export const listFindings = (
  lists: ListReads,
  builds: Builds,
  { kind, run, pool, status, ...times }: FindingFilters,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<FindingRow>> =>
  listByPosition<FindingRow>(
    lists,
    {
      table: sql.fragment`${sql.identifier([builds.schema('research'), 'findings'])}`,
      columns: FINDING_COLUMNS,
      row: findingSchema as z.ZodType<FindingRow>,
      isNewestFirst: true,
      within: [
        ...equal('kind', kind),
        ...equal('run', run),
        ...equal('subject', pool),
        ...(pool === undefined ? [] : [sql.fragment`kind = any(${sql.array([...OF_POOLS], 'text')})`]),
      ],
      filters: [...equal('status', status), ...between('created_at', times)],
    },
    limit,
    after,
    ({ created_at }) => Date.parse(created_at),
  );

/** A finding by its ID; null if there is none. */
export const findFinding = async (
  lists: ListReads,
  builds: Builds,
  id: string,
): Promise<FindingRow | null> => {
  const table = sql.identifier([builds.schema('research'), 'findings']);
  const [row] = await lists.any(
    sql.type(findingSchema)`select position, ${columnList(FINDING_COLUMNS)} from ${table} where id = ${id}`,
  );
  return row ?? null;
};

/** Runs, newest first. */
export const listRuns = (
  lists: ListReads,
  builds: Builds,
  { status, ...times }: RunFilters,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<RunRow>> =>
  listByPosition<RunRow>(
    lists,
    {
      table: sql.fragment`${sql.identifier([builds.schema('research'), 'runs'])}`,
      columns: RUN_COLUMNS,
      row: runSchema as z.ZodType<RunRow>,
      isNewestFirst: true,
      within: [],
      filters: [...equal('status', status), ...between('started_at', times)],
    },
    limit,
    after,
    ({ finished_at, started_at }) => Date.parse(finished_at ?? started_at),
  );

/** A page of events, and the position after its last one, at which later events begin. */
export interface EventPage extends ListPage<EventRow> {
  readonly resumeAt: CursorPosition;
}

const BEGINNING: CursorPosition = ['0'];

/** The beginning and end of a period in the log, by the index of its hours, so that nothing outside of it is scanned. */
const period = (builds: Builds, { since, until }: Times): readonly FragmentSqlToken[] => {
  const hours = sql.identifier([builds.schema('research'), 'event_hours']);
  return [
    ...(since === undefined
      ? []
      : [sql.fragment`position >= (select min(first) from ${hours} where hour >= ${eventHourOf(since)})`]),
    ...(until === undefined
      ? []
      : [sql.fragment`position <= (select max(last) from ${hours} where hour <= ${eventHourOf(until)})`]),
  ];
};

/** Where the last event is. */
const lastEvent = async (lists: ListReads, builds: Builds): Promise<CursorPosition> => {
  const events = sql.identifier([builds.schema('research'), 'events']);
  const row = z.object({ position: z.string().nullable() });
  const [last] = await lists.any(sql.type(row)`select max(position) as position from ${events}`);
  return last === undefined || last.position === null ? BEGINNING : [last.position];
};

/** Events in log order. One writer lists them, so that none appears behind a cursor. */
export const listEvents = async (
  lists: ListReads,
  builds: Builds,
  { run, pool, type, ...times }: EventFilters,
  limit: number,
  from: CursorPosition | 'now' | null,
): Promise<EventPage> => {
  const movedAtMs = builds.progress('research')?.movedAtMs ?? null;
  if (from === 'now')
    return { items: [], next: null, oldestMs: movedAtMs, resumeAt: await lastEvent(lists, builds) };
  const after = from;
  const isOfAll = run === undefined && pool === undefined;
  const page = await listByPosition<EventRow>(
    lists,
    {
      table: sql.fragment`${sql.identifier([builds.schema('research'), 'events'])}`,
      columns: EVENT_COLUMNS,
      row: eventSchema as z.ZodType<EventRow>,
      isNewestFirst: false,
      within: [
        ...equal('run', run),
        ...equal('pool', pool),
        ...(isOfAll ? equal('type', type) : []),
        ...period(builds, times),
      ],
      filters: [...(isOfAll ? [] : equal('type', type)), ...between('at', times)],
    },
    limit,
    after,
    () => movedAtMs,
  );
  const last = page.items.at(-1);
  return { ...page, resumeAt: page.next ?? (last === undefined ? (after ?? BEGINNING) : positionOf(last)) };
};
