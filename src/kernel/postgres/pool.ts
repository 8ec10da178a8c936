import pg from 'pg';
import type { Logger } from '../logger.ts';
import { Client } from './client.ts';
import { type Statement, sql } from './statement.ts';
import { timestampOf } from './values.ts';

/** A pool or a connection: it runs statements. It takes no SQL as plain text, so that values can't get into the text. */
export interface Queryable {
  // biome-ignore lint/suspicious/noExplicitAny: rows are what the caller says
  query<Row = any>(statement: Statement): Promise<{ readonly rows: Row[]; readonly rowCount: number | null }>;
}

/** A connection of a pool; release it after use. */
export interface Connection extends Queryable {
  release(failure?: Error): void;
}

export interface Db extends Queryable {
  readonly options: { readonly max: number };
  connect(): Promise<Connection>;
  end(): Promise<void>;
}

const TIMESTAMPTZ = 1184;

/** The types in which values arrive: times as ISO 8601 text, int8 and numeric as text, all others as the driver parses them. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === TIMESTAMPTZ && format !== 'binary' ? timestampOf : pg.types.getTypeParser(oid, format),
};

/** Session settings of every connection. Times are in ISO 8601 and UTC, whatever the server's defaults are. */
const SESSION_SETTINGS = '-c timezone=UTC -c datestyle=ISO';

/** Adds session settings (`-c name=value`) to a connection string. Later settings override earlier ones. */
export const withSettings = (url: string, settings = ''): string => {
  const address = new URL(url);
  const before = address.searchParams.get('options') ?? '';
  address.searchParams.set('options', `${before} ${SESSION_SETTINGS} ${settings}`.trim());
  return address.href;
};

export interface PoolOptions {
  readonly max: number;
  readonly logger: Logger;
  readonly name: string;
  /** False for derived data: commits don't wait for the disk, and a crash may lose the last transactions, each as a whole. */
  readonly durable?: boolean;
  /** Timeout of queries and of connecting, in milliseconds; unlimited by default. */
  readonly timeoutMs?: number;
  /** Session settings, as `-c name=value`. */
  readonly settings?: string;
}

/** A connection pool. Its type parsers are its own: global parsers would change other code in the process. */
export const createPool = (connectionString: string, options: PoolOptions): pg.Pool => {
  const settings = `${options.durable === false ? '-c synchronous_commit=off ' : ''}${options.settings ?? ''}`;
  const pool = new pg.Pool({
    Client,
    connectionString: withSettings(connectionString, settings),
    types,
    max: options.max,
    application_name: `sightline ${options.name}`,
    connectionTimeoutMillis: Math.min(10_000, options.timeoutMs ?? 10_000),
    keepAlive: true,
    ...(options.timeoutMs === undefined
      ? {}
      : { query_timeout: options.timeoutMs, statement_timeout: options.timeoutMs }),
  });
  // The pool replaces broken idle connections. Without a listener, the event would end the process. Errors during shutdown are
  // expected.
  pool.on('error', (error) => {
    if (!pool.ending) options.logger.warn({ err: error.message }, 'database connection lost');
  });
  // For a connection in use, the failing query reports the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/** Runs `work` in a transaction. Commits when it returns, rolls back when it throws. */
export const inTransaction = async <T>(db: Db, work: (client: Connection) => Promise<T>): Promise<T> => {
  const client = await db.connect();
  let broken: Error | undefined;
  try {
    await client.query(sql`begin`);
    const result = await work(client);
    await client.query(sql`commit`);
    return result;
  } catch (error) {
    // A connection that failed to roll back may have an open transaction, so it is removed from the pool.
    await client.query(sql`rollback`).catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
};

/** Runs `work` on one connection. After a failure the connection is removed from the pool, since it may still hold locks. */
export const onConnection = async <T>(db: Db, work: (client: Connection) => Promise<T>): Promise<T> => {
  const client = await db.connect();
  let failure: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
};

/** Runs reads in one snapshot, which is taken at the first of them. */
export const withReadSnapshot = <T>(db: Db, work: (client: Queryable) => Promise<T>): Promise<T> =>
  inTransaction(db, async (client) => {
    await client.query(sql`set transaction isolation level repeatable read, read only`);
    return work(client);
  });
