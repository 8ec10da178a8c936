import { setTimeout as sleep } from 'node:timers/promises';
import { readsPlatforms } from '../../src/api/contract/endpoint.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import type { NeighbourAnswer, NeighbourQuestion } from '../neighbour/neighbour.ts';
import { startChild } from '../support/child.ts';
import type { PlatformsAnswer, PlatformsQuestion } from '../support/platforms.ts';
import { type Started, startProgram } from '../support/program.ts';
import { figure, median, percentile } from '../support/rounds.ts';
import { type Goal, progress, type Report } from '../support/targets.ts';
import type { AttackAnswer, AttackQuestion } from './attacker.ts';
import { attackOf } from './requests.ts';

const CONNECTIONS = 64;
const READINGS = 3_000;
const HANDLES = 200;
/** Calls of each endpoint by the neighbour himself, before he is measured: so many, for so long. */
const [WARM, WARM_MS] = [32, 500];
const BAR = 2;

/** The IDs that examples of a group name, as the catalog has them; none where it has none. */
const idsOf = async (url: string, key: string): Promise<Readonly<Record<string, string>>> => {
  const lists = {
    marketplace: 'marketplace/listings',
    research: 'research/findings',
    leads: 'leads/linkedin/companies',
  };
  const found = await Promise.all(
    Object.entries(lists).map(async ([group, path]) => {
      const response = await fetch(`${url}/v2/${path}?limit=1`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { data = [] } = (await response.json()) as { data?: readonly { id: string }[] };
      return data[0] === undefined ? [] : [[group, data[0].id] as const];
    }),
  );
  return Object.fromEntries(found.flat());
};

/**
 * What one holder feels of another one who asks one endpoint for as much as his key may, for every endpoint that there is: the 99th
 * percentile of his reads, beside those of a quiet service just before. Each attack has a holder of its own, whose minute is fresh.
 */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const endpoints = await loadEndpoints();
  const rounds = quick ? 1 : 3;
  const attackMs = quick ? 5_000 : 15_000;
  const idleMs = quick ? 2_000 : 5_000;
  const platforms = startChild(new URL('../support/platforms.ts', import.meta.url));
  const attacker = startChild(new URL('./attacker.ts', import.meta.url));
  const neighbour = startChild(new URL('../neighbour/neighbour.ts', import.meta.url));
  let program: Started | undefined;
  try {
    const world = await platforms.ask<PlatformsAnswer>({ seed: 11, size: 3_000 } satisfies PlatformsQuestion);
    program = await startProgram(world, 300, { attackers: endpoints.length * rounds });
    const { url, key, attackers } = program;
    progress(`  reading ${figure(READINGS)} accounts`);
    while ((await program.readings()) < READINGS) await sleep(500);
    for (const platform of PLATFORMS)
      await program.command('engines', 'pause', platform, '--reason', 'bench');
    const handles = await program.handles(HANDLES);
    const ids = await idsOf(url, key);
    const live = (ms: number) =>
      neighbour.ask<NeighbourAnswer>({
        url,
        key,
        ms,
        handles,
        list: '/v2/directory?sort=followers',
      } satisfies NeighbourQuestion);
    await live(3_000);

    const table: string[][] = [
      ['endpoint', 'answers', 'idle p99 ms', 'attacked p50 ms', 'attacked p99 ms', 'over idle'],
    ];
    const goals: Goal[] = [];
    for (const [i, endpoint] of endpoints.entries()) {
      const { operation } = endpoint;
      const requests = handles.map((_, n) => attackOf(endpoint, handles, ids, n));
      const statuses: Record<string, number> = {};
      const taken: { readonly idle: readonly number[]; readonly attacked: readonly number[] }[] = [];
      for (let round = 0; round < rounds; round++) {
        // What it takes the first time, of the program and of Postgres, is no attack's.
        await attacker.ask<AttackAnswer>({
          ...{ url, key, connections: 8, ms: WARM_MS, most: WARM, requests },
        } satisfies AttackQuestion);
        await sleep(WARM_MS);
        const idle = await live(idleMs);
        const attacking = attacker.ask<AttackAnswer>({
          url,
          key: attackers[i * rounds + round] as string,
          connections: CONNECTIONS,
          ms: attackMs,
          most: null,
          requests,
        } satisfies AttackQuestion);
        const attacked = await live(attackMs);
        for (const [status, n] of Object.entries(await attacking))
          statuses[status] = (statuses[status] ?? 0) + n;
        taken.push({ idle: [...idle.entry, ...idle.list], attacked: [...attacked.entry, ...attacked.list] });
      }
      const of = (share: number, name: 'idle' | 'attacked') =>
        median(taken.map((each) => percentile(each[name], share)));
      const ratio = median(
        taken.map(({ idle, attacked }) => percentile(attacked, 0.99) / percentile(idle, 0.99)),
      );
      const answers = Object.entries(statuses)
        .map(([status, n]) => `${status}×${n}`)
        .join(' ');
      table.push([
        `${operation}${readsPlatforms(endpoint) ? ' (live)' : ''}`,
        answers,
        of(0.99, 'idle').toFixed(1),
        of(0.5, 'attacked').toFixed(1),
        of(0.99, 'attacked').toFixed(1),
        ratio.toFixed(2),
      ]);
      progress(
        `  ${operation}: ${answers}; p99 ${of(0.99, 'idle').toFixed(1)} → ${of(0.99, 'attacked').toFixed(1)} ms`,
      );
      goals.push({
        bench: 'bench:endpoints',
        what: `${operation}: a neighbour's p99, attacked over idle, at most`,
        ratio,
        goal: BAR,
        kind: 'most',
      });
    }
    return {
      bench: 'bench:endpoints',
      table,
      goals,
      notes: [
        `All ${endpoints.length} endpoints; ${figure(READINGS)} accounts were read, engines are paused. ${CONNECTIONS} connections of one key on the plan scale for ${attackMs / 1_000} s, each time of a holder with a fresh minute; the neighbour reads an entry and a list every 25 ms.`,
        'Platforms, API, Postgres and callers share the processors.',
      ],
    };
  } finally {
    await Promise.all([attacker.stop(), neighbour.stop(), program?.stop()]);
    await platforms.stop();
  }
};
