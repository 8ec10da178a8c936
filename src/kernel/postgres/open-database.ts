import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { errorMessage, OperatorError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { steadyMs } from '../retry.ts';
import { Client } from './client.ts';
import { serverUser } from './embedded/binaries.ts';
import { askOwner, LOOK_MS, prepareHome, takeHome } from './embedded/home.ts';
import { type Cluster, serverUrl, startEmbeddedServer } from './embedded/server.ts';
import { sql } from './statement.ts';

/** An open database, embedded or external. */
export interface OpenDatabase {
  readonly url: string;
  /** Resolves when the embedded server of this process has ended unexpectedly, with what it said last. Never resolves otherwise. */
  readonly lost: Promise<string>;
  close(): Promise<void>;
}

const WAIT_MS = 60_000;

const createDatabase = async (home: string, port: number): Promise<void> => {
  const client = new Client({ connectionString: await serverUrl(home, port, 'postgres') });
  await client.connect();
  try {
    await client.query(sql`create database sightline`);
  } catch (error) {
    if ((error as { code?: string }).code !== '42P04') throw error;
  } finally {
    await client.end();
  }
};

/**
 * Opens the configured database: the one at DATABASE_URL, or the home's embedded Postgres. A service runs the embedded Postgres
 * itself. A command uses that of the running service, or runs one until it is done.
 * @throws {OperatorError} `home_in_use` if another service runs in this home, `disk_full`
 */
export const openDatabase = async (
  config: Pick<Config, 'DATABASE_URL' | 'SIGHTLINE_HOME'>,
  role: 'service' | 'command',
  logger: Logger,
): Promise<OpenDatabase> => {
  const never = new Promise<string>(() => undefined);
  if (config.DATABASE_URL !== undefined) {
    return { url: config.DATABASE_URL, lost: never, close: async () => undefined };
  }
  return openEmbedded(config.SIGHTLINE_HOME, role, logger, never).catch((error: unknown) => {
    throw isDiskFull(error)
      ? new OperatorError('disk_full', `No space left: ${errorMessage(error).split('\n')[0]}`, {
          cause: error,
        })
      : error;
  });
};

/** What the system, SQLite (the lock of the home) and Postgres say of a disk that has no space. */
const isDiskFull = (error: unknown): boolean =>
  (error as { code?: string }).code === 'ENOSPC' || /No space left|disk is full/i.test(errorMessage(error));

const openEmbedded = async (
  home: string,
  role: 'service' | 'command',
  logger: Logger,
  never: Promise<string>,
): Promise<OpenDatabase> => {
  await prepareHome(home, serverUser() !== null);
  for (const end = steadyMs() + WAIT_MS; steadyMs() < end; await sleep(LOOK_MS)) {
    const lock = await takeHome(home, role);
    if (lock !== null) {
      let cluster: Cluster;
      try {
        cluster = await startEmbeddedServer(
          home,
          (port) => createDatabase(home, port),
          (line) => logger.error({ postgres: line }, 'Postgres reports a fault'),
        );
      } catch (error) {
        await lock.release();
        throw error;
      }
      await lock.ready(cluster.port);
      logger.debug({ port: cluster.port }, 'embedded Postgres started');
      return {
        url: await serverUrl(home, cluster.port),
        lost: cluster.ended,
        close: async () => {
          await cluster.stop();
          await lock.release();
        },
      };
    }
    // Waits for a service until its Postgres is up, and for another command until it is done.
    const owner = await askOwner(
      home,
      (o) => o.role === 'service' && (role === 'service' || o.port !== null),
      WAIT_MS,
    );
    if (owner === null) continue;
    if (role === 'service') {
      throw new OperatorError(
        'home_in_use',
        `Sightline already runs in ${home} (process ${owner.pid}). Stop it, or choose another folder with SIGHTLINE_HOME.`,
      );
    }
    return { url: await serverUrl(home, owner.port ?? 0), lost: never, close: async () => undefined };
  }
  throw new OperatorError('home_in_use', `${home} is in use by other commands. Try again.`);
};
