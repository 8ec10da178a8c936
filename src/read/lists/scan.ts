import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { and } from '../conditions.ts';
import type { ListReads } from './lists.ts';

/** Maximum rows scanned for a page: about 15 ms of database time. A page that ends there has a resume position. */
const MAX_SCANNED = 5_000;

/** A list in index order, with a filter on its rows. */
export interface Scan<Row, RowPosition> {
  readonly table: FragmentSqlToken;
  /** Sort expression if it is not a column: `expression as name`, with a leading comma. */
  readonly ranked: FragmentSqlToken;
  /** Columns of a row: its position first, named as in `at`, then the rest of `row`. */
  readonly rowPosition: FragmentSqlToken;
  readonly columns: readonly string[];
  readonly row: z.ZodType<Row>;
  readonly at: z.ZodType<RowPosition>;
  /** Index conditions. */
  readonly within: readonly FragmentSqlToken[];
  /** Filters on rows of `scanned`. */
  readonly filters: readonly FragmentSqlToken[];
  /** Order verbatim as in the index, and by column names. */
  readonly order: FragmentSqlToken;
  readonly orderByName: FragmentSqlToken;
}

export interface Scanned<Row, RowPosition> {
  /** Rows of the page, plus one if there are more. */
  readonly rows: readonly Row[];
  /** The last scanned row if the scan limit ended the page. */
  readonly end: RowPosition | null;
}

const comma = (columns: readonly FragmentSqlToken[]): FragmentSqlToken =>
  sql.fragment`${sql.join([...columns], sql.fragment`, `)}`;

/** A scanned row: it matches, or the scan ended with it, or both. */
const scannedOf = <Row, RowPosition>({
  row,
  at,
}: Pick<Scan<Row, RowPosition>, 'row' | 'at'>): z.ZodType<{
  readonly row: Row | null;
  readonly end: RowPosition | null;
}> =>
  z
    .looseObject({ is_match: z.boolean(), is_end: z.boolean() })
    .transform(({ is_match, is_end, ...read }): unknown => ({
      row: is_match ? read : null,
      end: is_end ? read : null,
    }))
    .pipe(z.object({ row: row.nullable(), end: at.nullable() }));

/**
 * Scans a list for a page, at most `max` rows: a selective filter costs no more than any other. Rows and end
 * position are from one snapshot, so the next page resumes exactly there.
 */
export const scan = async <Row, RowPosition>(
  lists: ListReads,
  of: Scan<Row, RowPosition>,
  limit: number,
  max = MAX_SCANNED,
): Promise<Scanned<Row, RowPosition>> => {
  const { table, ranked, rowPosition, order, orderByName } = of;
  const within = and(of.within);
  const columns = comma(of.columns.map((name) => sql.fragment`${sql.identifier([name])}`));
  const source = sql.fragment`select *${ranked} from ${table} where ${within} order by ${order}`;
  if (of.filters.length === 0) {
    const rows = await lists.any(
      sql.type(of.row)`select ${rowPosition}, ${columns} from (${source} limit ${limit + 1}) as scanned`,
    );
    return { rows, end: null };
  }
  const matches = sql.fragment`coalesce(${and(of.filters)}, false)`;
  // One pass: rows come in index order, numbered, until the page is full or the last one is reached.
  const read = await lists.any(sql.type(scannedOf(of))`
    select ${rowPosition}, ${columns}, ${matches} as is_match, nth = ${max} as is_end
    from (
      select *, row_number() over (order by ${orderByName}) as nth
      from (${source} limit ${max}) as ordered
    ) as scanned
    where nth = ${max} or ${matches}
    order by ${orderByName} limit ${limit + 1}`);
  const rows = read.flatMap(({ row }) => (row === null ? [] : [row]));
  const end = read.at(-1)?.end ?? null;
  return { rows, end: rows.length > limit ? null : end };
};
