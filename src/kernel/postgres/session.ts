import pg from 'pg';
import { OperatorError } from '../errors/operator-error.ts';
import { withSettings } from './pool.ts';

/** How many connections are tried for one that another is served by. */
const TRIED = 8;
const ANSWER_MS = 5_000;

const REMEDY =
  'Advisory locks, LISTEN and settings belong to a session. Point it at Postgres itself, or at a pooler that keeps a connection for the whole session (PgBouncer: pool_mode=session, and options among ignore_startup_parameters only where the server is in UTC).';

interface Session {
  readonly pid: number;
  readonly zone: string;
  readonly style: string;
}

const open = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: withSettings(url),
    application_name: 'sightline session check',
    connectionTimeoutMillis: 2 * ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  // Whoever asks on it hears of it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
};

const look = async (client: pg.Client): Promise<Session> => {
  const { rows } = await client.query<Session>(
    `select pg_backend_pid() as pid, current_setting('TimeZone') as zone, current_setting('DateStyle') as style`,
  );
  return rows[0] as Session;
};

/** Whether another connection gets to the server that served this one, or this one to another. */
const isShared = async (url: string, first: pg.Client, pid: number): Promise<boolean> => {
  const others: pg.Client[] = [];
  try {
    for (let i = 0; i < TRIED; i += 1) {
      const other = await open(url);
      others.push(other);
      // Kept until all were tried: one that is free is handed out sooner or later.
      await other.query('begin');
      if ((await look(other)).pid === pid) return true;
    }
    return (await look(first)).pid !== pid;
  } finally {
    await Promise.all(others.map((other) => other.end()));
  }
};

/**
 * Sees that a connection of a database is a session: settings that are asked for hold, and the server process behind
 * it is its own.
 * @param name the setting that names the database.
 * @throws {OperatorError} with the reason and what to do where it is none; whatever connecting fails with.
 */
export const requireSessions = async (url: string, name: string): Promise<void> => {
  let first: pg.Client;
  try {
    first = await open(url);
  } catch (error) {
    if (/unsupported startup parameter/i.test((error as Error).message)) {
      throw new OperatorError(
        'database_unusable',
        `${name} goes through a pooler that takes no settings of a session. ${REMEDY}`,
        {
          cause: error,
        },
      );
    }
    throw error;
  }
  try {
    const { pid, zone, style } = await look(first);
    // A pooler makes up the process that it names.
    const { processID: named } = first as pg.Client & { processID?: number | null };
    if (named !== pid && (await isShared(url, first, pid))) {
      throw new OperatorError(
        'database_unusable',
        `${name} goes through a pooler that changes the connection between transactions. ${REMEDY}`,
      );
    }
    if (zone !== 'UTC' || !style.startsWith('ISO')) {
      throw new OperatorError(
        'database_unusable',
        `${name} answers in the time zone ${zone} and the date style ${style}, and does not let a connection choose UTC and ISO: a pooler keeps that from it. ${REMEDY}`,
      );
    }
  } finally {
    await first.end();
  }
};
