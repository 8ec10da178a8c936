import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '../../../src/kernel/config.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import {
  copyProjection,
  dropBuild,
  prune,
  rebuildProjection,
} from '../../../src/operations/projections/builds.ts';
import { activeBuild, createBuild, dropBuild as dropSchema } from '../../../src/projections/builds/builds.ts';
import { projections } from '../../../src/projections/registry.ts';
import { BUILDS_STREAM } from '../../../src/write/upkeep.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram();
  await program.issueKey();
  await program.project();
  // A rebuild waits for the readers of a build that it replaces.
  await dropSchema(program.database.db, await served());
});
afterAll(() => program.close());

const context = () => ({
  db: program.database.db,
  log: program.log,
  logger: silentLogger,
  url: program.database.url,
  config: parseConfig({}),
});
const options = (signal = new AbortController().signal) => ({
  signal,
  onProgress: () => undefined,
  writers: 1,
});

/** What the log says of builds since some of its events. */
const recorded = async (after = 0): Promise<readonly [type: string, data: unknown][]> =>
  (await program.log.readStream(BUILDS_STREAM)).slice(after).map(({ type, data }) => [type, data]);

const { version } = projections.find(({ name }) => name === 'leads') as (typeof projections)[number];
const served = async (): Promise<string> =>
  (await activeBuild(program.database.db, 'leads', version))?.schema ?? '';

const at = expect.any(String);

it('a rebuild, a copy and what is dropped stand in the log', async () => {
  const of = { at, projection: 'leads', version };
  const { schema } = await rebuildProjection(context(), 'leads', options());
  const copy = await copyProjection(context(), 'leads', { into: 'night' }, options());
  await dropBuild(context(), 'night');
  expect(await recorded()).toEqual([
    ['ProjectionRebuilt', { ...of, schema }],
    ['ProjectionCopied', { ...of, schema: 'night', position: String(copy.position) }],
    ['ProjectionBuildDropped', { ...of, schema: 'night' }],
  ]);
});

it('a prune records each build that it dropped, and nothing where there is none', async () => {
  const before = (await recorded()).length;
  const left = [];
  for (const projection of projections.slice(0, 2))
    left.push(await createBuild(program.database.db, projection, 'building'));
  expect((await prune(context())).dropped).toHaveLength(left.length);
  expect(await recorded(before)).toEqual(
    left.map(({ projection, version, schema }) => [
      'ProjectionBuildDropped',
      { at, projection, version, schema },
    ]),
  );
  await prune(context());
  expect((await recorded(before)).length).toBe(left.length);
});

it('what is refused or stopped is not recorded', async () => {
  const before = (await recorded()).length;
  const schema = await served();
  await expect(dropBuild(context(), schema)).rejects.toMatchObject({ code: 'build_served' });
  await expect(copyProjection(context(), 'leads', { into: schema }, options())).rejects.toMatchObject({
    code: 'copy_name_invalid',
  });
  await expect(rebuildProjection(context(), 'leads', options(AbortSignal.abort()))).rejects.toThrow();
  expect(await recorded(before)).toEqual([]);
});
