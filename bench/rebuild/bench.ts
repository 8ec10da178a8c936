import { PROGRAM_FLAGS, startChild } from '../support/child.ts';
import { type BenchDatabase, openServer } from '../support/database.ts';
import { eventStoreUrl } from '../support/eventstore.ts';
import { postgresCpuMs } from '../support/postgres-cpu.ts';
import { figure, interleave, median, medianRatio } from '../support/rounds.ts';
import { progress, type Report } from '../support/targets.ts';
import { compareRows } from './compare.ts';
import { preparePeer, runStatement } from './competitors.ts';
import type { EmmettQuestion } from './emmett.ts';
import { compareEventStore } from './eventstore.ts';
import { fillEmmett, fillLog } from './fill.ts';
import type { RebuildAnswer, RebuildQuestion } from './ours.ts';
import { EVENTS_AN_ACCOUNT } from './workload.ts';
import { compareWriters } from './writers.ts';

const EMMETT_BATCH = 1_000;

const rebuildOurs = async (url: string, writers = 1): Promise<RebuildAnswer> => {
  // A process of its own each time: its peak of memory is this rebuild's.
  const child = startChild(new URL('./ours.ts', import.meta.url), [], PROGRAM_FLAGS);
  try {
    return await child.ask<RebuildAnswer>({ url, writers } satisfies RebuildQuestion);
  } finally {
    await child.stop();
  }
};

const rebuildEmmett = async (database: BenchDatabase): Promise<number> => {
  await preparePeer(database.db);
  const child = startChild(new URL('./emmett.ts', import.meta.url));
  try {
    return await child.ask<number>({ url: database.url, batchSize: EMMETT_BATCH } satisfies EmmettQuestion);
  } finally {
    await child.stop();
  }
};

/** A rebuild of the directory against Emmett's, against one SQL statement, and its memory as the log grows. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const [small, large] = quick ? [20_000, 60_000] : [100_000, 1_000_000];
  const server = await openServer();
  try {
    const ours = await server.migrated('bench_rebuild');
    const emmett = await server.empty('bench_emmett');
    progress(`  filling both logs with about ${small.toLocaleString('en-US')} events`);
    const events = await fillLog(ours.db, small / EVENTS_AN_ACCOUNT);
    await fillEmmett(emmett, small / EVENTS_AN_ACCOUNT);

    let schema = '';
    let peakMb = 0;
    const perSecond = (ms: number) => events / (ms / 1_000);
    const measureOurs = async () => {
      const answer = await rebuildOurs(ours.url);
      schema = answer.schema;
      peakMb = answer.peakMb;
      return perSecond(answer.ms);
    };
    const show = (rate: number) => `${figure(rate)} events/s`;
    const statement = await interleave(
      quick ? 3 : 5,
      { ours: measureOurs, peer: async () => perSecond(await runStatement(ours.db)) },
      show,
    );
    const comparedStatement = await compareRows({ db: ours.db, schema }, { db: ours.db, schema: 'stated' });
    const emmetts = await interleave(
      2,
      { ours: measureOurs, peer: async () => perSecond(await rebuildEmmett(emmett)) },
      show,
    );
    const comparedEmmett = await compareRows({ db: ours.db, schema }, { db: emmett.db, schema: 'peer' }, [
      'status_counts',
      'freshness',
    ]);

    progress(`  about ${large.toLocaleString('en-US')} events, for memory`);
    const big = await server.migrated('bench_rebuild_large');
    const many = await fillLog(big.db, large / EVENTS_AN_ACCOUNT);
    const grown = await rebuildOurs(big.url);
    progress('  the same by two writers, and what the database alone makes of it');
    const cpuS: Record<number, number[]> = { 1: [], 2: [] };
    const shared = await compareWriters(big, many, quick ? 3 : 5, async (writers) => {
      const before = await postgresCpuMs(big.db);
      const { ms, cpuMs } = await rebuildOurs(big.url, writers);
      cpuS[writers]?.push((cpuMs + (await postgresCpuMs(big.db)) - before) / 1_000);
      return many / (ms / 1_000);
    });
    const node = eventStoreUrl('bench:rebuild');
    const fromNode =
      node === null
        ? { table: [], goals: [] }
        : await compareEventStore(node, await server.migrated('bench_rebuild_node'), {
            rounds: quick ? 2 : 3,
            events: small,
          });
    const bench = 'bench:rebuild';
    const sizes = `${figure(many)} events over ${figure(events)}`;
    return {
      bench,
      table: [
        ['rebuild of the directory', 'events', 'events/s', 'peak MB'],
        ['ours', figure(events), figure(median([...statement.ours, ...emmetts.ours])), peakMb.toFixed(0)],
        ['one SQL statement', figure(events), figure(median(statement.peer)), ''],
        ['Emmett, a statement an event', figure(events), figure(median(emmetts.peer)), ''],
        ['ours', figure(many), figure(many / (grown.ms / 1_000)), grown.peakMb.toFixed(0)],
        ...shared.table,
        ...fromNode.table,
      ],
      goals: [
        {
          bench,
          what: 'directory, against Emmett',
          ratio: medianRatio(emmetts.ours, emmetts.peer),
          goal: 30,
          kind: 'least',
        },
        {
          bench,
          what: 'directory, against one SQL statement',
          ratio: medianRatio(statement.ours, statement.peer),
          goal: 0.3,
          kind: 'least',
        },
        { bench, what: `peak RSS, ${sizes}, at most`, ratio: grown.peakMb / peakMb, goal: 1.3, kind: 'most' },
        ...shared.goals,
        ...fromNode.goals,
      ],
      notes: [
        `Accounts of six platforms, 20 readings each over 32 days; ours and the statement include indexes and statistics, Emmett does not.`,
        `CPU time with Postgres: ${figure(median(cpuS[1] ?? []))} s by one writer, ${figure(median(cpuS[2] ?? []))} s by two. Two cores need at least half of it.`,
        `Compared row by row, all columns: ${figure(comparedStatement)} rows of seven tables with the statement's, ${figure(comparedEmmett)} of five with Emmett's, which keeps no status_counts.`,
      ],
    };
  } finally {
    await server.close();
  }
};
