import { OperatorError } from '../errors.ts';
import { Client } from './client.ts';
import { withSettings } from './pool.ts';
import { sql } from './statement.ts';

/** Number of connections tried to find one that shares a server process. */
const TRIED = 8;
const ANSWER_MS = 5_000;

const REMEDY =
  'Advisory locks, LISTEN and settings belong to a session. Point it at Postgres itself, or at a pooler that keeps a connection for the whole session (PgBouncer: pool_mode=session, and options among ignore_startup_parameters only where the server is in UTC).';

interface Session {
  readonly pid: number;
  readonly zone: string;
  readonly style: string;
}

const open = async (url: string): Promise<Client> => {
  const client = new Client({
    connectionString: withSettings(url),
    application_name: 'sightline session check',
    connectionTimeoutMillis: 2 * ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  // Queries on the connection report the error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
};

const inspect = async (client: Client): Promise<Session> => {
  const { rows } = await client.query<Session>(
    sql`select pg_backend_pid() as pid, current_setting('TimeZone') as zone, current_setting('DateStyle') as style`,
  );
  return rows[0] as Session;
};

/** Whether another connection reaches the server process of this one, or this one now reaches another process. */
const isShared = async (url: string, first: Client, pid: number): Promise<boolean> => {
  const others: Client[] = [];
  try {
    for (let i = 0; i < TRIED; i += 1) {
      const other = await open(url);
      others.push(other);
      // All connections are kept open: a pooler then returns the shared one sooner or later.
      await other.query(sql`begin`);
      if ((await inspect(other)).pid === pid) return true;
    }
    return (await inspect(first)).pid !== pid;
  } finally {
    await Promise.all(others.map((other) => other.end()));
  }
};

/**
 * Checks that a connection is a session: its settings hold, and it has a server process of its own.
 * @param name the setting that holds the connection string.
 * @throws {OperatorError} with the reason and remedy if it is not a session. Connection errors are thrown as they are.
 */
export const requireSessions = async (url: string, name: string): Promise<void> => {
  let first: Client;
  try {
    first = await open(url);
  } catch (error) {
    if (/unsupported startup parameter/i.test((error as Error).message)) {
      throw new OperatorError(
        'database_unusable',
        `${name} goes through a pooler that rejects session settings. ${REMEDY}`,
        {
          cause: error,
        },
      );
    }
    throw error;
  }
  try {
    const { pid, zone, style } = await inspect(first);
    // A pooler reports a made-up process ID.
    const { processID: named } = first as Client & { processID?: number | null };
    if (named !== pid && (await isShared(url, first, pid))) {
      throw new OperatorError(
        'database_unusable',
        `${name} goes through a pooler that changes the connection between transactions. ${REMEDY}`,
      );
    }
    if (zone !== 'UTC' || !style.startsWith('ISO')) {
      throw new OperatorError(
        'database_unusable',
        `${name} uses the time zone ${zone} and the date style ${style} although UTC and ISO were requested: a pooler drops session settings. ${REMEDY}`,
      );
    }
  } finally {
    await first.end();
  }
};
