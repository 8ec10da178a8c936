import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { listBuilds } from '../../../src/projections/builds/builds.ts';
import { dropBuildByName } from '../../../src/projections/builds/point-in-time.ts';
import { verify } from '../../../src/projections/verify.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';
import { until } from '../../support/wait.ts';
import { type Answer, startVersion, type VersionProcess } from './process.ts';
import { after, before } from './versions.ts';

let program: TestProgram;
const processes: VersionProcess[] = [];

beforeAll(async () => {
  program = await createTestProgram({ known: [] });
});
afterAll(async () => {
  for (const { child } of processes) child.kill('SIGKILL');
  await program.close();
});

let followers = 0;
const see = async (): Promise<number> => {
  followers += 1;
  const at = new Date(Date.UTC(2026, 9, 1) + followers * 1_000).toISOString();
  await program.append('x', 'steady', sighted('steady', at, { followers }));
  return followers;
};

const start = (which: 'before' | 'after'): VersionProcess => {
  const started = startVersion(program.database.url, which);
  processes.push(started);
  return started;
};

/** Waits until a process reads what was seen last. */
const reads = (started: VersionProcess, seen: number): Promise<Answer> =>
  until('it reads what was seen last', async () => {
    const answer = await started.ask('steady');
    if (answer === null) return null;
    expect(answer.failures).toEqual([]);
    return answer.rows[0]?.followers === seen ? answer : null;
  });

it('a new version is built by a new process while the old one is served and maintained; then the old one goes', {
  tags: 'long',
}, async () => {
  const { db } = program.database;
  const verified = async (projection: typeof before) => {
    const options = { db, log: program.log, logger: silentLogger, signal: new AbortController().signal };
    expect(await verify(projection, { ...options, max: 5 })).toMatchObject({ different: 0 });
  };
  const old = start('before');
  await until('the old version has a build', () => old.ask('steady'));
  for (let i = 0; i < 200; i++) await see();
  const { schema: oldSchema } = await reads(old, followers);

  // A second old process, as there are many; the first upgraded one joins them.
  const other = start('before');
  const fresh = start('after');
  const { schema: newSchema, rows } = await reads(fresh, await see());
  expect(newSchema).not.toBe(oldSchema);
  expect(rows).toEqual([{ handle: 'steady', followers, n: followers }]);

  for (let i = 0; i < 20; i++) {
    const seen = await see();
    const answers = await Promise.all([old, other, fresh].map((each) => reads(each, seen)));
    expect(answers.map(({ schema }) => schema)).toEqual([oldSchema, oldSchema, newSchema]);
  }
  await verified(before);
  await verified(after);

  // The old process that keeps the old build dies; the other takes over, and the new one does not mind.
  old.child.kill('SIGKILL');
  await once(old.child, 'exit');
  const seen = await see();
  await Promise.all([reads(other, seen), reads(fresh, seen)]);
  const drop = () => dropBuildByName(db, oldSchema, [after]);
  await expect(drop()).rejects.toThrow(`${oldSchema} is in use`);

  other.child.kill('SIGKILL');
  await once(other.child, 'exit');
  await db.query(
    `update projections.checkpoints set updated_at = now() - interval '2 minutes' where schema_name = $1`,
    [oldSchema],
  );
  // Its lease ends with its connection.
  await until('the old build may go', () =>
    drop().then(
      () => true,
      () => false,
    ),
  );
  expect((await reads(fresh, await see())).rows).toEqual([{ handle: 'steady', followers, n: followers }]);
  expect((await listBuilds(db)).map(({ schema, status }) => [schema, status])).toEqual([
    [newSchema, 'active'],
  ]);
});
