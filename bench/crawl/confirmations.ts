import { SITES } from '../../infra/simulator/platforms/registry.ts';
import { createWorld } from '../../infra/simulator/world/world.ts';
import type { Http, HttpRequest, Page } from '../../src/crawlers/http/port.ts';
import type { KnownStatus } from '../../src/crawlers/platforms/adapter.ts';
import { createRegistry } from '../../src/crawlers/platforms/registry.ts';
import { PLATFORMS, type Platform } from '../../src/kernel/platform.ts';

const AT = Date.UTC(2026, 9, 1);
const SESSION = { authorization: 'Bearer simulated', 'x-guest-token': 'simulated' };

const registry = createRegistry();

/** HTTP to a simulated platform in this process; counts requests, and those that only confirm an answer. */
const counting = (world: ReturnType<typeof createWorld>) => {
  const counts = { all: 0, confirming: 0 };
  const answer = (request: HttpRequest, url: string, hops: number): Page => {
    const to = new URL(url);
    const reply = SITES[request.platform].serve(world, {
      method: request.method ?? 'GET',
      host: to.hostname,
      path: decodeURIComponent(to.pathname),
      query: to.searchParams,
      headers: { 'accept-language': 'en-US', ...request.headers, ...(request.session ? SESSION : {}) },
      body: request.body ?? '',
      at: AT,
    });
    const { location } = reply.headers;
    if (location !== undefined && hops < 5) return answer(request, new URL(location, url).href, hops + 1);
    const body = reply.body.map(String).join('');
    return { url, status: reply.status, headers: reply.headers, body, bytes: body.length };
  };
  const http: Http = {
    fetch: async (request) => {
      counts.all += 1;
      if (request.headers?.['cache-control'] === 'no-cache') counts.confirming += 1;
      return answer(request, request.url, 0);
    },
    close: async () => undefined,
  };
  return { http, counts };
};

type Known = (world: ReturnType<typeof createWorld>, platform: Platform, index: number) => KnownStatus | null;

const read = async (world: ReturnType<typeof createWorld>, known: Known): Promise<string> => {
  const { http, counts } = counting(world);
  for (const platform of PLATFORMS) {
    const adapter = registry.adapterOf(platform);
    for (let index = 0; index < world.count(platform); index++) {
      const { handle } = world.account(platform, index, AT);
      const options = { http, posts: true, known: async () => known(world, platform, index) };
      await adapter.read({ kind: 'handle', handle }, options);
    }
  }
  const share = (100 * counts.confirming) / (counts.all - counts.confirming);
  const figure = (n: number) => n.toLocaleString('en-US');
  return `${figure(counts.all)} requests, ${figure(counts.confirming)} of them to confirm (+${share.toFixed(1)} %)`;
};

const goneAs: Known = (world, platform, index) => {
  const { status } = world.account(platform, index, AT);
  if (status === 'active' || status === 'private') return 'seen';
  // What the surfaces show of it is not told apart here: YouTube and TikTok show the suspended as absent.
  return status === 'suspended' && platform === 'x' ? 'suspended' : 'absent';
};

/** What it costs in requests that a verdict which names no account needs further answers; a line each. */
export const confirmationCosts = async (size: number): Promise<readonly string[]> => {
  const world = createWorld({ seed: 7, size, clock: { now: () => AT } });
  return [
    `confirmation, ${size} accounts of each platform read for the first time: ${await read(world, () => null)}`,
    `the same, read again by a crawl that knows them: ${await read(world, goneAs)}`,
  ];
};

if (import.meta.main) for (const line of await confirmationCosts(400)) console.log(line);
