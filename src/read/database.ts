import {
  createPool,
  createTypeParserPreset,
  type DatabasePool,
  type Interceptor,
  SchemaValidationError,
} from 'slonik';

/** Rows are parsed with the schema of their query. */
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

/** The connections of list reads: typed rows, int8 as bigint, times in milliseconds since 1970. */
export const openReadPool = (url: string, max: number): Promise<DatabasePool> =>
  createPool(url, {
    maximumPoolSize: max,
    interceptors: [parseRows],
    typeParsers: createTypeParserPreset(),
    connectionTimeout: 10_000,
    statementTimeout: 15_000,
  });

export type ReadPool = DatabasePool;
