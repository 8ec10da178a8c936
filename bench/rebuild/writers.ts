import { PLATFORMS } from '../../src/kernel/platform.ts';
import { createBuild, dropBuild } from '../../src/projections/builds/builds.ts';
import { dividePlatforms } from '../../src/projections/builds/rebuild.ts';
import { repartition } from '../../src/projections/checkpoints.ts';
import { directory } from '../../src/projections/views/directory/projection.ts';
import { type Child, startChild } from '../support/child.ts';
import type { BenchDatabase } from '../support/database.ts';
import { figure, interleave, median, medianRatio } from '../support/rounds.ts';
import type { Goal } from '../support/targets.ts';
import type { PostgresQuestion } from './postgres-part.ts';
import { WORKLOAD_PLATFORMS } from './workload.ts';

/** Processes that replay the statements of as many writers. */
const startReplays = async ({ url }: BenchDatabase, count: number): Promise<readonly Child[]> => {
  const load = new Map(WORKLOAD_PLATFORMS.map((platform) => [platform, 1_000]));
  const children: Child[] = [];
  for (const { platforms } of dividePlatforms(load, count)) {
    const child = startChild(new URL('./postgres-part.ts', import.meta.url));
    await child.ask({ work: 'record', url, platforms } satisfies PostgresQuestion);
    children.push(child);
  }
  return children;
};

/** Replays all of them at once into one build. @returns milliseconds until the last has ended. */
const replayAll = async ({ db }: BenchDatabase, children: readonly Child[]): Promise<number> => {
  const { schema } = await createBuild(db, directory, 'building');
  await repartition(db, schema, PLATFORMS);
  const times = await Promise.all(
    children.map((child) => child.ask<number>({ work: 'replay', schema } satisfies PostgresQuestion)),
  );
  await dropBuild(db, schema);
  return Math.max(...times);
};

/**
 * A rebuild by two writers beside one, and beside what the database alone makes of the same: their statements, replayed
 * by one process and by two.
 */
export const compareWriters = async (
  database: BenchDatabase,
  events: number,
  rounds: number,
  rebuild: (writers: number) => Promise<number>,
): Promise<{ readonly table: string[][]; readonly goals: readonly Goal[] }> => {
  const [alone, both] = [await startReplays(database, 1), await startReplays(database, 2)];
  const perSecond = (ms: number) => events / (ms / 1_000);
  try {
    const rates = await interleave(
      rounds,
      {
        one: () => rebuild(1),
        two: () => rebuild(2),
        'Postgres for one': async () => perSecond(await replayAll(database, alone)),
        'Postgres for two': async () => perSecond(await replayAll(database, both)),
      },
      (rate) => `${figure(rate)} events/s`,
    );
    const row = (what: string, of: readonly number[]) => [what, figure(events), figure(median(of)), ''];
    const floor = medianRatio(rates['Postgres for two'], rates['Postgres for one']);
    return {
      table: [
        row('ours, one writer', rates.one),
        row('ours, two writers', rates.two),
        row('their statements alone, one process', rates['Postgres for one']),
        row('their statements alone, two processes', rates['Postgres for two']),
        ['two processes over one, statements alone', '', floor.toFixed(2), ''],
      ],
      goals: [
        {
          bench: 'bench:rebuild',
          what: 'directory by two writers, against one',
          ratio: medianRatio(rates.two, rates.one),
          goal: 1.6,
          kind: 'least',
        },
      ],
    };
  } finally {
    for (const child of [...alone, ...both]) await child.stop();
  }
};
