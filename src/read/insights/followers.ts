import { sql } from 'slonik';
import type { GrowthPoint } from '../../analysis/growth.ts';
import { rowSchemaOf } from '../../projections/table/table.ts';
import { historyTable } from '../../projections/views/directory/tables.ts';
import type { Builds } from '../active-builds.ts';
import { type FoundEntry, isWithheld } from '../directory/entry.ts';
import type { ListReads } from '../lists.ts';

const rowSchema = rowSchemaOf(historyTable, ['at', 'followers']);

/** Maximum number of points in a series: one a day for more than a year. */
export const MAX_POINTS = 500;

/**
 * Followers of an entry in a period, from readings that showed them, oldest first. If there are more than `MAX_POINTS`, the newest.
 */
export const readFollowers = async (
  lists: ListReads,
  builds: Builds,
  { entry, key }: FoundEntry,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly GrowthPoint[]> => {
  if (isWithheld(entry)) return [];
  const rows = await lists.any(sql.type(rowSchema)`
    select at, followers from ${sql.identifier([builds.schema('directory'), `history_${entry.platform}`])}
    where platform = ${entry.platform} and entry = ${key}::bigint
      and at >= ${from}::timestamptz and at <= ${to}::timestamptz and followers is not null
    order by at desc limit ${MAX_POINTS}`);
  const points = rows.map(({ at, followers }) => ({ atMs: Date.parse(at), followers: followers ?? 0 }));
  return points.reverse();
};
