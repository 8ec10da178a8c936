import { silentLogger } from '../../src/kernel/logger.ts';
import { rebuild } from '../../src/projections/builds/rebuild.ts';
import { accounts as accountsView } from '../../src/projections/views/accounts/projection.ts';
import { posts as postsView } from '../../src/projections/views/posts/projection.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec/validating-log.ts';
import { createPostgresLog } from '../../src/write/log/postgres/index.ts';
import { startChild } from '../support/child.ts';
import { type BenchDatabase, openServer } from '../support/database.ts';
import { figure, median, medianRatio } from '../support/rounds.ts';
import { progress, type Report } from '../support/targets.ts';
import type { Answer, Question } from './crawler.ts';
import { fillLog, READINGS } from './workload.ts';

const PROCESSES = 2;
/** Bytes of the log that a refresh of a known account may read. */
const MAX_BYTES = 3_000;

const buildViews = async ({ db, url }: BenchDatabase): Promise<void> => {
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  for (const view of [accountsView, postsView]) {
    await rebuild(view, { db, log, logger: silentLogger, signal: new AbortController().signal, graceMs: 0 });
  }
  await log.close();
};

/** Two crawl processes refresh known accounts, with snapshots and by folding streams. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const [accounts, refreshes, rounds] = quick ? [10_000, 1_000, 2] : [200_000, 5_000, 3];
  const server = await openServer();
  try {
    const database = await server.migrated('bench_recording');
    progress(`  filling the log with ${figure(accounts)} accounts, and building the views`);
    await fillLog(database.db, accounts);
    await buildViews(database);
    const children = Array.from({ length: PROCESSES }, () =>
      startChild(new URL('./crawler.ts', import.meta.url)),
    );
    let taken = 0;
    /** Refreshes accounts that were not refreshed before: their rows are up to date, and in no cache. */
    const refresh = async (hasSnapshots: boolean) => {
      const answers = await Promise.all(
        children.map((child, i) =>
          child.ask<Answer>({
            url: database.url,
            first: taken + i,
            step: PROCESSES,
            count: refreshes / PROCESSES,
            reading: READINGS,
            hasSnapshots,
          } satisfies Question),
        ),
      );
      taken += refreshes;
      const ms = Math.max(...answers.map((answer) => answer.ms));
      const bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0) / refreshes;
      progress(
        `  ${hasSnapshots ? 'snapshots' : 'streams'}: ${figure(refreshes / (ms / 1_000))} refreshes/s, ${figure(bytes)} bytes`,
      );
      return { rate: refreshes / (ms / 1_000), bytes };
    };
    const [ours, peer]: [Awaited<ReturnType<typeof refresh>>[], Awaited<ReturnType<typeof refresh>>[]] = [
      [],
      [],
    ];
    for (let round = 0; round < rounds; round++) {
      ours.push(await refresh(true));
      peer.push(await refresh(false));
    }
    for (const child of children) await child.stop();
    const rates = (all: typeof ours) => all.map(({ rate }) => rate);
    const bytes = (all: typeof ours) => median(all.map((one) => one.bytes));
    const bench = 'bench:recording';
    return {
      bench,
      table: [
        ['refreshing known accounts', 'accounts', 'refreshes/s', 'bytes of the log read a refresh'],
        ['with snapshots', figure(accounts), figure(median(rates(ours))), figure(bytes(ours))],
        ['folding the stream', figure(accounts), figure(median(rates(peer))), figure(bytes(peer))],
      ],
      goals: [
        {
          bench,
          what: 'log read a refresh, against 3 kB',
          ratio: bytes(ours) / MAX_BYTES,
          goal: 1,
          kind: 'most',
        },
        {
          bench,
          what: 'refreshes, against folding the stream',
          ratio: medianRatio(rates(ours), rates(peer)),
          goal: 1,
          kind: 'least',
        },
      ],
      notes: [
        `${PROCESSES} crawl processes; ${READINGS} earlier readings an account, with 8 posts each. Figures include the append.`,
      ],
    };
  } finally {
    await server.close();
  }
};
