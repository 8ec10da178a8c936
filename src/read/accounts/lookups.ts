import { createBatcher } from '../../kernel/batch.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { numbered } from '../../kernel/postgres/statement.ts';
import { type DriverRow, driverReader } from '../../projections/table/rows.ts';
import type { Table } from '../../projections/table/table.ts';

/** Key of an account look-up. */
export interface AccountKey {
  readonly platform: Platform;
  readonly by: 'handle' | 'id';
  readonly value: string;
}

/** A table with a row per account, partitioned by platform. */
interface AccountTable<Row extends { handle: unknown; native_id: unknown }, Name extends keyof Row, Found> {
  readonly table: Table<Row>;
  readonly columns: readonly (Name | 'handle' | 'native_id')[];
  /** The platform's partition, in the active build. */
  readonly partition: (platform: Platform) => string;
  /** Part of the names of its statements, where others read other columns of the same table. */
  readonly part?: string;
  /** Column by which the last of several rows is the account's; a renamed account may have a row per handle. */
  readonly latestBy?: string;
  readonly found: (row: Pick<Row, Name | 'handle' | 'native_id'>) => Found;
}

/**
 * Look-ups of accounts by handle or native ID; those of one tick share a query. A single value has its own statement:
 * Postgres caches the plan of `= $1`, but plans `= any($1)` each time, which takes longer than the look-up.
 */
export const createLookups = <
  Row extends { handle: unknown; native_id: unknown },
  Name extends keyof Row,
  Found,
>(
  db: Queryable,
  { table, columns, partition, part = '', latestBy, found }: AccountTable<Row, Name, Found>,
): { find(key: AccountKey): Promise<Found | null> } => {
  const read = driverReader(table);
  const create = (platform: Platform, column: 'handle' | 'native_id') =>
    createBatcher<string, Found | null>(async (values) => {
      const name = partition(platform);
      const isOne = values.length === 1;
      const { rows } = await db.query<DriverRow<Row>>(
        numbered(
          `select ${columns.join(', ')} from ${name} where ${column} ${isOne ? '= $1' : '= any($1)'}
           ${latestBy === undefined || column === 'handle' ? '' : `order by ${latestBy}`}`,
          [isOne ? values[0] : values],
          { name: `${name}${part} by ${column}${isOne ? '' : 's'}` },
        ),
      );
      const rowsBy = new Map(rows.map((row) => [row[column] as string, row]));
      return values.map((value) => {
        const row = rowsBy.get(value);
        return row === undefined ? null : found(read(row) as Row);
      });
    });
  const lookups = new Map<string, (value: string) => Promise<Found | null>>();
  return {
    find: ({ platform, by, value }) => {
      const name = `${platform} ${by}`;
      let lookup = lookups.get(name);
      if (lookup === undefined) {
        lookup = create(platform, by === 'id' ? 'native_id' : 'handle');
        lookups.set(name, lookup);
      }
      return lookup(value);
    },
  };
};
