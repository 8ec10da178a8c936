import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { openEventStoreLog } from '../support/eventstore.ts';
import { figure, interleave, median, medianRatio } from '../support/rounds.ts';
import { type Goal, progress } from '../support/targets.ts';
import { appendFor, type Competitor } from './competitors.ts';
import { newReadings, readingData, TYPE } from './events.ts';

/** Streams are told apart by their run: a node outlives its benchmarks. */
const streamOf = (run: string, writer: number): string => `account-x:${run}writer${writer}`;

const openOurs = (url: string): Competitor => {
  const log = withValidation(openEventStoreLog(url), eventTypes);
  const run = uuidV7(Date.now());
  const revisions = new Map<number, bigint>();
  return {
    append: async (writer, count) => {
      const last = revisions.get(writer);
      const events = newReadings(writer, Number(last ?? 0n), count);
      const outcome = await log.append(streamOf(run, writer), events, last ?? 'no_stream');
      if (outcome.status !== 'appended') throw new Error('a lone writer met a conflict');
      revisions.set(writer, outcome.revision);
    },
    close: () => log.close(),
  };
};

/** The client as it comes, which parses nothing and repeats nothing. */
const openClient = (url: string): Competitor => {
  const client = EventStoreDBClient.connectionString(url);
  const run = uuidV7(Date.now());
  const revisions = new Map<number, bigint>();
  return {
    append: async (writer, count) => {
      const last = revisions.get(writer);
      const events = Array.from({ length: count }, (_, i) =>
        jsonEvent({ id: uuidV7(Date.now()), type: TYPE, data: readingData(writer, Number(last ?? 0n) + i) }),
      );
      const result = await client.appendToStream(streamOf(run, writer), events, {
        expectedRevision: last ?? 'no_stream',
      });
      revisions.set(writer, result.nextExpectedRevision);
    },
    close: () => client.dispose(),
  };
};

/** Rate of events read from the node's whole log through the door, up to a number of events. */
const readOurs = async (url: string, max: number): Promise<number> => {
  const log = withValidation(openEventStoreLog(url), eventTypes);
  const began = performance.now();
  let events = 0;
  for await (const page of log.readAll(0n, { types: [TYPE] })) {
    events += page.events.length;
    if (events >= max) break;
  }
  const perSecond = events / ((performance.now() - began) / 1_000);
  await log.close();
  return perSecond;
};

const readClient = async (url: string, max: number): Promise<number> => {
  const client = EventStoreDBClient.connectionString(url);
  const began = performance.now();
  let events = 0;
  for await (const { event } of client.readAll({ maxCount: max })) if (event?.type === TYPE) events += 1;
  const perSecond = events / ((performance.now() - began) / 1_000);
  await client.dispose();
  return perSecond;
};

/** Appends and reads of the log in EventStoreDB, each beside the client alone. */
export const compareEventStore = async (
  url: string,
  { rounds, ms }: { readonly rounds: number; readonly ms: number },
): Promise<{ readonly table: string[][]; readonly goals: readonly Goal[] }> => {
  const table: string[][] = [];
  const goals: Goal[] = [];
  const compare = async (
    what: string,
    goal: number,
    contestants: Record<'ours' | 'peer', () => Promise<number>>,
  ): Promise<void> => {
    progress(`  ${what}`);
    const results = await interleave(rounds, contestants, (rate) => `${figure(rate)} events/s`);
    table.push(
      [what, 'ours', figure(median(results.ours))],
      [what, 'the client', figure(median(results.peer))],
    );
    const ratio = medianRatio(results.ours, results.peer);
    goals.push({ bench: 'bench:log', what: `${what}, against the client alone`, ratio, goal, kind: 'least' });
  };
  const [ours, client] = [openOurs(url), openClient(url)];
  const appending = (contestant: Competitor, writers: number, batch: number) => () =>
    appendFor(contestant, { writers, batch, ms });
  await compare('EventStoreDB: append, 64 writers, one event at a time', 0.8, {
    ours: appending(ours, 64, 1),
    peer: appending(client, 64, 1),
  });
  await compare('EventStoreDB: append, 4 writers, 500 at a time', 0.6, {
    ours: appending(ours, 4, 500),
    peer: appending(client, 4, 500),
  });
  await Promise.all([ours.close(), client.close()]);
  const max = Math.round(50 * ms);
  await compare('EventStoreDB: read all', 0.5, {
    ours: () => readOurs(url, max),
    peer: () => readClient(url, max),
  });
  return { table, goals };
};
