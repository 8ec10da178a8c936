import { expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { steadyMs } from '../../../src/kernel/retry.ts';
import { activeBuild } from '../../../src/projections/builds/builds.ts';
import { checkpointOf } from '../../../src/projections/checkpoints.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { people } from '../../../src/projections/views/people/projection.ts';
import { createTestProgram, sighted } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

it('a projection with a pace works out what changed once within it, however many events come', async () => {
  const program = await createTestProgram();
  const stop = new AbortController();
  let stores = 0;
  const paceMs = 400;
  const paced: Projection = {
    ...people,
    paceMs,
    open: (schema) => {
      const fold = people.open(schema);
      const store: typeof fold.store = (db) => {
        stores += 1;
        return fold.store(db);
      };
      return { ...fold, store };
    },
  };
  const { db, url } = program.database;
  const options = { db, log: program.log, logger: silentLogger, connectionString: url, signal: stop.signal };
  const running = runProjection(paced, options);
  const followed = async () => {
    const head = await program.log.head();
    await until('the projection has followed', async () => {
      const build = await activeBuild(db, people.name, people.version);
      return build !== null && (await checkpointOf(db, build.schema)) >= head;
    });
  };
  await program.append('x', 'ada', sighted('ada', '2026-10-01T00:00:00.000Z'));
  await followed();
  const [before, beganMs] = [stores, steadyMs()];
  for (let n = 1; n <= 40; n++) {
    const at = new Date(Date.UTC(2026, 9, 1, n)).toISOString();
    await program.append('x', 'ada', sighted('ada', at, { display_name: `Ada ${n}` }));
  }
  await followed();
  expect(stores - before).toBeGreaterThan(0);
  expect(stores - before).toBeLessThanOrEqual(Math.floor((steadyMs() - beganMs) / paceMs) + 1);
  stop.abort();
  await running;
  await program.close();
});
