import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../support/child.ts';
import { eventStoreUrl } from '../support/eventstore.ts';
import type { PlatformsAnswer, PlatformsQuestion } from '../support/platforms.ts';
import { startProgram } from '../support/program.ts';
import { figure, interleave, median, medianRatio } from '../support/rounds.ts';
import { type Goal, progress } from '../support/targets.ts';

/** More than any machine reads: the crawl is as fast as it can be. */
const PAGES_PER_SECOND = 7_000;
const GOAL = 0.8;

/** Accounts per second of a whole start, with the embedded event log and with EventStoreDB. */
export const compareLogs = async (quick: boolean, table: string[][]): Promise<Goal[]> => {
  const ms = quick ? 8_000 : 20_000;
  const rounds = quick ? 1 : 3;
  const node = eventStoreUrl('the crawl of a whole start');
  const platforms = startChild(new URL('../support/platforms.ts', import.meta.url));
  const server = startChild(new URL('./eventstore-server.ts', import.meta.url));
  progress('  whole starts on the embedded log and on EventStoreDB');
  // A node keeps the accounts of earlier runs: each round has accounts of its own.
  const firstSeed = Math.floor(Date.now() / 1_000) % 2 ** 31;

  const crawl = async (seed: number, settings: Readonly<Record<string, string>>): Promise<number> => {
    const world = await platforms.ask<PlatformsAnswer>({
      seed,
      size: quick ? 3_000 : 10_000,
    } satisfies PlatformsQuestion);
    const program = await startProgram(world, PAGES_PER_SECOND, { settings });
    try {
      await sleep(5_000);
      const before = await program.readings();
      const began = performance.now();
      await sleep(ms);
      return ((await program.readings()) - before) / ((performance.now() - began) / 1_000);
    } finally {
      await program.stop();
    }
  };

  const seeds = { embedded: 0, tests: 0, node: 0 };
  const contestants: Record<string, () => Promise<number>> = {
    embedded: () => crawl(firstSeed + seeds.embedded++, {}),
    "the tests' EventStoreDB": async () =>
      crawl(firstSeed + seeds.tests++, { EVENT_LOG_URL: await server.ask<string>({}) }),
    ...(node === null
      ? {}
      : { EventStoreDB: () => crawl(firstSeed + seeds.node++, { EVENT_LOG_URL: node }) }),
  };
  try {
    const results: Record<string, number[]> = await interleave(
      rounds,
      contestants,
      (perSecond) => `${figure(perSecond)} accounts/s`,
    );
    const { embedded = [], ...others } = results;
    for (const [name, rates] of Object.entries(results)) {
      table.push([`event log: ${name}`, 'ours', `${figure(median(rates))} accounts/s`, '']);
    }
    return Object.entries(others).map(([name, rates]) => ({
      bench: 'bench:crawl',
      what: `a whole start on ${name}, against the embedded log`,
      ratio: medianRatio(rates, embedded),
      goal: GOAL,
      kind: 'least' as const,
    }));
  } finally {
    await Promise.all([platforms.stop(), server.stop()]);
  }
};
