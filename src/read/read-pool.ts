import { createPool, type DatabasePool, type Interceptor, SchemaValidationError } from 'slonik';
import { withSettings } from '../kernel/postgres/pool.ts';
import { timestampOf } from '../kernel/postgres/timestamp.ts';

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

/** Connection pool of list reads: typed rows, from the same values as those of other pools. */
export const openReadPool = (url: string, max: number): Promise<DatabasePool> =>
  createPool(withSettings(url, SETTINGS), {
    maxPoolSize: max,
    captureStackTrace: false,
    interceptors: [parseRows],
    typeParsers: [{ name: 'timestamptz', parse: timestampOf }],
    connectionTimeout: 10_000,
    statementTimeout: STATEMENT_MS,
    // The caller retries in the active build.
    queryRetryLimit: 0,
  });

export type ReadPool = DatabasePool;
