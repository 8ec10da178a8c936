import type { QueryArrayConfig } from 'pg';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { RAW_TYPES } from '../../kernel/postgres/raw-types.ts';
import { compareKeys, type KeyedTable, keyedTables } from './primary-keys.ts';

/** A column that differs between two builds, as text; null is SQL null. */
export interface DifferentValue {
  readonly column: string;
  readonly active: string | null;
  readonly rebuilt: string | null;
}

/** A row that differs between the builds. */
export interface RowDifference {
  readonly table: string;
  readonly key: readonly (readonly [column: string, value: string | null])[];
  readonly kind: 'differs' | 'only active' | 'only rebuilt';
  /** Only if both builds have the row. */
  readonly values: readonly DifferentValue[];
}

export interface Comparison {
  readonly tables: number;
  /** Number of equal rows. */
  readonly equal: number;
  /** Number of rows that differ, and the first of them. */
  readonly different: number;
  readonly differences: readonly RowDifference[];
}

export interface CompareOptions {
  /** Differences to describe; the rest is only counted. */
  readonly max: number;
  readonly signal: AbortSignal;
  /** Called after every row: rows compared, and the estimated total. */
  readonly onRow?: (rows: number, total: number) => void;
}

/** A build, and a connection whose transaction reads it. */
export interface Side {
  readonly db: Queryable;
  readonly schema: string;
}

interface KeyedRow {
  readonly key: readonly string[];
  readonly row: string;
  /** Location of the row: table partition and ctid. */
  readonly at: readonly [table: string, ctid: string];
}

const CHUNK = 2_000;
/** Alias for the whole row, chosen so that no column has the same name. */
const ROW = '"whole row"';

/** Rows in key order, prefetching one chunk. */
async function* rowsOf({ db, schema }: Side, table: KeyedTable): AsyncGenerator<KeyedRow, void, undefined> {
  const values = table.key.map(({ value }) => value).join(', ');
  const order = table.key.map((column) => column.order).join(', ');
  await db.query(
    `declare build_rows no scroll cursor for
     select tableoid::text, ctid::text, ${ROW}::text, ${values} from ${schema}.${table.name} ${ROW} order by ${order}`,
  );
  const fetch = () => {
    const chunk = db.query<string[]>({
      text: `fetch ${CHUNK} from build_rows`,
      rowMode: 'array',
      types: RAW_TYPES,
    } as QueryArrayConfig);
    // Reported when the chunk is awaited.
    chunk.catch(() => undefined);
    return chunk;
  };
  let next = fetch();
  try {
    for (;;) {
      const { rows } = await next;
      if (rows.length === 0) return;
      next = fetch();
      for (const [table, ctid, row, ...key] of rows as [string, string, string, ...string[]][]) {
        yield { key, row, at: [table, ctid] };
      }
    }
  } finally {
    await next.then(() => db.query('close build_rows')).catch(() => undefined);
  }
}

/** Row count of a build as estimated by its last `analyze`. */
const estimateRows = async ({ db, schema }: Side): Promise<number> => {
  const { rows } = await db.query<{ n: number }>(
    `select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as n from pg_class
     where relnamespace = $1::regnamespace and relkind = 'r'`,
    [schema],
  );
  return rows[0]?.n ?? 0;
};

type Values = Readonly<Record<string, string | null>>;

/** All columns of a row as text. */
const valuesOf = async (
  { db, schema }: Side,
  table: KeyedTable,
  [oid, ctid]: KeyedRow['at'],
): Promise<Values> => {
  const { rows } = await db.query<{ values: Values }>(
    `select (select json_object_agg(key, value) from jsonb_each_text(to_jsonb(${ROW}))) as values
     from ${schema}.${table.name} ${ROW} where tableoid = $1::oid and ctid = $2::tid`,
    [oid, ctid],
  );
  return rows[0]?.values ?? {};
};

const described = async (
  table: KeyedTable,
  active: readonly [Side, KeyedRow] | null,
  rebuilt: readonly [Side, KeyedRow] | null,
): Promise<RowDifference> => {
  const left = active === null ? null : await valuesOf(active[0], table, active[1].at);
  const right = rebuilt === null ? null : await valuesOf(rebuilt[0], table, rebuilt[1].at);
  const key = table.key.map(({ name }) => [name, (left ?? right)?.[name] ?? null] as const);
  if (left === null || right === null) {
    return { table: table.name, key, kind: left === null ? 'only rebuilt' : 'only active', values: [] };
  }
  const values = table.columns
    .filter((column) => left[column] !== right[column])
    .map((column) => ({ column, active: left[column] ?? null, rebuilt: right[column] ?? null }));
  return { table: table.name, key, kind: 'differs', values };
};

/**
 * Compares two builds row by row with a merge join on their keys, in constant memory.
 * @throws if the builds have different tables.
 */
export const compareBuilds = async (
  active: Side,
  rebuilt: Side,
  { max, signal, onRow }: CompareOptions,
): Promise<Comparison> => {
  const tables = await keyedTables(active.db, active.schema);
  const others = await keyedTables(rebuilt.db, rebuilt.schema);
  const shape = (all: readonly KeyedTable[]) =>
    all.map((t) => `${t.name} (${t.columns.join(', ')})`).join('; ');
  if (shape(tables) !== shape(others)) {
    throw new Error(`${active.schema} has ${shape(tables)}, but ${rebuilt.schema} has ${shape(others)}`);
  }
  const total = onRow === undefined ? 0 : await estimateRows(rebuilt);
  let equal = 0;
  let different = 0;
  const differences: RowDifference[] = [];
  for (const table of tables) {
    const left = rowsOf(active, table);
    const right = rowsOf(rebuilt, table);
    try {
      let [a, b] = [await left.next(), await right.next()];
      while (a.done !== true || b.done !== true) {
        signal.throwIfAborted();
        const order =
          a.done === true ? 1 : b.done === true ? -1 : compareKeys(table, a.value.key, b.value.key);
        if (order === 0 && a.value?.row === b.value?.row) equal += 1;
        else {
          different += 1;
          if (differences.length < max) {
            differences.push(
              await described(
                table,
                order <= 0 ? [active, a.value as KeyedRow] : null,
                order >= 0 ? [rebuilt, b.value as KeyedRow] : null,
              ),
            );
          }
        }
        onRow?.(equal + different, total);
        if (order <= 0) a = await left.next();
        if (order >= 0) b = await right.next();
      }
    } finally {
      await left.return();
      await right.return();
    }
  }
  return { tables: tables.length, equal, different, differences };
};
