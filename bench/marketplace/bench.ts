import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '../support/child.ts';
import { type BenchDatabase, openServer } from '../support/database.ts';
import { figure, median, medianRatio } from '../support/rounds.ts';
import { progress, type Report } from '../support/targets.ts';
import type { Answer, Question } from './importer.ts';
import { writeFeed } from './workload.ts';

/** The peer's table: the columns and indexes of ours. It keeps no history, and counts nothing. */
const PLAIN = `
create schema plain;
create table plain.listings (
  platform text collate "C" not null, id text collate "C" primary key, handle text collate "C", title text,
  followers bigint, price bigint, seller text collate "C", seller_name text, url text, status text collate "C" not null,
  listed_at timestamptz, observed_at timestamptz not null, sold_at timestamptz, sold_price bigint
);
create index on plain.listings (status, observed_at desc, id desc);
create index on plain.listings (status, coalesce(price, 9000000000000000000), id);
create index on plain.listings (status, coalesce(price, -1) desc, id desc);
create index on plain.listings (status, coalesce(price / nullif(followers, 0), 9000000000000000000), id);
create index on plain.listings (status, coalesce(followers, -1) desc, id desc);
create index on plain.listings (seller, observed_at desc, id desc) where seller is not null;
create index on plain.listings (id) where status = 'open';
`;

interface Round {
  readonly first: Answer;
  readonly again: Answer;
}

/** A feed is imported, and imported again without a change. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const [listings, rounds] = quick ? [50_000, 1] : [300_000, 3];
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-feed-'));
  const server = await openServer();
  try {
    const file = join(folder, 'feed.ndjson');
    await writeFeed(file, listings);
    const measure = async ({ url }: BenchDatabase, isPlain: boolean): Promise<Round> => {
      const answers: Answer[] = [];
      for (let i = 0; i < 2; i++) {
        const child = startChild(new URL('./importer.ts', import.meta.url));
        answers.push(await child.ask<Answer>({ url, file, isPlain } satisfies Question));
        await child.stop();
      }
      const [first, again] = answers as [Answer, Answer];
      progress(
        `  ${isPlain ? 'upserts' : 'import'}: ${figure(listings / (first.ms / 1_000))} lines/s, again ${figure(listings / (again.ms / 1_000))}`,
      );
      return { first, again };
    };
    const [ours, peer]: [Round[], Round[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      ours.push(await measure(await server.migrated(`ours_${round}`), false));
      const plain = await server.empty(`plain_${round}`);
      await plain.db.query(PLAIN);
      peer.push(await measure(plain, true));
    }
    const rates = (all: readonly Round[], which: keyof Round) =>
      all.map((one) => listings / (one[which].ms / 1_000));
    const row = (name: string, all: readonly Round[]) => [
      name,
      figure(listings),
      figure(median(rates(all, 'first'))),
      figure(median(rates(all, 'again'))),
      figure(median(all.map(({ first }) => first.peakMb))),
    ];
    const bench = 'bench:marketplace';
    return {
      bench,
      table: [
        ['importing a feed', 'listings', 'lines/s', 'again, lines/s', 'peak MB'],
        row('marketplace import', ours),
        row('upserts of 1,000 lines', peer),
      ],
      goals: [
        {
          bench,
          what: 'a new feed, against upserts',
          ratio: medianRatio(rates(ours, 'first'), rates(peer, 'first')),
          goal: 0.3,
          kind: 'least',
        },
        {
          bench,
          what: 'the same feed again, against upserts',
          ratio: medianRatio(rates(ours, 'again'), rates(peer, 'again')),
          goal: 1,
          kind: 'least',
        },
      ],
      notes: [
        `Import ends when the read model has all: ${figure(ours[0]?.first.events ?? 0)} events, listings, sellers and counters. Upserts keep neither history nor counters.`,
      ],
    };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
};
