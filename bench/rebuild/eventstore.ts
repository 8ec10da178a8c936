import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';
import { rebuild } from '../../src/projections/builds/rebuild.ts';
import { directory } from '../../src/projections/views/directory/projection.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { serve, startChild } from '../support/child.ts';
import type { BenchDatabase } from '../support/database.ts';
import { openEventStoreLog } from '../support/eventstore.ts';
import { figure, interleave, median, medianRatio } from '../support/rounds.ts';
import { type Goal, progress } from '../support/targets.ts';
import { fillOwnStreams, type OwnStreams, onlyOwnStreams } from './own-streams.ts';
import { EVENTS_AN_ACCOUNT } from './workload.ts';

interface Question {
  readonly log: string;
  readonly database: string;
  readonly run: OwnStreams['run'];
  /** The position after which the run's events are; text, as it goes to another process. */
  readonly after: string;
  readonly work: 'rebuild' | 'read';
}

interface Answer {
  readonly ms: number;
  readonly events: number;
}

/** The command's own rebuild out of EventStoreDB, or reading the same events and doing nothing with them. */
const run = async ({ log: url, database, work, ...own }: Question): Promise<Answer> => {
  const streams = { run: own.run, after: BigInt(own.after) };
  const log = withValidation(onlyOwnStreams(openEventStoreLog(url), streams), eventTypes);
  const began = performance.now();
  let events = 0;
  if (work === 'read') {
    for await (const page of log.readAll(0n, { types: directory.types, pageSize: 5_000 })) {
      events += page.events.length;
    }
  } else {
    const db = createPool(database, { max: 10, logger: silentLogger, name: 'bench rebuild' });
    const signal = new AbortController().signal;
    await rebuild(directory, { db, log, logger: silentLogger, signal, graceMs: 0 });
    await db.end();
  }
  const ms = performance.now() - began;
  await log.close();
  return { ms, events };
};

/** A rebuild of the directory from EventStoreDB beside reading alone, in processes of their own. */
export const compareEventStore = async (
  url: string,
  database: BenchDatabase,
  { rounds, events: count }: { readonly rounds: number; readonly events: number },
): Promise<{ readonly table: string[][]; readonly goals: readonly Goal[] }> => {
  progress(`  filling EventStoreDB with about ${count.toLocaleString('en-US')} events`);
  const log = openEventStoreLog(url);
  const { own, events } = await fillOwnStreams(log, count / EVENTS_AN_ACCOUNT, directory.types);
  await log.close();
  const ask = async (work: Question['work']): Promise<Answer> => {
    const child = startChild(new URL('./eventstore.ts', import.meta.url));
    try {
      const answer = await child.ask<Answer>({
        log: url,
        database: database.url,
        run: own.run,
        after: String(own.after),
        work,
      } satisfies Question);
      if (work === 'read' && answer.events !== events)
        throw new Error(`read ${answer.events} events of a run that appended ${events}`);
      return answer;
    } finally {
      await child.stop();
    }
  };
  const perSecond = async (work: Question['work']) => events / ((await ask(work)).ms / 1_000);
  const results = await interleave(
    rounds,
    { ours: () => perSecond('rebuild'), peer: () => perSecond('read') },
    (rate) => `${figure(rate)} events/s`,
  );
  return {
    table: [
      ['ours, from EventStoreDB', figure(events), figure(median(results.ours)), ''],
      ['reading EventStoreDB alone', figure(events), figure(median(results.peer)), ''],
    ],
    goals: [
      {
        bench: 'bench:rebuild',
        what: 'directory from EventStoreDB, against reading it alone',
        ratio: medianRatio(results.ours, results.peer),
        goal: 0.5,
        kind: 'least',
      },
    ],
  };
};

if (import.meta.main) serve(run);
