import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { silentLogger } from '../../src/kernel/logger.ts';
import { migrate } from '../../src/kernel/postgres/migrate.ts';
import { openDatabase } from '../../src/kernel/postgres/open-database.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { createBuild } from '../../src/projections/builds/builds.ts';
import { projections } from '../../src/projections/registry.ts';
import { TEMPLATES } from './templates.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A Postgres server for the tests, with the templates of their databases. */
    databaseServer: string;
  }
}

const createBuiltTemplate = async (server: string): Promise<void> => {
  const at = (database: string) => {
    const url = new URL(server);
    url.pathname = `/${database}`;
    return createPool(url.href, { max: 1, logger: silentLogger, name: 'test setup' });
  };
  const admin = at('postgres');
  await admin.query(`create database ${TEMPLATES.built} template ${TEMPLATES.migrated} strategy file_copy`);
  await admin.end();
  const db = at(TEMPLATES.built);
  for (const projection of projections) await createBuild(db, projection, 'active');
  await db.end();
};

const IN_MEMORY = '/dev/shm';
const LEAST_BYTES = 8 * 1024 ** 3;
const NAME = 'sightline-test-';

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

/** Removes the folders that killed runs left in memory. */
const clearMemory = async (): Promise<void> => {
  const names = await readdir(IN_MEMORY);
  for (const name of names.filter((each) => each.startsWith(NAME))) {
    const pid = Number(name.slice(NAME.length).split('-')[0]);
    // Folders of other users stay.
    if (!isRunning(pid))
      await rm(join(IN_MEMORY, name), { recursive: true, force: true }).catch(() => undefined);
  }
};

/**
 * A folder for databases, which are made and dropped by the hundred, each of a thousand files: in memory that takes a fraction
 * of the time. Used where there is plenty of it; a run had at most 360 MB when that was measured.
 */
const createHome = async (): Promise<string> => {
  const memory = await statfs(IN_MEMORY).catch(() => null);
  const leastBytes = Math.min((memory?.bavail ?? 0) * (memory?.bsize ?? 0), process.availableMemory());
  const isPlenty = leastBytes >= LEAST_BYTES;
  if (isPlenty) await clearMemory();
  return mkdtemp(join(isPlenty ? IN_MEMORY : tmpdir(), `${NAME}${process.pid}-`));
};

/** One Postgres for all the files of a test level. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await createHome();
  // The user that Postgres runs as when root starts it needs access.
  await chmod(home, 0o755);
  const server = await openDatabase(
    { SIGHTLINE_HOME: home, DATABASE_URL: undefined },
    'service',
    silentLogger,
  );
  const db = createPool(server.url, { max: 1, logger: silentLogger, name: 'test setup' });
  // The data does not outlive the run, and no table needs maintenance. Tests of crashes kill servers of their own, which keep
  // the defaults.
  for (const setting of ['fsync', 'full_page_writes', 'autovacuum'])
    await db.query(`alter system set ${setting} = off`);
  await db.query('select pg_reload_conf()');
  await migrate(db);
  await db.end();
  await createBuiltTemplate(server.url);
  project.provide('databaseServer', server.url);
  return async () => {
    await server.close();
    await rm(home, { recursive: true, force: true });
  };
}
