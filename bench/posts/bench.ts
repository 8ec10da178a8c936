import type { Db } from '../../src/kernel/postgres/pool.ts';
import { startChild } from '../support/child.ts';
import { openServer } from '../support/database.ts';
import { figure, interleave, median, medianRatio } from '../support/rounds.ts';
import { progress, type Report } from '../support/targets.ts';
import type { Answer, Question } from './ours.ts';
import { foldAsRows } from './rows.ts';
import { fillLog, POSTS_A_READING } from './workload.ts';

/** Posts a second that one projector must fold: out of the log, and following it in small pages. */
const GOAL_REBUILD = 20_000;
const GOAL_LIVE = 5_000;
/** Events of a page: what a rebuild reads at once, and what a busy crawl appends while a page is folded. */
const PAGE = 2_000;
const LIVE_PAGE = 40;

const ask = async (question: Question): Promise<Answer> => {
  const child = startChild(new URL('./ours.ts', import.meta.url));
  try {
    return await child.ask<Answer>(question);
  } finally {
    await child.stop();
  }
};

const bytesOf = async (db: Db, schema: string): Promise<number> => {
  await db.query('vacuum full');
  const { rows } = await db.query<{ n: string }>(
    `select sum(pg_total_relation_size(oid)) as n from pg_class where relnamespace = $1::regnamespace and relkind = 'r'`,
    [schema],
  );
  return Number(rows[0]?.n ?? 0);
};

/** The view of posts, log to committed rows, beside a table with a row a post. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const accounts = quick ? 300 : 2_000;
  const server = await openServer();
  try {
    const database = await server.migrated('bench_posts');
    progress(`  filling the log with ${accounts} accounts`);
    const posts = await fillLog(database.db, accounts);
    const perSecond = (ms: number) => posts / (ms / 1_000);
    const show = (rate: number) => `${figure(rate)} posts/s`;
    let whole: Answer | undefined;
    const ours = async (pageSize?: number) => {
      const answer = await ask({ url: database.url, ...(pageSize === undefined ? {} : { pageSize }) });
      if (pageSize === undefined) whole = answer;
      return perSecond(answer.ms);
    };
    const rebuilt = await interleave(
      quick ? 2 : 3,
      { ours: () => ours(), peer: async () => perSecond(await foldAsRows(database.db, PAGE)) },
      show,
    );
    const live = await interleave(
      quick ? 1 : 2,
      { ours: () => ours(LIVE_PAGE), peer: async () => perSecond(await foldAsRows(database.db, LIVE_PAGE)) },
      show,
    );
    const { schema, peakMb } = whole as Answer;
    const size = (await bytesOf(database.db, schema)) / accounts;
    const peerSize = (await bytesOf(database.db, 'rows')) / accounts;
    const bench = 'bench:posts';
    const [rate, liveRate] = [median(rebuilt.ours), median(live.ours)];
    return {
      bench,
      table: [
        ['folding posts', 'posts', 'posts/s', 'bytes an account', 'peak MB'],
        ['ours, rebuild', figure(posts), figure(rate), figure(size), peakMb.toFixed(0)],
        [
          'a row a post, pages of 2,000 events',
          figure(posts),
          figure(median(rebuilt.peer)),
          figure(peerSize),
          '',
        ],
        [`ours, live pages of ${LIVE_PAGE} events`, figure(posts), figure(liveRate), '', ''],
        [`a row a post, pages of ${LIVE_PAGE} events`, figure(posts), figure(median(live.peer)), '', ''],
      ],
      goals: [
        {
          bench,
          what: 'rebuild, posts/s against 20,000',
          ratio: rate / GOAL_REBUILD,
          goal: 1,
          kind: 'least',
        },
        {
          bench,
          what: 'live pages, posts/s against 5,000',
          ratio: liveRate / GOAL_LIVE,
          goal: 1,
          kind: 'least',
        },
        {
          bench,
          what: 'rebuild, against a row a post',
          ratio: medianRatio(rebuilt.ours, rebuilt.peer),
          goal: 1,
          kind: 'least',
        },
        {
          bench,
          what: 'bytes an account, against a row a post',
          ratio: size / peerSize,
          goal: 0.5,
          kind: 'most',
        },
      ],
      notes: [
        `${POSTS_A_READING} posts an event, 75 posts an account in the end.`,
        'The rows are written inside the server, without validation, retention, digests and distributions, which ours include.',
      ],
    };
  } finally {
    await server.close();
  }
};
