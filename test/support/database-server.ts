import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { silentLogger } from '../../src/kernel/logger.ts';
import { migrate } from '../../src/kernel/postgres/migrate.ts';
import { openDatabase } from '../../src/kernel/postgres/open-database.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A Postgres server for the tests; its database `sightline` is migrated and is the template of the others. */
    databaseServer: string;
  }
}

/** One Postgres for all the files of a test level. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), 'sightline-test-'));
  // Open to the user that root's Postgres runs as.
  await chmod(home, 0o755);
  const server = await openDatabase(
    { SIGHTLINE_HOME: home, DATABASE_URL: undefined },
    'service',
    silentLogger,
  );
  const db = createPool(server.url, { max: 1, logger: silentLogger, name: 'test setup' });
  await migrate(db);
  await db.end();
  project.provide('databaseServer', server.url);
  return async () => {
    await server.close();
    await rm(home, { recursive: true, force: true });
  };
}
