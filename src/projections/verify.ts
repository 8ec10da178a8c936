/** Verifies a build against a second one, row by row. */

import { OperatorError } from '../kernel/errors.ts';
import { type Db, inTransaction, type Queryable, withReadSnapshot } from '../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../kernel/postgres/statement.ts';
import { RAW_TYPES } from '../kernel/postgres/values.ts';
import type { EventPage } from '../write/log/port.ts';
import {
  activeBuild,
  type Build,
  createBuild,
  dropBuild,
  dropLeftovers,
  tablesOf,
  withBuildLock,
} from './builds/builds.ts';
import { eachPage, openBuilder } from './builds/bulk-fold.ts';
import type { ShadowBuildOptions } from './builds/rebuild.ts';
import {
  type Checkpoints,
  checkpointsOf,
  deliveriesOf,
  isIn,
  maxPosition,
  minPosition,
} from './checkpoints.ts';
import {
  isRetry,
  openParking,
  type ParkedStreams,
  parkedStreams,
  retriedAt,
} from './dead-letters/parking.ts';
import type { AppliedEvent, Projection } from './projection.ts';

export type VerifyOptions = ShadowBuildOptions & CompareOptions;

export interface Verification extends Comparison {
  readonly active: Build;
  /** Checkpoints of the active build. */
  readonly checkpoints: Checkpoints;
}

/** The wanted events of a page, as the writers of the active build apply them. */
const only = (
  page: EventPage,
  checkpoints: Checkpoints,
  isWanted: (event: AppliedEvent) => boolean,
): EventPage => ({
  events: page.events
    .flatMap((event) => (isRetry(event) ? [event] : deliveriesOf(event, checkpoints)))
    .filter(isWanted),
  endPosition: page.endPosition,
});

const isSame = (a: ParkedStreams, b: ParkedStreams): boolean =>
  a.size === b.size && [...a].every(([stream, row]) => b.get(stream)?.eventId === row.eventId);

/** Whether an event is applied in a build; a retry counts as an event of the stream it retries. */
const effectIsIn = (checkpoints: Checkpoints) => (event: AppliedEvent) =>
  isRetry(event)
    ? isIn({ stream: (event.data as { stream: string }).stream, position: event.position }, checkpoints)
    : isIn(event, checkpoints);

/**
 * The active build.
 * @throws {OperatorError} if this version has none.
 */
const requireActiveBuild = async (db: Db, { name, version }: Projection): Promise<Build> => {
  const active = await activeBuild(db, name, version);
  if (active === null)
    throw new OperatorError('build_missing', `${name} has no build of version ${version} yet.`);
  return active;
};

/**
 * One attempt; null if an event was skipped or a stream was parked or retried meanwhile, which only one of the builds may contain.
 */
const tryVerify = async (
  projection: Projection,
  active: Build,
  shadow: Build,
  options: VerifyOptions,
): Promise<Verification | null> => {
  const { db, log, logger } = options;
  const parking = await openParking(projection, { log, logger });
  const begun = parking.control();
  const before = await checkpointsOf(db, active.schema);
  const lacking = await parkedStreams(db, active.schema);
  // Kafka consumers apply a retry a little after its position.
  const isDeferred = (stream: string, at: bigint) => {
    const row = lacking.get(stream);
    const retried = row === undefined ? null : retriedAt(begun, row);
    return retried !== null && at >= retried;
  };
  const builder = await openBuilder(db, projection, shadow.schema, { log, parking, isDeferred });
  const isIn = effectIsIn(before);
  try {
    // Most of the work happens before the snapshot, which keeps the server from vacuuming replaced rows.
    const first = { after: 0n, to: maxPosition(before) };
    const writeFirst = (page: EventPage) => builder.write(only(page, before, isIn));
    await eachPage(projection, parking, first, options, writeFirst, builder.isParked);
    return await withReadSnapshot(db, async (snapshot) => {
      const checkpoints = await checkpointsOf(snapshot, active.schema);
      const rest = { after: minPosition(before), to: maxPosition(checkpoints) };
      const isInNow = effectIsIn(checkpoints);
      const writeRest = (page: EventPage) =>
        builder.write(only(page, checkpoints, (event) => !isIn(event) && isInNow(event)));
      const quiet = { ...options, onProgress: () => undefined };
      await eachPage(projection, parking, rest, quiet, writeRest, builder.isParked);
      await builder.finish();
      await db.query(sql`analyze ${raw((await tablesOf(db, shadow.schema)).join(', '))}`);
      const now = await parking.reload();
      if (now.revision !== begun.revision || !isSame(lacking, await parkedStreams(snapshot, active.schema))) {
        return null;
      }
      const found = await inTransaction(db, (client) =>
        compareBuilds(
          { db: snapshot, schema: active.schema },
          { db: client, schema: shadow.schema },
          options,
        ),
      );
      return { ...found, active, checkpoints };
    });
  } finally {
    await builder.idle();
  }
};

/**
 * Builds a projection a second time, up to the active build's checkpoints, and compares the two row by row while
 * events keep arriving. The second build is always dropped.
 * @throws {OperatorError} if another build of the projection is in progress.
 */
export const verify = (projection: Projection, options: VerifyOptions): Promise<Verification> =>
  withBuildLock(options.db, projection, async () => {
    const { db, signal } = options;
    const active = await requireActiveBuild(db, projection);
    await dropLeftovers(db, projection);
    for (;;) {
      signal.throwIfAborted();
      const shadow = await createBuild(db, projection, 'building');
      try {
        const found = await tryVerify(projection, active, shadow, options);
        if (found !== null) return found;
      } finally {
        await dropBuild(db, shadow.schema);
      }
    }
  });

