import { fillAccounts, issueKeys } from '../api/fill.ts';
import type { OursQuestion } from '../api/ours.ts';
import { fillPosts, postIdOf } from '../insights/fill.ts';
import type { LaddersQuestion } from '../insights/ladders.ts';
import { startChild } from '../support/child.ts';
import { openServer } from '../support/database.ts';
import { foldLadders } from '../support/fold-ladders.ts';
import type { LoadAnswer, LoadQuestion } from '../support/load.ts';
import { createBuilds, fillEntries } from '../support/read-models.ts';
import { figure, interleave, median } from '../support/rounds.ts';
import { type Goal, progress, type Report } from '../support/targets.ts';
import {
  fillFollowers,
  fillFollows,
  fillHandles,
  fillHistory,
  fillMarket,
  fillNamed,
  fillPeople,
  handleOf,
} from './fill.ts';
import { namesOf } from './names.ts';

const BENCH = 'bench:tools';
const POOL = 10;
const POSTS = 90;
const GOAL = 3;
const ENTRY = { path: '/v2/directory/x/{}' };

/** Accounts that are asked about: they have histories. */
const ASKED = 20_000;
/** Accounts with follower lists, and followers of each. */
const [LISTED, FOLLOWERS] = [200, 5_000];
/** A post in the midst of the others. */
const POST = 40;

const ofAccount = JSON.stringify({ platform: 'x', handle: '{}' });

/** Tools that read nothing live, by the body of a call. */
const toolsOf = (other: string) =>
  [
    ['engagement-rate', ofAccount],
    ['best-time-to-post', ofAccount],
    ['account-age', ofAccount],
    ['follower-rank', ofAccount],
    ['username-score', JSON.stringify({ handle: '{}' })],
    [
      'account-compare',
      JSON.stringify({ accounts: ['{}', other].map((handle) => ({ platform: 'x', handle })) }),
    ],
    ['handle-similarity', ofAccount],
    ['cross-platform-match', ofAccount],
    ['valuation', ofAccount],
    ['post-price', ofAccount],
    ['growth-projection', JSON.stringify({ platform: 'x', handle: '{}', days: 30 })],
    ['engagement-authenticity', ofAccount],
    ['virality-check', JSON.stringify({ platform: 'x', post_url: 'https://x.com/{}' })],
    ['account-score', ofAccount],
    [
      'audience-overlap',
      JSON.stringify({ platform: 'x', handle: '{}', other: { platform: 'x', handle: other } }),
    ],
  ] as const;

interface Call {
  readonly path: string;
  readonly body?: string;
  /** Which of these each call is about; any of the accounts where there are none. */
  readonly names?: readonly string[];
}

/** Tools that read nothing live as callers have them, beside directory entries of the same accounts. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const accounts = quick ? 50_000 : 500_000;
  const server = await openServer();
  const api = startChild(new URL('../api/ours.ts', import.meta.url));
  const generator = startChild(new URL('../support/load.ts', import.meta.url));
  const computing = startChild(new URL('../insights/ladders.ts', import.meta.url));
  try {
    const { url, db } = await server.migrated('bench_tools');
    progress(`  filling ${figure(accounts)} accounts with ${POSTS} posts`);
    const schemas = await createBuilds(db);
    const of = (name: string) => schemas.get(name) as string;
    const named = namesOf(accounts);
    await fillNamed(db, named);
    await fillEntries(db, of('directory'), ['x'], accounts, handleOf);
    await fillAccounts(db, of('accounts'), accounts, handleOf);
    await fillPosts(db, of('posts'), accounts, POSTS, handleOf);
    progress('  filling handles, persons, sales, histories and follower lists');
    await fillHandles(db, of('handles'), named);
    await fillPeople(db, of('people'));
    await fillMarket(db, of('listings'));
    await fillFollowers(db, [`${of('accounts')}.accounts`, `${of('directory')}.entries`]);
    await fillHistory(db, of('directory'), ASKED);
    await fillFollows(db, of('follows'), LISTED, FOLLOWERS);
    const asked = named.slice(0, ASKED).map(({ handle }) => handle);
    const other = asked[6] as string;
    const others = asked.filter((handle) => handle !== other);
    const namesFor: Readonly<Record<string, readonly string[]>> = {
      'virality-check': asked.map((handle, i) => `${handle}/status/${postIdOf(i + 1, POST)}`),
      'account-compare': others,
      'audience-overlap': asked.slice(0, LISTED).filter((handle) => handle !== other),
    };
    const [key] = await issueKeys(db, url, of('holders'), 1);
    await db.query('vacuum analyze');
    await computing.ask({ url, times: 1 } satisfies LaddersQuestion);
    await foldLadders(db, url, of('ladders'));
    const base = await api.ask<string>({ databaseUrl: url, connections: POOL } satisfies OursQuestion);
    const load = ({ path, body, names = asked }: Call, connections: number, ms: number) =>
      generator.ask<LoadAnswer>({
        url: base,
        connections,
        ms,
        path,
        ...(body === undefined ? {} : { body }),
        names,
        keys: [key as string],
      } satisfies LoadQuestion);
    const ms = quick ? 800 : 2_500;
    await load(ENTRY, 16, ms);
    const goals: Goal[] = [];
    const table: (readonly string[])[] = [['tool', 'connections', 'p95 ms', 'entry p95 ms', 'ratio']];
    for (const connections of [1, 16])
      for (const [name, body] of toolsOf(other)) {
        progress(`  ${name}, ${connections} connections`);
        const call = { path: `/v2/tools/${name}`, body, names: namesFor[name] ?? asked };
        await load(call, connections, ms);
        const results = await interleave(
          quick ? 3 : 5,
          { tool: () => load(call, connections, ms), entry: () => load(ENTRY, connections, ms) },
          ({ p95Ms }) => `p95 ${p95Ms.toFixed(2)} ms`,
        );
        const p95 = (answers: readonly LoadAnswer[]) => median(answers.map(({ p95Ms }) => p95Ms));
        const [tool, entry] = [p95(results.tool), p95(results.entry)];
        const what = `${name}, ${connections} connections, p95 against a directory entry`;
        goals.push({ bench: BENCH, what, ratio: tool / entry, goal: GOAL, kind: 'most' });
        table.push([name, String(connections), tool.toFixed(2), entry.toFixed(2), (tool / entry).toFixed(2)]);
      }
    return {
      bench: BENCH,
      table,
      goals,
      notes: [
        `${figure(accounts)} accounts of X with ${POSTS} posts each; random accounts; medians of interleaved rounds.`,
        `Handles are those of a simulated world. ${figure(ASKED)} of the accounts are asked about, which have 19 readings each; ${LISTED} have a list of ${figure(FOLLOWERS)} followers.`,
        'A tool without upstream reads is charged as a look-up is, in one statement beside its work.',
      ],
    };
  } finally {
    await Promise.all([api.stop(), generator.stop(), computing.stop()]);
    await server.close();
  }
};
