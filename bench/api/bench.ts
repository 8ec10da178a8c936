import { startChild } from '../support/child.ts';
import { openServer } from '../support/database.ts';
import type { LoadAnswer, LoadQuestion } from '../support/load.ts';
import { figure, interleave, median, medianRatio } from '../support/rounds.ts';
import { type Goal, progress, type Report } from '../support/targets.ts';
import type { BareQuestion } from './baseline.ts';
import { fill } from './fill.ts';
import type { OursQuestion } from './ours.ts';

const ACCOUNTS = 100_000;
const HOLDERS = 10_000;
/** Connections of either server to Postgres: what the program takes where nothing is said. */
const POOL = 10;

const CHECK = '/v2/accounts/x/{}';
const ENTRY = '/v2/directory/x/{}';

/**
 * Goals are against `bare`, which has neither keys nor budgets, and against `naive`, which has a budget only. `floor` has
 * no goal: it is the smallest exact charge, and shows how much of a ratio is exactness.
 */
const CASES = [
  { what: 'directory entry', path: ENTRY, holders: 1, connections: 64, bare: 1.5, naive: 4 },
  { what: 'directory entry', path: ENTRY, holders: HOLDERS, connections: 64, bare: 1, naive: 1.5 },
  { what: 'accounts check', path: CHECK, holders: 1, connections: 64, bare: 1.5, naive: 4 },
  { what: 'accounts check', path: CHECK, holders: HOLDERS, connections: 64, bare: 1, naive: 1.5 },
  { what: 'directory entry', path: ENTRY, holders: 1, connections: 1, bare: 0.5, naive: null },
  { what: 'accounts check', path: CHECK, holders: 1, connections: 1, bare: 0.5, naive: null },
] as const;

type Server = 'ours' | 'bare' | 'naive' | 'floor';

/** Fails where the servers do not answer the same row: what is not the same work must not be compared. */
const compareAnswers = async (urls: Record<Server, string>, key: string): Promise<void> => {
  for (const { path } of CASES) {
    const get = async (url: string) => {
      const response = await fetch(url + path.replace('{}', 'user4711'), {
        headers: { authorization: `Bearer ${key}` },
      });
      return (await response.json()) as Record<string, unknown>;
    };
    const { data } = (await get(urls.ours)) as { data: Record<string, unknown> };
    for (const peer of [await get(urls.bare), await get(urls.naive), await get(urls.floor)]) {
      for (const [name, value] of Object.entries(data)) {
        // What one of them alone names, or writes as another type, is looked at by its value's text.
        if (
          name in peer &&
          JSON.stringify(peer[name]) !== JSON.stringify(value) &&
          String(peer[name]) !== String(value)
        ) {
          throw new Error(
            `${path}: ${name} is ${JSON.stringify(value)} here and ${JSON.stringify(peer[name])} there`,
          );
        }
      }
    }
  }
};

const holdersText = (count: number): string =>
  count === 1 ? 'one holder' : `${count.toLocaleString('en-US')} holders`;

/** Point reads of the API, with all that a request passes, against servers that have none or little of it. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const rounds = quick ? 3 : 5;
  const ms = quick ? 1_200 : 3_000;
  const server = await openServer();
  const ours = startChild(new URL('./ours.ts', import.meta.url));
  const bare = startChild(new URL('./baseline.ts', import.meta.url));
  const load = startChild(new URL('../support/load.ts', import.meta.url));
  try {
    const { url, db } = await server.migrated('bench_api');
    progress(`  filling ${figure(ACCOUNTS)} accounts and ${figure(HOLDERS)} holders`);
    const filled = await fill(db, url, ACCOUNTS, HOLDERS);
    const bareUrl = await bare.ask<string>({
      databaseUrl: url,
      connections: POOL,
      accounts: filled.accounts,
      directory: filled.directory,
    } satisfies BareQuestion);
    const urls: Record<Server, string> = {
      ours: await ours.ask<string>({ databaseUrl: url, connections: POOL } satisfies OursQuestion),
      bare: bareUrl,
      naive: `${bareUrl}/naive`,
      floor: `${bareUrl}/floor`,
    };
    await compareAnswers(urls, filled.keys[0] as string);
    const names = Array.from({ length: ACCOUNTS }, (_, i) => `user${i + 1}`);
    const table: string[][] = [
      ['read', 'holders', 'connections', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'times bare'],
    ];
    const goals: Goal[] = [];
    for (const { what, path, holders, connections, bare: bareGoal, naive: naiveGoal } of CASES) {
      progress(`  ${what}, ${connections} connections, ${holdersText(holders)}`);
      const ask = (to: Server, forMs: number, eachKey = false) =>
        load.ask<LoadAnswer>({
          url: new URL(urls[to]).origin,
          connections,
          ms: forMs,
          path: `${new URL(urls[to]).pathname.replace(/\/$/, '')}${path}`,
          names,
          keys: filled.keys.slice(0, holders),
          eachKey,
        } satisfies LoadQuestion);
      const contestants: readonly Server[] =
        naiveGoal === null ? ['ours', 'bare', 'floor'] : ['ours', 'bare', 'naive', 'floor'];
      // Compilers and caches settle before anything is measured, and every holder has called once.
      for (const to of contestants) {
        await ask(to, 0, true);
        await ask(to, quick ? 800 : 2_000);
      }
      const results = await interleave(
        rounds,
        Object.fromEntries(contestants.map((to) => [to, () => ask(to, ms)])) as Record<
          Server,
          () => Promise<LoadAnswer>
        >,
        ({ perSecond }) => `${figure(perSecond)} requests/s`,
      );
      const rates = (name: Server) => results[name].map(({ perSecond }) => perSecond);
      for (const name of contestants) {
        const of = (field: keyof LoadAnswer) => median(results[name].map((each) => each[field]));
        table.push([
          what,
          figure(holders),
          String(connections),
          name,
          figure(of('perSecond')),
          of('p50Ms').toFixed(2),
          of('p99Ms').toFixed(2),
          medianRatio(rates(name), rates('bare')).toFixed(2),
        ]);
      }
      const goal = (peer: Server, least: number | null) => {
        if (least === null) return;
        goals.push({
          bench: 'bench:api',
          what: `${what}, ${connections} connections, ${holdersText(holders)}, against ${peer}`,
          ratio: medianRatio(rates('ours'), rates(peer)),
          goal: least,
          kind: 'least',
        });
      };
      goal('bare', bareGoal);
      goal('naive', naiveGoal);
    }
    return {
      bench: 'bench:api',
      table,
      goals,
      notes: [
        'ours: key, address, scope, plan, burst, budget, record of usage, envelope, etag and all headers on.',
        'bare: Fastify + pg, one named statement, none of it. naive: bare and a capped UPDATE … RETURNING a request.',
        'floor: batched reads beside one statement of capped UPDATEs and a ledger row for all that wait, and no more.',
        'Ratios are requests a second, medians of interleaved rounds; random existing handles, random holders.',
      ],
    };
  } finally {
    await Promise.all([ours.stop(), bare.stop(), load.stop()]);
    await server.close();
  }
};
