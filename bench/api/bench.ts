import { startChild } from '../support/child.ts';
import { openServer } from '../support/database.ts';
import { type Goal, progress, type Report } from '../support/goals.ts';
import type { LoadAnswer, LoadQuestion } from '../support/load.ts';
import { figure, interleave, median, medianRatio } from '../support/rounds.ts';
import type { BareQuestion } from './bare.ts';
import { fill } from './fill.ts';
import type { OursQuestion } from './ours.ts';

const ACCOUNTS = 100_000;
/** Connections of either server to Postgres: what the program takes where nothing is said. */
const POOL = 10;

const CASES = [
  { what: 'accounts check', path: '/v2/accounts/x/{}', connections: 64, goal: 2.0 },
  { what: 'directory entry', path: '/v2/directory/x/{}', connections: 64, goal: 1.8 },
  { what: 'accounts check', path: '/v2/accounts/x/{}', connections: 1, goal: 0.9 },
  { what: 'directory entry', path: '/v2/directory/x/{}', connections: 1, goal: 0.9 },
] as const;

/** Fails where the two servers do not answer the same row: what is not the same work must not be compared. */
const compareAnswers = async (urls: Record<'ours' | 'bare', string>, key: string): Promise<void> => {
  for (const { path } of CASES) {
    const get = async (url: string) => {
      const response = await fetch(url + path.replace('{}', 'user4711'), {
        headers: { authorization: `Bearer ${key}` },
      });
      return (await response.json()) as Record<string, unknown>;
    };
    const { data } = (await get(urls.ours)) as { data: Record<string, unknown> };
    const bare = await get(urls.bare);
    for (const [name, value] of Object.entries(data)) {
      // What one of them alone names, or writes as another type, is looked at by its value's text.
      if (
        name in bare &&
        JSON.stringify(bare[name]) !== JSON.stringify(value) &&
        String(bare[name]) !== String(value)
      ) {
        throw new Error(
          `${path}: ${name} is ${JSON.stringify(value)} here and ${JSON.stringify(bare[name])} there`,
        );
      }
    }
  }
};

/** Point reads of the API, with all that a request passes, against a server that has none of it. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const rounds = quick ? 3 : 5;
  const ms = quick ? 1_200 : 3_000;
  const server = await openServer();
  const ours = startChild(new URL('./ours.ts', import.meta.url));
  const bare = startChild(new URL('./bare.ts', import.meta.url));
  const load = startChild(new URL('../support/load.ts', import.meta.url));
  try {
    const { url, db } = await server.migrated('bench_api');
    progress(`  filling ${ACCOUNTS.toLocaleString('en-US')} accounts`);
    const filled = await fill(db, url, ACCOUNTS);
    const urls = {
      ours: await ours.ask<string>({ databaseUrl: url, connections: POOL } satisfies OursQuestion),
      bare: await bare.ask<string>({
        databaseUrl: url,
        connections: POOL,
        accounts: filled.accounts,
        directory: filled.directory,
      } satisfies BareQuestion),
    };
    await compareAnswers(urls, filled.key);
    const names = Array.from({ length: ACCOUNTS }, (_, i) => `user${i + 1}`);
    const headers = { authorization: `Bearer ${filled.key}` };
    const table: string[][] = [['read', 'connections', 'server', 'requests/s', 'p50 ms', 'p99 ms']];
    const goals: Goal[] = [];
    for (const { what, path, connections, goal } of CASES) {
      progress(`  ${what}, ${connections} connections`);
      const ask = (to: string, forMs: number) =>
        load.ask<LoadAnswer>({
          url: to,
          connections,
          ms: forMs,
          path,
          names,
          headers,
        } satisfies LoadQuestion);
      // Compilers and caches settle before anything is measured.
      for (const to of [urls.ours, urls.bare]) await ask(to, quick ? 800 : 2_000);
      const results = await interleave(
        rounds,
        { ours: () => ask(urls.ours, ms), bare: () => ask(urls.bare, ms) },
        ({ perSecond }) => `${figure(perSecond)} requests/s`,
      );
      for (const name of ['ours', 'bare'] as const) {
        const of = (field: keyof LoadAnswer) => median(results[name].map((each) => each[field]));
        table.push([
          what,
          String(connections),
          name,
          figure(of('perSecond')),
          of('p50Ms').toFixed(2),
          of('p99Ms').toFixed(2),
        ]);
      }
      const rates = (name: 'ours' | 'bare') => results[name].map(({ perSecond }) => perSecond);
      goals.push({
        bench: 'bench:api',
        what: `${what}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
        ratio: medianRatio(rates('ours'), rates('bare')),
        goal,
        kind: 'least',
      });
    }
    return {
      bench: 'bench:api',
      table,
      goals,
      notes: [
        'ours: authentication, scope check, envelope, etag and headers on; bare: Fastify + pg, one named statement, none of it.',
        'Ratios are requests a second, ours over bare, medians of interleaved rounds; random existing handles.',
      ],
    };
  } finally {
    await Promise.all([ours.stop(), bare.stop(), load.stop()]);
    await server.close();
  }
};
