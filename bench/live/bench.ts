import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { startChild } from '../support/child.ts';
import type { PlatformsAnswer, PlatformsQuestion } from '../support/platforms.ts';
import { type Started, startProgram } from '../support/program.ts';
import { figure, percentile } from '../support/rounds.ts';
import { progress, type Report } from '../support/targets.ts';

/** Requests per second of a platform, live reads and crawl together. */
const RATE = 20;
const PLATFORMS = 7;
/** Steady live reads: less than half of the share that they may use. */
const READS_PER_S = 4;
const BATCH = 50;
/** A single read beside endless batches is to take no longer, at the 95th percentile. */
const SINGLE_MS = 1_500;

const agent = new Agent({ connections: 64, pipelining: 1 });

/** Milliseconds until the whole response was there. */
const timed = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<number> => {
  const began = performance.now();
  const response = await request(url, {
    dispatcher: agent,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { method: 'POST' as const, body }),
  });
  await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`);
  return performance.now() - began;
};

/** Asks at a steady rate, however long responses take. */
const steadily = async (
  perSecond: number,
  ms: number,
  ask: (n: number) => Promise<number>,
): Promise<readonly number[]> => {
  const asked: Promise<number>[] = [];
  const began = performance.now();
  for (let n = 0; n < (ms / 1_000) * perSecond; n++) {
    await sleep(Math.max(0, began + (n * 1_000) / perSecond - performance.now()));
    asked.push(ask(n));
  }
  return Promise.all(asked);
};

interface Phase {
  /** Requests to X per second: of the crawl, and of live reads. */
  readonly crawl: number;
  readonly live: number;
  readonly taken: readonly number[];
  readonly bare: readonly number[];
}

export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const ms = quick ? 15_000 : 60_000;
  const platforms = startChild(new URL('../support/platforms.ts', import.meta.url));
  let program: Started | undefined;
  try {
    const world = await platforms.ask<PlatformsAnswer>({
      seed: 11,
      size: 20_000,
    } satisfies PlatformsQuestion);
    program = await startProgram(world, RATE * PLATFORMS);
    const { url, key, otherKey } = program;
    await sleep(quick ? 10_000 : 20_000);
    const handles = await program.handles(200);
    const handleOf = (n: number) => handles[n % handles.length] as string;
    const live = (n: number, as: string) =>
      timed(`${url}/v2/scrape/x/user?handle=${handleOf(n)}`, { authorization: `Bearer ${as}` });
    const bare = (n: number) => {
      const variables = encodeURIComponent(JSON.stringify({ screen_name: handleOf(n) }));
      return timed(`${world.url}/api.x.com/graphql/a/UserByScreenName?variables=${variables}`, {
        authorization: 'Bearer simulated',
        'x-guest-token': 'bench',
      });
    };

    /** What X was sent while work was done, of which so many requests were not the crawl's. */
    const during = async (
      work: () => Promise<{ taken: readonly number[]; bare: readonly number[]; live: number }>,
    ): Promise<Phase> => {
      const before = await platforms.ask<PlatformsAnswer>(null);
      const began = performance.now();
      const done = await work();
      const seconds = (performance.now() - began) / 1_000;
      const after = await platforms.ask<PlatformsAnswer>(null);
      const sent = after.requestsOf.x - before.requestsOf.x;
      return {
        ...done,
        crawl: (sent - done.live - done.bare.length) / seconds,
        live: done.live / seconds,
      };
    };

    progress('  the crawl alone');
    const alone = await during(async () => {
      await sleep(ms);
      return { taken: [], bare: [], live: 0 };
    });
    progress(`  steady: ${READS_PER_S} live reads a second, beside as many bare fetches`);
    const steady = await during(async () => {
      const [taken, fetched] = await Promise.all([
        steadily(READS_PER_S, ms, (n) => live(n, key)),
        steadily(READS_PER_S, ms, bare),
      ]);
      return { taken, bare: fetched, live: taken.length };
    });
    progress(`  saturated: one holder with endless batches of ${BATCH}, another with single reads`);
    const saturated = await during(async () => {
      const stop = new AbortController();
      let items = 0;
      const batches = Array.from({ length: 2 }, async (_, i) => {
        // Equal reads would share a request: everyone has accounts of their own.
        const names = Array.from({ length: BATCH }, (_name, n) => handleOf(i * BATCH + n));
        while (!stop.signal.aborted) {
          await timed(
            `${url}/v2/scrape/x/users`,
            { authorization: `Bearer ${otherKey}` },
            JSON.stringify({ handles: names }),
          );
          items += BATCH;
        }
      });
      const taken = await steadily(1, ms, (n) => live(2 * BATCH + n, key));
      stop.abort();
      await Promise.all(batches);
      return { taken, bare: [], live: items + taken.length };
    });

    const ofLive = (phase: Phase, share: number) => percentile(phase.taken, share);
    const row = (name: string, phase: Phase): string[] => [
      name,
      figure(phase.crawl),
      figure(phase.live),
      ...(phase.taken.length === 0
        ? ['', '', '']
        : [0.5, 0.95, 0.99].map((share) => ofLive(phase, share).toFixed(1))),
    ];
    const bares = [0.5, 0.95, 0.99].map((share) => percentile(steady.bare, share).toFixed(1));
    const bench = 'bench:live';
    return {
      bench,
      table: [
        ['phase', 'crawl requests/s', 'live requests/s', 'p50 ms', 'p95 ms', 'p99 ms'],
        row('crawl alone', alone),
        row('steady live reads', steady),
        ['bare fetch of the same page (undici)', '', '', ...bares],
        row('saturated by batches; single reads', saturated),
      ],
      goals: [
        {
          bench,
          what: 'crawl alone, of the rate, at least',
          ratio: alone.crawl / RATE,
          goal: 0.9,
          kind: 'least',
        },
        {
          bench,
          what: 'crawl while live reads are saturated, of the rate, at least',
          ratio: saturated.crawl / RATE,
          goal: 0.5,
          kind: 'least',
        },
        {
          bench,
          what: `95th percentile of single reads beside endless batches, of ${SINGLE_MS} ms, at most`,
          ratio: ofLive(saturated, 0.95) / SINGLE_MS,
          goal: 1,
          kind: 'most',
        },
      ],
      notes: [
        `X may be sent ${RATE} requests a second, of which live reads may use half; the crawl has accounts due all the time.`,
        `Live over bare: p50 ${(ofLive(steady, 0.5) / percentile(steady.bare, 0.5)).toFixed(1)}, p99 ${(ofLive(steady, 0.99) / percentile(steady.bare, 0.99)).toFixed(1)} times. A live read waits for its turn at the rate (50 ms at ${RATE} a second), is admitted, recorded and charged.`,
        'Platforms, crawl, API, Postgres and callers share the processors.',
      ],
    };
  } finally {
    await program?.stop();
    await platforms.stop();
  }
};
