import pg from 'pg';
import type { Logger } from '../logger.ts';
import { requireScram } from './embedded/scram-only.ts';

requireScram();

export type Db = pg.Pool;
export type Queryable = Pick<pg.Pool, 'query'>;

/** Times are written and read as UTC, in ISO 8601, whatever the server and its databases are set to. */
const OF_EACH = '-c timezone=UTC -c datestyle=ISO';

/**
 * The address of a database with settings of its sessions, as `-c name=value`, besides those that it has and those of
 * each. The last of a name holds: ours.
 */
export const withSettings = (url: string, settings = ''): string => {
  const address = new URL(url);
  const given = address.searchParams.get('options') ?? '';
  address.searchParams.set('options', `${given} ${OF_EACH} ${settings}`.trim());
  return address.href;
};

/**
 * A pool of connections. Times are read as UTC; int8 arrives as text and is turned into a bigint or a number where
 * it is used, never by a global parser, since other code in the process may rely on the driver's own.
 */
export const createPool = (
  connectionString: string,
  options: {
    readonly max: number;
    readonly logger: Logger;
    readonly name: string;
    /** False for what can be made again: a crash may take back its last moments, whole transactions of them. */
    readonly durable?: boolean;
    /** Milliseconds after which a query that has no answer fails, and so long for a connection; unlimited where not given. */
    readonly timeoutMs?: number;
    /** Settings of the connections' sessions, as `-c name=value`. */
    readonly settings?: string;
  },
): Db => {
  const settings = `${options.durable === false ? '-c synchronous_commit=off ' : ''}${options.settings ?? ''}`;
  const pool = new pg.Pool({
    connectionString: withSettings(connectionString, settings),
    max: options.max,
    application_name: `sightline ${options.name}`,
    connectionTimeoutMillis: Math.min(10_000, options.timeoutMs ?? 10_000),
    keepAlive: true,
    ...(options.timeoutMs === undefined
      ? {}
      : { query_timeout: options.timeoutMs, statement_timeout: options.timeoutMs }),
  });
  // An idle connection that breaks is replaced by the pool; unheard, the event would end the process.
  // While the pool ends, its connections are let go of before the server has heard of it.
  pool.on('error', (error) => {
    if (!pool.ending) options.logger.warn({ err: error.message }, 'a database connection was lost');
  });
  // The same of one that is in use: whoever uses it hears of it from the query that fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/** Runs `work` in one transaction on one connection: committed when it returns, rolled back when it throws. */
export const inTransaction = async <T>(db: Db, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await db.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that can't even roll back must not go back to the pool: its transaction may still be open.
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
};

/** Runs `work` on one connection. One on which anything failed is not used again: what it holds may be held still. */
export const onConnection = async <T>(db: Db, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
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
