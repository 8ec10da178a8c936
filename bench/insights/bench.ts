import { issueKeys } from '../api/fill.ts';
import type { OursQuestion } from '../api/ours.ts';
import { type Child, startChild } from '../support/child.ts';
import { openServer } from '../support/database.ts';
import { foldLadders } from '../support/fold-ladders.ts';
import type { LoadAnswer, LoadQuestion } from '../support/load.ts';
import { createBuilds, fillEntries } from '../support/read-models.ts';
import { figure, interleave, median } from '../support/rounds.ts';
import { type Goal, progress, type Report } from '../support/targets.ts';
import { fillPosts } from './fill.ts';
import type { LaddersQuestion } from './ladders.ts';

const POOL = 10;
const POSTS = 90;
const ENTRY = '/v2/directory/x/{}';
const BENCH = 'bench:insights';

const INSIGHTS = [
  ['overview', '/v2/insights/x/{}'],
  ['engagement', '/v2/insights/x/{}/engagement'],
  ['posting patterns', '/v2/insights/x/{}/posting-patterns'],
  ['content mix', '/v2/insights/x/{}/content-mix'],
  ['peers', '/v2/insights/x/{}/peers'],
  ['top tweets', '/v2/insights/x/{}/top-tweets'],
] as const;

/** 95th percentiles of an insight and of a directory entry, in turns, medians of rounds in ms. */
interface Latency {
  readonly what: string;
  readonly connections: number;
  readonly insight: number;
  readonly entry: number;
}

type Load = (path: string, connections: number, ms: number) => Promise<LoadAnswer>;

const latenciesOf = async (load: Load, quick: boolean): Promise<readonly Latency[]> => {
  const found: Latency[] = [];
  const ms = quick ? 800 : 2_500;
  for (const connections of [1, 16])
    for (const [what, path] of INSIGHTS) {
      progress(`  ${what}, ${connections} connections`);
      await load(path, connections, ms);
      const results = await interleave(
        quick ? 3 : 5,
        { insight: () => load(path, connections, ms), entry: () => load(ENTRY, connections, ms) },
        ({ p95Ms }) => `p95 ${p95Ms.toFixed(2)} ms`,
      );
      const p95 = (answers: readonly LoadAnswer[]) => median(answers.map(({ p95Ms }) => p95Ms));
      found.push({ what, connections, insight: p95(results.insight), entry: p95(results.entry) });
    }
  return found;
};

/** The p99 of entries without and beside computations of ladders, and how long these took. */
const besideLadders = async (load: Load, child: Child, url: string, quick: boolean) => {
  const ms = quick ? 1_500 : 5_000;
  const took: number[] = [];
  const beside = async () => {
    let isEnded = false;
    const question: LaddersQuestion = { url, times: quick ? 2 : 4 };
    const computing = child.ask<readonly number[]>(question).then((times) => {
      isEnded = true;
      took.push(...times);
    });
    const answers: LoadAnswer[] = [];
    while (!isEnded) answers.push(await load(ENTRY, 16, 500));
    await computing;
    return median(answers.map(({ p99Ms }) => p99Ms));
  };
  const results = await interleave(
    quick ? 2 : 4,
    { idle: async () => (await load(ENTRY, 16, ms)).p99Ms, beside },
    (p99) => `p99 ${p99.toFixed(2)} ms`,
  );
  return { idle: median(results.idle), beside: median(results.beside), tookMs: median(took) };
};

/** Insights as callers have them, beside directory entries of the same accounts; ladders of a whole catalog beside both. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const accounts = quick ? 100_000 : 1_000_000;
  const server = await openServer();
  const api = startChild(new URL('../api/ours.ts', import.meta.url));
  const generator = startChild(new URL('../support/load.ts', import.meta.url));
  const computing = startChild(new URL('./ladders.ts', import.meta.url));
  try {
    const { url, db } = await server.migrated('bench_insights');
    progress(`  filling ${figure(accounts)} accounts with ${POSTS} posts`);
    const schemas = await createBuilds(db);
    const of = (name: string) => schemas.get(name) as string;
    await fillEntries(db, of('directory'), ['x'], accounts);
    await fillPosts(db, of('posts'), accounts, POSTS);
    const [key] = await issueKeys(db, url, of('holders'), 1);
    await db.query('vacuum analyze');
    await computing.ask({ url, times: 1 } satisfies LaddersQuestion);
    await foldLadders(db, url, of('ladders'));
    const base = await api.ask<string>({ databaseUrl: url, connections: POOL } satisfies OursQuestion);
    const names = Array.from({ length: accounts }, (_, i) => `user${i + 1}`);
    const load: Load = (path, connections, ms) =>
      generator.ask<LoadAnswer>({
        url: base,
        connections,
        ms,
        path,
        names,
        keys: [key as string],
      } satisfies LoadQuestion);
    await load(ENTRY, 16, quick ? 800 : 3_000);
    const latencies = await latenciesOf(load, quick);
    progress('  ladders');
    const computed = await besideLadders(load, computing, url, quick);
    const goals: Goal[] = [
      ...latencies.map(
        ({ what, connections, insight, entry }): Goal => ({
          bench: BENCH,
          what: `${what}, ${connections} connections, p95 against a directory entry`,
          ratio: insight / entry,
          goal: 2.5,
          kind: 'most',
        }),
      ),
      {
        bench: BENCH,
        what: `ladders of ${figure(accounts)} accounts, seconds against 5`,
        ratio: computed.tookMs / 5_000,
        goal: 1,
        kind: 'most',
      },
      {
        bench: BENCH,
        what: 'p99 of directory entries beside ladders against idle',
        ratio: computed.beside / computed.idle,
        goal: 1.5,
        kind: 'most',
      },
    ];
    return {
      bench: BENCH,
      table: [
        ['insight', 'connections', 'p95 ms', 'entry p95 ms', 'ratio'],
        ...latencies.map(({ what, connections, insight, entry }) => [
          what,
          String(connections),
          insight.toFixed(2),
          entry.toFixed(2),
          (insight / entry).toFixed(2),
        ]),
        ['ladders, whole computation', '', figure(computed.tookMs), '', ''],
        [
          'entries beside it, p99',
          '16',
          computed.beside.toFixed(2),
          computed.idle.toFixed(2),
          (computed.beside / computed.idle).toFixed(2),
        ],
      ],
      goals,
      notes: [
        `${figure(accounts)} accounts of X with ${POSTS} posts each; random accounts; medians of interleaved rounds.`,
        'Entries are batched look-ups of one row; an insight is an entry, a digest, a cohort that is cached by size, and formulas.',
      ],
    };
  } finally {
    await Promise.all([api.stop(), generator.stop(), computing.stop()]);
    await server.close();
  }
};
