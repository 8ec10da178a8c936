import { request } from 'undici';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { startChild } from '../support/child.ts';
import type { PlatformsAnswer, PlatformsQuestion } from '../support/platforms.ts';
import { type Started, startProgram } from '../support/program.ts';
import { median, percentile } from '../support/rounds.ts';
import { type Goal, progress, type Report } from '../support/targets.ts';
import type { NetworkAnswer, NetworkQuestion } from './network.ts';

const BENCH = 'bench:live-tools';
/** So many requests a second that none waits for its turn: the rate is the operator's. */
const RATE = 2_000;
const LATENCY_MS = 20;
/** A tool may take so much longer than its reads. */
const BEYOND_MS = 50;

const TOOLS = {
  'shadowban-check': (handle: string) => ({ platform: 'x', handle }),
  'follower-audit': (handle: string) => ({ platform: 'x', handle, sample_size: 500 }),
  'handle-availability': (handle: string) => ({ handle }),
} as const;

interface Call {
  readonly ms: number;
  readonly readsMs: number;
  readonly requests: number;
}

/** A call by itself; null if the tool refused the account. */
const called = async (
  { url, key }: Started,
  passed: () => Promise<NetworkAnswer>,
  tool: string,
  body: object,
): Promise<Call | null> => {
  await passed();
  const began = performance.now();
  const response = await request(`${url}/v2/tools/${tool}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.body.text();
  const ms = performance.now() - began;
  if (response.statusCode === 404 || response.statusCode === 422) return null;
  if (response.statusCode !== 200) throw new Error(`${tool}: ${response.statusCode} ${text}`);
  const { requests, busyMs } = await passed();
  return { ms, readsMs: busyMs, requests };
};

/** Tools that read platforms, call by call: how much longer each takes than its requests are on their way. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const calls = quick ? 15 : 100;
  const platforms = startChild(new URL('../support/platforms.ts', import.meta.url));
  const network = startChild(new URL('network.ts', import.meta.url));
  let program: Started | undefined;
  try {
    const world = await platforms.ask<PlatformsAnswer>({
      seed: 11,
      size: 20_000,
    } satisfies PlatformsQuestion);
    const { url } = await network.ask<NetworkAnswer>({
      to: world.url,
      latencyMs: LATENCY_MS,
    } satisfies NetworkQuestion);
    const service = await startProgram({ ...world, url }, RATE * PLATFORMS.length, {
      roles: ['--role', 'api,project'],
    });
    program = service;
    const passed = () => network.ask<NetworkAnswer>(null);
    const goals: Goal[] = [];
    const table: (readonly string[])[] = [
      ['tool', 'calls', 'requests', 'reads, median ms', 'call, median ms', 'beyond, median ms', 'p95 ms'],
    ];
    for (const [tool, bodyOf] of Object.entries(TOOLS)) {
      progress(`  ${tool}`);
      const done: Call[] = [];
      for (const handle of world.seeds.x) {
        if (done.length > calls) break;
        const call = await called(service, passed, tool, bodyOf(handle));
        if (call !== null) done.push(call);
      }
      // The first one opens connections.
      const counted = done.slice(1);
      const of = (figure: (call: Call) => number) => counted.map(figure);
      const beyond = of(({ ms, readsMs }) => ms - readsMs);
      const p95 = percentile(beyond, 0.95);
      const what = `${tool}, p95 of its time beyond that of its reads, in ms`;
      goals.push({ bench: BENCH, what, ratio: p95, goal: BEYOND_MS, kind: 'most' });
      table.push([
        tool,
        String(counted.length),
        String(median(of(({ requests }) => requests))),
        median(of(({ readsMs }) => readsMs)).toFixed(1),
        median(of(({ ms }) => ms)).toFixed(1),
        median(beyond).toFixed(1),
        p95.toFixed(1),
      ]);
    }
    return {
      bench: BENCH,
      table,
      goals,
      notes: [
        `A network that delays each request by ${LATENCY_MS} ms stands between the program and the simulated platforms; a read takes as long as a request is on its way there. Requests of a call are in turn or side by side; their times are counted once.`,
        `${RATE.toLocaleString('en-US')} requests a second are allowed, so that none waits for the rate. Calls are one after another; API and projections are one process, and share the processors with platforms, network and Postgres.`,
      ],
    };
  } finally {
    await program?.stop();
    await Promise.all([network.stop(), platforms.stop()]);
  }
};
