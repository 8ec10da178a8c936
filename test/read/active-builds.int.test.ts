import { expect, it } from 'vitest';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { createBuild } from '../../src/projections/builds/builds.ts';
import { holders } from '../../src/projections/views/holders/projection.ts';
import { watchBuilds } from '../../src/read/active-builds.ts';
import { createTestDatabase } from '../support/database.ts';
import { openProxy } from '../support/proxy.ts';
import { until } from '../support/wait.ts';

it('the watch on builds retries on another connection when Postgres hangs, and confirms nothing meanwhile', async () => {
  const database = await createTestDatabase();
  await createBuild(database.db, holders, 'active');
  const proxy = await openProxy(database.url);
  const db = createPool(proxy.url, { max: 4, logger: silentLogger, name: 'test', timeoutMs: 300 });
  const builds = await watchBuilds(db, silentLogger, { known: [holders], askMs: 100 });
  proxy.freeze();
  await expect(builds.refresh()).rejects.toThrow(/timeout/);
  const confirmed = builds.confirmedAtMs();
  proxy.thaw();
  await until('it is confirmed again', () => builds.confirmedAtMs() > confirmed);
  builds.close();
  await db.end();
  await proxy.close();
  await database.drop();
});
