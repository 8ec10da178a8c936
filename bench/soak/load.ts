import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { PLATFORMS, type Platform } from '../../src/kernel/platform.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { DIRECTORY_PLATFORMS } from '../../src/platforms/index.ts';

/** A request of the load: its path after `/v2`, and a body if it is a POST. */
export interface Asked {
  readonly path: string;
  readonly body?: unknown;
  /** Sent again with the same key, which is answered as before. */
  readonly idempotencyKey?: string;
  /** Whether it reads a platform. */
  readonly live: boolean;
}

export type Handles = Readonly<Record<Platform, readonly string[]>>;

const pick = <T>(values: readonly T[], random: Random): T => values[random.int(values.length)] as T;

type Kind = (handles: Handles, random: Random) => Omit<Asked, 'live'>;

/** What catalog reads ask for, in turns. */
const READS: readonly Kind[] = [
  (handles, random) => {
    const platform = pick(PLATFORMS, random);
    return { path: `/accounts/${platform}/${encodeURIComponent(pick(handles[platform], random))}` };
  },
  (handles, random) => ({
    path: '/accounts/check',
    body: {
      accounts: PLATFORMS.map((platform) => ({ platform, handle: pick(handles[platform], random) })),
    },
  }),
  (_, random) => ({ path: `/directory/${pick(DIRECTORY_PLATFORMS, random)}?limit=50` }),
  () => ({ path: '/directory/changes?limit=20' }),
  () => ({ path: '/directory/stats' }),
  (handles, random) => ({ path: `/directory/x/${pick(handles.x, random)}` }),
  (handles, random) => ({ path: `/directory/x/${pick(handles.x, random)}/history?limit=10` }),
  (handles, random) => ({ path: `/insights/x/${pick(handles.x, random)}` }),
  () => ({ path: '/insights/x/cohort-benchmarks' }),
  () => ({ path: '/research/findings?limit=10' }),
  () => ({ path: '/marketplace/listings?limit=20' }),
  () => ({ path: '/engines' }),
  (handles, random) => ({
    path: '/tools/engagement-rate',
    body: { platform: 'x', handle: pick(handles.x, random) },
  }),
];

const LIVE: readonly Kind[] = [
  (handles, random) => ({ path: `/scrape/x/user?handle=${pick(handles.x, random)}` }),
  (handles, random) => {
    const platform = pick(PLATFORMS, random);
    return { path: `/accounts/${platform}/${encodeURIComponent(pick(handles[platform], random))}/live` };
  },
  (handles, random) => {
    // The same key with the same body, now and then: the second is answered as the first.
    const n = random.int(handles.x.length);
    return {
      path: '/scrape/x/users',
      body: { handles: [handles.x[n], handles.x[(n + 1) % handles.x.length]] },
      idempotencyKey: `soak-${n}`,
    };
  },
];

/** Loads by what they ask for: `few` is what the smallest plan may. */
const LOADS = { reads: READS, live: LIVE, few: READS.slice(0, 3) } as const;
export type LoadName = keyof typeof LOADS;

/** The n-th request of a load, drawn from a seed. */
export const requestOf = (load: LoadName, seed: number, n: number, handles: Handles): Asked => {
  const kinds = LOADS[load];
  const kind = kinds[n % kinds.length] as Kind;
  return { ...kind(handles, seededRandom(seed + n * 7_919)), live: load === 'live' };
};

export type ServerName = 'whole' | 'api';

/** How a request ended: a status, or that there was no response. */
export interface Outcome {
  readonly asked: Asked;
  /** The process that was asked. */
  readonly server: ServerName;
  readonly atS: number;
  readonly endS: number;
  /** 0 without a response. */
  readonly status: number;
  readonly code: string;
}

export interface LoadOptions {
  readonly seed: number;
  readonly handles: Handles;
  readonly urls: Readonly<Record<ServerName, string>>;
  readonly key: string;
  readonly perSecond: number;
  readonly load: LoadName;
  readonly nowS: () => number;
  readonly done: (outcome: Outcome) => void;
}

const TIMEOUT_MS = 75_000;

const send = async (agent: Agent, base: string, key: string, asked: Asked): Promise<[number, string]> => {
  try {
    const { statusCode, body } = await request(`${base}/v2${asked.path}`, {
      dispatcher: agent,
      method: asked.body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(asked.idempotencyKey === undefined ? {} : { 'idempotency-key': asked.idempotencyKey }),
      },
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await body.text();
    const code = /"code":"(\w+)"/.exec(statusCode < 400 ? '' : text)?.[1] ?? '';
    return [statusCode, code];
  } catch (error) {
    return [0, (error as { code?: string }).code ?? (error as Error).name];
  }
};

/** Asks at a steady rate, however long responses take, until the signal fires; then waits for what is in flight. */
export const steadily = async (options: LoadOptions, signal: AbortSignal): Promise<void> => {
  const { seed, handles, urls, key, perSecond, load, nowS, done } = options;
  const agent = new Agent({ connections: 64, pipelining: 1 });
  const inFlight = new Set<Promise<void>>();
  const began = performance.now();
  for (let n = 0; !signal.aborted; n++) {
    await sleep(Math.max(0, began + (n * 1_000) / perSecond - performance.now()), undefined, {
      signal,
    }).catch(() => undefined);
    if (signal.aborted) break;
    const asked = requestOf(load, seed, n, handles);
    const server = n % 2 === 0 ? 'whole' : 'api';
    const atS = nowS();
    const asking: Promise<void> = send(agent, urls[server], key, asked)
      .then(([status, code]) => done({ asked, server, atS, endS: nowS(), status, code }))
      .finally(() => inFlight.delete(asking));
    inFlight.add(asking);
  }
  await Promise.all(inFlight);
  await agent.close();
};
