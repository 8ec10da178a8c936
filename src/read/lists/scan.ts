import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { ListReads } from './lists.ts';

/** Most rows that one page looks at: some 15 ms of the database. A page that ends there says where to go on. */
const MAX_SCANNED = 10_000;

/** A list as an index has it, of whose rows some are taken. */
export interface Scan<Row, RowPosition> {
  readonly table: FragmentSqlToken;
  /** What the list is in the order of, where that is no column: `expression as name`, with a comma before it. */
  readonly ranked: FragmentSqlToken;
  /** What is read of a row: its place first, by the names in `at`, then all else of `row`. */
  readonly rowPosition: FragmentSqlToken;
  readonly columns: readonly string[];
  readonly row: z.ZodType<Row>;
  readonly at: z.ZodType<RowPosition>;
  /** What the index is entered with. */
  readonly within: readonly FragmentSqlToken[];
  /** What each of its rows is looked at for. */
  readonly filters: readonly FragmentSqlToken[];
  /** As in the index, to the letter; and the same by the names of columns. */
  readonly order: FragmentSqlToken;
  readonly orderByName: FragmentSqlToken;
}

export interface Scanned<Row, RowPosition> {
  /** Those of the page, and one more where there is one. */
  readonly rows: readonly Row[];
  /** The last row that was looked at, where the page ended for having looked at so many. */
  readonly end: RowPosition | null;
}

const and = (conditions: readonly FragmentSqlToken[]): FragmentSqlToken =>
  conditions.length === 0
    ? sql.fragment`true`
    : sql.fragment`${sql.join([...conditions], sql.fragment` and `)}`;

const comma = (columns: readonly FragmentSqlToken[]): FragmentSqlToken =>
  sql.fragment`${sql.join([...columns], sql.fragment`, `)}`;

/**
 * Looks through a list for a page of it, and no further than `most` rows: a filter that few rows pass costs no more
 * than one that many do. What was found, and where it ended, are of one moment, so that the next page begins right
 * there.
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
  const nulls = comma(of.columns.map(() => sql.fragment`null`));
  const isEnd = of.at.transform((end) => ({ end }));
  const rows = await lists.any(sql.type(z.union([of.row.transform((row) => ({ row })), isEnd]))`
    with page as materialized (
      select ${rowPosition}, ${columns} from (${source} limit ${max}) as scanned
      where ${and(of.filters)} order by ${orderByName} limit ${limit + 1}
    )
    select * from page
    union all
    select last.*, ${nulls} from (
      select ${rowPosition} from (${source} limit ${max}) as scanned order by ${orderByName} offset ${max - 1}
    ) as last
    where (select count(*) from page) <= ${limit}
    order by ${orderByName}`);
  return {
    rows: rows.flatMap((each) => ('row' in each ? [each.row] : [])),
    end: rows.flatMap((each) => ('end' in each ? [each.end] : []))[0] ?? null,
  };
};
