import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/kernel/logger.ts';
import { migrate } from '../../src/kernel/postgres/migrate.ts';
import { openDatabase } from '../../src/kernel/postgres/open-database.ts';
import { createPool, type Db } from '../../src/kernel/postgres/pool.ts';

/** A database of a bench, with a pool on it. */
export interface BenchDatabase {
  readonly url: string;
  readonly db: Db;
}

export interface BenchServer {
  /** A connection to what is the server's and no database's. */
  readonly admin: Db;
  /** An empty, migrated database. */
  migrated(name: string): Promise<BenchDatabase>;
  /** A database with nothing in it, for a peer that makes its own tables. */
  empty(name: string): Promise<BenchDatabase>;
  /** A copy of a database of this server, which must have no connections but its pool's (those are ended). */
  copy(of: BenchDatabase, name: string): Promise<BenchDatabase>;
  close(): Promise<void>;
}

/** A Postgres of its own in a temporary folder, with the settings that the embedded one always has. */
export const openServer = async (): Promise<BenchServer> => {
  const home = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  await chmod(home, 0o755);
  const server = await openDatabase(
    { SIGHTLINE_HOME: home, DATABASE_URL: undefined },
    'service',
    silentLogger,
  );
  const pools = new Set<Db>();
  const open = (name: string, max = 10): BenchDatabase => {
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    const db = createPool(url.href, { max, logger: silentLogger, name: 'bench' });
    pools.add(db);
    return { url: url.href, db };
  };
  const admin = open('postgres', 1).db;
  const end = async (db: Db) => {
    pools.delete(db);
    await db.end();
  };
  return {
    admin,
    empty: async (name) => {
      await admin.query(`create database ${name}`);
      return open(name);
    },
    migrated: async (name) => {
      await admin.query(`create database ${name}`);
      const opened = open(name);
      await migrate(opened.db);
      return opened;
    },
    copy: async (of, name) => {
      const source = new URL(of.url).pathname.slice(1);
      await end(of.db);
      await admin.query(`create database ${name} template ${source}`);
      return open(name);
    },
    close: async () => {
      for (const db of pools) await end(db);
      await server.close();
      await rm(home, { recursive: true, force: true });
    },
  };
};
