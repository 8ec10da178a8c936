import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import { UNPARTITIONED } from '../../projections/projection.ts';
import { columnsExcept, rowSchemaOf } from '../../projections/table/table.ts';
import {
  CHANGE_KINDS,
  changedValuesSchema,
  changeTable,
  historyTable,
} from '../../projections/views/directory/tables.ts';
import type { Builds } from '../active-builds.ts';
import { columnList } from '../conditions.ts';
import { type CursorPosition, type ListPage, pageOf } from '../keyset.ts';
import { type ListReads, scan } from '../lists.ts';
import type { FoundEntry } from './entry.ts';

export { CHANGE_KINDS, changedValuesSchema };

const positionSchema = z.object({ position: z.string(), n: z.number() });

/** Columns of a row besides its position and its entry. */
const CHANGE_COLUMNS = columnsExcept(changeTable, ['position', 'n', 'entry']);

const changeSchema = positionSchema.extend(rowSchemaOf(changeTable, CHANGE_COLUMNS).shape);

const changeOf = ({ n: _, native_id: id, ...rest }: z.output<typeof changeSchema>) => ({ id, ...rest });

export type DirectoryChange = ReturnType<typeof changeOf>;

export interface ChangeFilters {
  readonly platform?: Platform | undefined;
  readonly kind?: (typeof CHANGE_KINDS)[number] | undefined;
}

/** A page of changes, and the position after its last one, at which later changes begin. */
export interface ChangePage extends ListPage<DirectoryChange> {
  readonly resumeAt: CursorPosition;
}

/** Before the first change. */
const BEGINNING: CursorPosition = ['0', -1];

/**
 * Position up to which no further change can appear: the lowest checkpoint of the writers of the directory, or that of one
 * platform. It is evaluated in the snapshot of the rows.
 */
const settledPosition = (schema: string, platform: Platform | undefined): FragmentSqlToken => {
  const own =
    platform === undefined ? sql.fragment`` : sql.fragment`and partition in (${platform}, ${UNPARTITIONED})`;
  return sql.fragment`(select min(c.position) from projections.checkpoints c where schema_name = ${schema} ${own})`;
};

/** Sorts after all changes of a position. */
const BEHIND = 2 ** 31 - 1;

/** The empty page at the end of the feed. */
const endOf = async (
  lists: ListReads,
  builds: Builds,
  platform: Platform | undefined,
): Promise<ChangePage> => {
  const settled = settledPosition(builds.schema('directory'), platform);
  const row = z.object({ position: z.string().nullable() });
  const [end] = await lists.any(sql.type(row)`select ${settled} as position`);
  const resumeAt: CursorPosition =
    end === undefined || end.position === null ? BEGINNING : [end.position, BEHIND];
  return { items: [], next: null, oldestMs: builds.progress('directory')?.movedAtMs ?? null, resumeAt };
};

/**
 * Changes of the directory's accounts, in log order. Writers of different platforms advance independently. A change is served once
 * all of them have passed its position, so that none appears behind a cursor.
 * @param from a cursor; null for the first change; `now` for an empty page after which later changes follow.
 */
export const listChanges = async (
  lists: ListReads,
  builds: Builds,
  filters: ChangeFilters,
  limit: number,
  from: CursorPosition | 'now' | null,
  maxScanned?: number,
): Promise<ChangePage> => {
  if (from === 'now') return endOf(lists, builds, filters.platform);
  const cursor = from;
  const schema = builds.schema('directory');
  const within = [sql.fragment`position <= ${settledPosition(schema, filters.platform)}`];
  if (filters.platform !== undefined) within.push(sql.fragment`platform = ${filters.platform}`);
  if (cursor !== null) {
    within.push(sql.fragment`(position, n) > (${String(cursor[0])}::bigint, ${Number(cursor[1])})`);
  }
  const of = {
    table: sql.fragment`${sql.identifier([schema, 'changes'])}`,
    ranked: sql.fragment``,
    rowPosition: sql.fragment`position, n`,
    columns: CHANGE_COLUMNS,
    row: changeSchema,
    at: positionSchema,
    within,
    filters: filters.kind === undefined ? [] : [sql.fragment`kind = ${filters.kind}`],
    order: sql.fragment`position, n`,
    orderByName: sql.fragment`position, n`,
  };
  const { rows, end } = await scan(lists, of, limit, maxScanned);
  const movedAtMs = builds.progress('directory')?.movedAtMs ?? null;
  const positionOf = (row: z.output<typeof positionSchema>): CursorPosition => [String(row.position), row.n];
  const page = pageOf(rows, limit, {
    item: changeOf,
    position: positionOf,
    observedMs: () => movedAtMs,
  });
  const next = page.next ?? (end === null ? null : positionOf(end));
  const last = rows.at(-1);
  return { ...page, next, resumeAt: next ?? (last === undefined ? (cursor ?? BEGINNING) : positionOf(last)) };
};

const HISTORY_COLUMNS = columnsExcept(historyTable, ['platform', 'entry']);

const historySchema = rowSchemaOf(historyTable, HISTORY_COLUMNS);

export type HistoryPoint = z.output<typeof historySchema>;

/** History of an entry, newest first. */
export const listHistory = async (
  lists: ListReads,
  builds: Builds,
  found: FoundEntry,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<HistoryPoint>> => {
  const table = sql.identifier([builds.schema('directory'), `history_${found.entry.platform}`]);
  const before =
    after === null ? sql.fragment`true` : sql.fragment`at < ${isoOf(Number(after[0]))}::timestamptz`;
  const rows = await lists.any(sql.type(historySchema)`
    select ${columnList(HISTORY_COLUMNS)} from ${table}
    where platform = ${found.entry.platform} and entry = ${found.key}::bigint and ${before}
    order by at desc limit ${limit + 1}`);
  return pageOf(rows, limit, {
    item: (row) => row,
    position: (row) => [Date.parse(row.at)],
    observedMs: () => Date.parse(found.last_seen_at),
  });
};
