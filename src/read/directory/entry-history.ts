import { sql } from 'slonik';
import type { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import { columnsExcept } from '../../projections/table/table.ts';
import { historyTable } from '../../projections/views/directory/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import { type ListPage, pageOf } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { columnList } from '../verbatim.ts';
import type { FoundEntry } from './entry.ts';

const COLUMNS = columnsExcept(historyTable, ['platform', 'entry']);

const rowSchema = rowSchemaOf(historyTable, COLUMNS);

export type HistoryPoint = z.output<typeof rowSchema>;

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
  const rows = await lists.any(sql.type(rowSchema)`
    select ${columnList(COLUMNS)} from ${table}
    where platform = ${found.entry.platform} and entry = ${found.key}::bigint and ${before}
    order by at desc limit ${limit + 1}`);
  return pageOf(rows, limit, {
    item: (row) => row,
    position: (row) => [Date.parse(row.at)],
    observedMs: () => Date.parse(found.last_seen_at),
  });
};