/** A table of a build with its primary key, by which two builds are merged. */
interface KeyedTable {
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
const keyedTables = async (db: Queryable, schema: string): Promise<readonly KeyedTable[]> => {
  const { rows } = await db.query<Row>(sql`
    select c.relname as table,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      coalesce((
        select json_agg(json_build_object(
          'name', a.attname, 'quoted', quote_ident(a.attname), 'type', format_type(a.atttypid, null), 'collation',
            l.collname
        ) order by k.n)
        from pg_index i, unnest(i.indkey::int[]) with ordinality as k(attnum, n)
        join pg_attribute a on a.attnum = k.attnum left join pg_collation l on l.oid = a.attcollation
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid
      ), '[]') as key
    from pg_class c
    where c.relnamespace = ${schema}::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`);
  return rows.map(({ table, columns, key }) => {
    if (key.length === 0) throw new Error(`${schema}.${table} has no primary key`);
    return { name: table, columns, key: key.map(keyColumn) };
  });
};

const compareKeys = (table: KeyedTable, a: readonly string[], b: readonly string[]): number => {
  for (const [i, { compare }] of table.key.entries()) {
    const order = compare(a[i] as string, b[i] as string);
    if (order !== 0) return order;
  }
  return 0;
};

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
  await db.query(sql`
    declare build_rows no scroll cursor for
    select tableoid::text, ctid::text, ${raw(ROW)}::text, ${raw(values)}
      from ${ident(schema)}.${raw(table.name)} ${raw(ROW)} order by ${raw(order)}`);
  const fetch = () => {
    const chunk = db.query<string[]>(
      sql`fetch ${raw(CHUNK)} from build_rows`.with({ rowMode: 'array', types: RAW_TYPES }),
    );
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
    await next.then(() => db.query(sql`close build_rows`)).catch(() => undefined);
  }
}

/** Row count of a build as estimated by its last `analyze`. */
const estimateRows = async ({ db, schema }: Side): Promise<number> => {
  const { rows } = await db.query<{ n: number }>(sql`
    select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as n from pg_class
    where relnamespace = ${schema}::regnamespace and relkind = 'r'`);
  return rows[0]?.n ?? 0;
};

type Values = Readonly<Record<string, string | null>>;

/** All columns of a row as text. */
const valuesOf = async (
  { db, schema }: Side,
  table: KeyedTable,
  [oid, ctid]: KeyedRow['at'],
): Promise<Values> => {
  const { rows } = await db.query<{ values: Values }>(sql`
    select (select json_object_agg(key, value) from jsonb_each_text(to_jsonb(${raw(ROW)}))) as values
    from ${ident(schema)}.${raw(table.name)} ${raw(ROW)} where tableoid = ${oid}::oid and ctid = ${ctid}::tid`);
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

/** The rows of a table in both builds, paired by key; null where a build lacks the row. */
async function* pairedRows(
  table: KeyedTable,
  active: Side,
  rebuilt: Side,
): AsyncGenerator<readonly [KeyedRow | null, KeyedRow | null], void, undefined> {
  const left = rowsOf(active, table);
  const right = rowsOf(rebuilt, table);
  const nextOf = async (rows: typeof left) => (await rows.next()).value ?? null;
  try {
    let [a, b] = [await nextOf(left), await nextOf(right)];
    while (a !== null || b !== null) {
      const order = a === null ? 1 : b === null ? -1 : compareKeys(table, a.key, b.key);
      yield [order <= 0 ? a : null, order >= 0 ? b : null];
      if (order <= 0) a = await nextOf(left);
      if (order >= 0) b = await nextOf(right);
    }
  } finally {
    await left.return();
    await right.return();
  }
}

/** @throws if the builds have different tables. */
const tablesOfBoth = async (active: Side, rebuilt: Side): Promise<readonly KeyedTable[]> => {
  const tables = await keyedTables(active.db, active.schema);
  const others = await keyedTables(rebuilt.db, rebuilt.schema);
  const shape = (all: readonly KeyedTable[]) =>
    all.map((t) => `${t.name} (${t.columns.join(', ')})`).join('; ');
  if (shape(tables) !== shape(others)) {
    throw new Error(`${active.schema} has ${shape(tables)}, but ${rebuilt.schema} has ${shape(others)}`);
  }
  return tables;
};

/**
 * Compares two builds row by row with a merge join on their keys, in constant memory.
 * @throws if the builds have different tables.
 */
const compareBuilds = async (
  active: Side,
  rebuilt: Side,
  { max, signal, onRow }: CompareOptions,
): Promise<Comparison> => {
  const tables = await tablesOfBoth(active, rebuilt);
  const total = onRow === undefined ? 0 : await estimateRows(rebuilt);
  let equal = 0;
  let different = 0;
  const differences: RowDifference[] = [];
  for (const table of tables) {
    for await (const [a, b] of pairedRows(table, active, rebuilt)) {
      signal.throwIfAborted();
      if (a?.row === b?.row) equal += 1;
      else {
        different += 1;
        if (differences.length < max) {
          differences.push(
            await described(table, a === null ? null : [active, a], b === null ? null : [rebuilt, b]),
          );
        }
      }
      onRow?.(equal + different, total);
    }
  }
  return { tables: tables.length, equal, different, differences };
};
