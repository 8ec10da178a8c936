import { brokerLacks } from '../../infra/kafka/jars.ts';
import { fillLog } from '../rebuild/fill.ts';
import { EVENTS_AN_ACCOUNT } from '../rebuild/workload.ts';
import { figure, interleave, median, medianRatio } from '../support/rounds.ts';
import { type Goal, progress, type Report } from '../support/targets.ts';
import { countAll, foldAll, parseAll } from './consuming.ts';
import { latency } from './latency.ts';
import { prepared, produceAll, relayAll } from './relaying.ts';
import { makeBed } from './setup.ts';

const bench = 'bench:fanout';
const show = (perSecond: number) => `${figure(perSecond)} events/s`;

/** The way through Kafka: the relay beside its client alone, a fold beside counting, and how long a sighting takes. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const lacks = await brokerLacks();
  if (lacks !== null) return { bench, table: [['skipped'], [lacks]], goals: [], notes: [] };
  const rounds = quick ? 3 : 5;
  const bed = await makeBed();
  try {
    const events = await fillLog(bed.database.db, (quick ? 100_000 : 500_000) / EVENTS_AN_ACCOUNT);
    const table: string[][] = [['work', 'contestant', 'figure']];
    const goals: Goal[] = [];

    progress(`  ${events.toLocaleString('en-US')} events from the log to the brokers`);
    const pages = await prepared(bed);
    await bed.emptyTopics();
    // The first time, code is still being compiled.
    await relayAll(bed, events);
    await produceAll(bed, pages, events);
    const sent = await interleave(
      rounds,
      { relay: () => relayAll(bed, events), kafkajs: () => produceAll(bed, pages, events) },
      show,
    );
    pages.length = 0;
    table.push(['relay', 'ours', show(median(sent.relay))]);
    table.push(['relay', 'kafkajs, the same bytes made before', show(median(sent.kafkajs))]);
    const ratio = medianRatio(sent.relay, sent.kafkajs);
    goals.push({ bench, what: 'relay, against kafkajs alone', ratio, goal: 0.8, kind: 'least' });

    progress('  the same from the brokers into rows');
    await bed.emptyTopics();
    await relayAll(bed, events);
    await foldAll(bed, events);
    await countAll(bed, events);
    await parseAll(bed, events);
    const read = await interleave(
      rounds,
      {
        fold: () => foldAll(bed, events),
        count: () => countAll(bed, events),
        parse: () => parseAll(bed, events),
      },
      show,
    );
    table.push(['accounts from Kafka', 'ours', show(median(read.fold))]);
    table.push(['accounts from Kafka', 'kafkajs, only counting', show(median(read.count))]);
    table.push([
      'accounts from Kafka',
      'kafkajs, counting, with parsing and validation',
      show(median(read.parse)),
    ]);
    goals.push({
      bench,
      what: 'accounts made anew from Kafka, against a consumer that only counts',
      ratio: medianRatio(read.fold, read.count),
      goal: 0.5,
      kind: 'least',
    });

    for (const way of ['embedded', 'kafka'] as const) {
      progress(`  from append to row, ${way}, 500 sightings a second`);
      const { medianMs, p99Ms } = await latency(bed, way, quick ? 8 : 60);
      table.push(['append to row', way, `median ${figure(medianMs)} ms, 99 % ${figure(p99Ms)} ms`]);
    }
    return {
      bench,
      table,
      goals,
      notes: [
        'One broker, one relay, one worker, Postgres and the bench on the same cores. Both sides of a pair join or connect',
        'within the time that is measured. Kafka and its client are the peer: ours reads the log, parses and folds besides.',
      ],
    };
  } finally {
    await bed.close();
  }
};
