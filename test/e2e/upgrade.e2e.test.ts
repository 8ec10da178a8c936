import { afterAll, beforeAll, expect, it } from 'vitest';
import { projections } from '../../src/projections/registry.ts';
import { createTestHome, type TestHome } from '../support/cli.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';
import { readinessAt } from '../support/readiness.ts';
import { until } from '../support/wait.ts';

let program: TestProgram;
let home: TestHome;

beforeAll(async () => {
  program = await createTestProgram();
  home = await createTestHome({
    DATABASE_URL: program.database.url,
    PORT: '0',
    OPERATIONS_PORT: '0',
    LOG_FORMAT: 'json',
  });
});
afterAll(async () => {
  await home.remove();
  await program.close();
});

/** Whoever moves a checkpoint of a new build waits for this lock. */
const GATE = 4_712;

it('a single process answers from the old read models until the new ones are made, and says how far they are', {
  tags: 'long',
}, async () => {
  const { db } = program.database;
  await program.append('x', 'nasa', sighted('nasa', '2026-11-01T00:00:00.000Z'));
  const key = await program.issueKey();
  await program.project();
  const old = program.builds.schema('directory');
  await db.query(`update projections.builds set version = version - 1 where projection <> 'holders'`);
  await db.query(`
    create function public.gate() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$;
    create trigger gate before update on projections.checkpoints for each row
      when (new.schema_name like 'directory_v%' and new.schema_name <> '${old}') execute function public.gate()`);
  const gate = await db.connect();
  await gate.query('select pg_advisory_lock($1)', [GATE]);

  const running = home.start(['start']);
  const [, url] = await running.says(/"url":"(http[^"]+)"[^\n]*the API is served/);
  const get = (path: string) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  // The first answer counts: nothing waits for a build.
  expect((await get('/v2/directory/x/nasa')).status).toBe(200);
  const [, health] = await running.says(/"health":"(http[^"]+)"[^\n]*waiting for the role project/);
  const { ready, checks } = await readinessAt(health as string);
  expect(checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)).toEqual([]);
  expect(ready).toBe(true);
  expect(checks.find(({ name }) => name === 'projection directory')?.detail).toContain(
    `not built yet: 0 %, ${old} answers meanwhile`,
  );
  const listed = JSON.parse((await home.run(['projections', 'list', '--json'])).out) as {
    schema: string;
    use: string;
  }[];
  expect(listed.find(({ schema }) => schema === old)?.use).toBe('stands in');
  const kept = JSON.parse((await home.run(['projections', 'prune', '--json'])).out) as {
    kept: { schema: string }[];
  };
  expect(kept.kept.map(({ schema }) => schema)).toContain(old);
  expect((await get('/v2/directory/x/nasa')).status).toBe(200);

  gate.release(true);
  await until('every read model is of this version', async () => {
    const { checks: now } = await readinessAt(health as string);
    return projections.every(({ name }) =>
      /events? behind/.test(now.find((check) => check.name === `projection ${name}`)?.detail ?? ''),
    );
  });
  expect((await get('/v2/directory/x/nasa')).status).toBe(200);
  expect(await running.end('SIGTERM')).toBe(0);
});
