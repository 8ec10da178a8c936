import {
  createDriverFactory,
  createPool,
  type DatabasePool,
  type DriverCommand,
  type DriverFactory,
  type Interceptor,
  SchemaValidationError,
} from 'slonik';
import { Client } from '../kernel/postgres/client.ts';
import { type Queryable, types, withSettings } from '../kernel/postgres/pool.ts';
import { numbered, sql } from '../kernel/postgres/statement.ts';

/** Parses rows with the schema of their query. */
const parseRows: Interceptor = {
  name: 'parse rows',
  transformRow: (context, query, row) => {
    const result = context.resultParser?.['~standard'].validate(row);
    if (result === undefined) return row;
    if (result instanceof Promise) throw new Error('row schemas parse without waiting');
    if (result.issues !== undefined) throw new SchemaValidationError(query, row, result.issues);
    return result.value as typeof row;
  },
};

/** Statement timeout of list reads. */
export const STATEMENT_MS = 1_000;

/** One CPU per statement: no parallel workers, no JIT for queries that run once. */
const SETTINGS = '-c jit=off -c max_parallel_workers_per_gather=0';

/** Makes connections like those of other pools. slonik's own driver would create `pg` clients itself. */
const driver = (url: string): DriverFactory =>
  createDriverFactory(async () => ({
    createPoolClient: async ({ clientEventEmitter }) => {
      const client = new Client({
        connectionString: withSettings(url, SETTINGS),
        types,
        connectionTimeoutMillis: 10_000,
        statement_timeout: STATEMENT_MS,
      });
      client.on('error', (error) => clientEventEmitter.emit('error', error));
      return {
        connect: async () => {
          await client.connect();
        },
        end: () => client.end(),
        query: async (sql, values) => {
          const { command, fields, rowCount, rows } = await client.query<Record<string, unknown>>(
            numbered(sql, values ?? []),
          );
          return {
            rowCount,
            rows,
            command: command as DriverCommand,
            fields: fields.map(({ dataTypeID, name }) => ({ dataTypeId: dataTypeID, name })),
          };
        },
        stream: () => {
          throw new Error('lists are read in pages');
        },
      };
    },
  }));

/** Connection pool of list reads: typed rows, from the same values as those of other pools. */
export const openReadPool = (url: string, max: number): Promise<DatabasePool> =>
  createPool(url, {
    driverFactory: driver(url),
    maxPoolSize: max,
    captureStackTrace: false,
    interceptors: [parseRows],
    // The caller retries in the active build.
    queryRetryLimit: 0,
  });

export type ReadPool = DatabasePool;

/** Lag of a replica. */
export interface ReplicaLag {
  readonly bytes: bigint;
  /** Age of its last transaction; null if it has replayed none since it started. */
  readonly seconds: number | null;
}

/**
 * Measures a replica against the primary's write position, so that a replica that no longer receives anything does not count as up
 * to date.
 * @throws if either is unavailable.
 */
export const readReplicaLag = async (primary: Queryable, replica: Queryable): Promise<ReplicaLag> => {
  // The primary is queried after the replica, so the lag is never underestimated.
  const { rows: own } = await replica.query<{ at: string; seconds: number | null }>(sql`
    select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)::text as at,
    extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as seconds`);
  const { rows: of } = await primary.query<{ bytes: string }>(
    sql`select greatest(pg_wal_lsn_diff(pg_current_wal_lsn(), ${own[0]?.at}::pg_lsn), 0)::bigint as bytes`,
  );
  return { bytes: BigInt(of[0]?.bytes ?? 0), seconds: own[0]?.seconds ?? null };
};
