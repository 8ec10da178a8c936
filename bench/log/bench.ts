import { openServer } from '../support/database.ts';
import { eventStoreUrl } from '../support/eventstore.ts';
import { figure, interleave, median, medianRatio } from '../support/rounds.ts';
import { type Goal, progress, type Report } from '../support/targets.ts';
import { appendFor, type Competitor, openCopy, openEmmett, openInsert, openOurs } from './competitors.ts';
import { compareEventStore } from './eventstore.ts';
import { follow } from './follow.ts';
import { readOurs, readPlain } from './read.ts';

type Run = () => Promise<number>;

const show = (perSecond: number) => `${figure(perSecond)} events/s`;

/** The event log against Emmett's, against COPY, and against a plain SELECT; then a long run with a follower. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const rounds = quick ? 3 : 5;
  const ms = quick ? 1_500 : 3_000;
  const server = await openServer();
  try {
    const ours = await server.migrated('bench_log');
    const theirs = await server.empty('bench_emmett');
    const table: string[][] = [['work', 'contestant', 'events/s']];
    const goals: Goal[] = [];
    const compare = async (
      what: string,
      goal: number,
      contestants: Record<'ours' | 'peer', Run> & { readonly floor?: Run },
      peer: string,
    ) => {
      progress(`  ${what}`);
      const {
        ours = [],
        peer: theirs = [],
        floor,
      } = await interleave<number, string>(rounds, contestants, show);
      table.push([what, 'ours', figure(median(ours))], [what, peer, figure(median(theirs))]);
      if (floor !== undefined) {
        const ratio = medianRatio(floor, theirs).toFixed(2);
        table.push([what, `an INSERT for all that wait: ${ratio}`, figure(median(floor))]);
      }
      goals.push({
        bench: 'bench:log',
        what: `${what}, against ${peer}`,
        ratio: medianRatio(ours, theirs),
        goal,
        kind: 'least',
      });
    };
    const appending = (contestant: Competitor, writers: number, batch: number) => () =>
      appendFor(contestant, { writers, batch, ms });

    const [log, emmett, inserted] = [openOurs(ours), openEmmett(theirs), await openInsert(ours.db)];
    for (const contestant of [log, emmett, inserted])
      await appendFor(contestant, { writers: 64, batch: 1, ms: 500 });
    await compare(
      'append, 64 writers, one event at a time',
      8,
      { ours: appending(log, 64, 1), peer: appending(emmett, 64, 1), floor: appending(inserted, 64, 1) },
      'Emmett',
    );
    const [batched, copied] = [openOurs(ours), await openCopy(ours.db)];
    await compare(
      'append, 4 writers, 500 at a time',
      0.7,
      { ours: appending(batched, 4, 500), peer: appending(copied, 4, 500) },
      'COPY',
    );
    await ours.db.query('vacuum analyze log.events');
    await compare(
      'read all',
      0.8,
      { ours: () => readOurs(ours), peer: () => readPlain(ours.db) },
      'a plain keyset SELECT',
    );
    for (const contestant of [log, emmett, inserted, batched, copied]) await contestant.close();

    const total = quick ? 50_000 : 1_000_000;
    progress(
      `  ${total.toLocaleString('en-US')} events by 32 writers whose commits come late, and a follower`,
    );
    const followed = await follow(await server.migrated('bench_follow'), total, 32);
    table.push(['append with late commits, followed', 'ours', figure(followed.perSecond)]);
    goals.push({
      bench: 'bench:log',
      what: `events that a follower skipped, of ${total.toLocaleString('en-US')} by 32 writers`,
      ratio: followed.skipped,
      goal: 0,
      kind: 'most',
    });
    const node = eventStoreUrl('bench:log');
    if (node !== null) {
      const compared = await compareEventStore(node, { rounds, ms });
      table.push(...compared.table);
      goals.push(...compared.goals);
    }
    return {
      bench: 'bench:log',
      table,
      goals,
      notes: [
        'Events of about 550 bytes, expected revisions, one stream a writer, one server, fsync on, ten connections each.',
        'Ours passes the door: every event is parsed with its schema on its way in and out; the peers parse nothing.',
      ],
    };
  } finally {
    await server.close();
  }
};
