import type { Queryable } from '../../kernel/postgres/pool.ts';

/** A table of a build with its primary key, by which two builds are merged. */
export interface KeyedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly KeyColumn[];
}

interface KeyColumn {
  readonly name: string;
  /** Expressions to select and to order by. */
  readonly value: string;
  readonly order: string;
  readonly compare: (a: string, b: string) => number;
}

const byNumber = (a: string, b: string): number => {
  const [x, y] = [BigInt(a), BigInt(b)];
  return x < y ? -1 : x > y ? 1 : 0;
};

/** Order of collation "C": by bytes. JavaScript's own order differs outside the basic multilingual plane. */
const byBytes = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));

const NUMBERS = new Set(['smallint', 'integer', 'bigint']);

/** Microseconds since 1970; beyond the range for infinity. */
const microseconds = (column: string): string =>
  `case when isfinite(${column}) then (extract(epoch from ${column}) * 1000000)::bigint
   when ${column} < now() then -9223372036854775808 else 9223372036854775807 end`;

interface RawKey {
  readonly name: string;
  /** Quoted for SQL. */
  readonly quoted: string;
  readonly type: string;
  readonly collation: string | null;
}

/** Uses the index order if JavaScript can reproduce it; otherwise the text in collation "C", which needs a sort. */
const keyColumn = ({ name, quoted, type, collation }: RawKey): KeyColumn => {
  if (NUMBERS.has(type)) return { name, value: quoted, order: quoted, compare: byNumber };
  if (type === 'timestamp with time zone') {
    return { name, value: microseconds(quoted), order: quoted, compare: byNumber };
  }
  const text = collation === 'C' ? quoted : `${quoted}::text collate "C"`;
  return { name, value: text, order: text, compare: byBytes };
};

interface Row {
  readonly table: string;
  readonly columns: readonly string[];
  readonly key: readonly RawKey[];
}

/**
 * The tables of a build with their keys.
 * @throws if a table has no primary key.
 */
export const keyedTables = async (db: Queryable, schema: string): Promise<readonly KeyedTable[]> => {
  const { rows } = await db.query<Row>(
    `select c.relname as table,
       (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
       coalesce((
         select json_agg(json_build_object(
           'name', a.attname, 'quoted', quote_ident(a.attname), 'type', format_type(a.atttypid, null), 'collation', l.collname
         ) order by k.n)
         from pg_index i, unnest(i.indkey::int[]) with ordinality as k(attnum, n)
         join pg_attribute a on a.attnum = k.attnum left join pg_collation l on l.oid = a.attcollation
         where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid
       ), '[]') as key
     from pg_class c
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`,
    [schema],
  );
  return rows.map(({ table, columns, key }) => {
    if (key.length === 0) throw new Error(`${schema}.${table} has no primary key`);
    return { name: table, columns, key: key.map(keyColumn) };
  });
};

export const compareKeys = (table: KeyedTable, a: readonly string[], b: readonly string[]): number => {
  for (const [i, { compare }] of table.key.entries()) {
    const order = compare(a[i] as string, b[i] as string);
    if (order !== 0) return order;
  }
  return 0;
};
