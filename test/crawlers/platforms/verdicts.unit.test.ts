import { describe, expect, it } from 'vitest';
import { truthOf, truthOfHandle } from '../../../infra/simulator/ground-truth.ts';
import { siteOf } from '../../../infra/simulator/platforms/registry.ts';
import type { Visible } from '../../../infra/simulator/platforms/site.ts';
import { createSimClock } from '../../../infra/simulator/world/clock.ts';
import { createWorld } from '../../../infra/simulator/world/world.ts';
import { FetchError, type Http, type HttpRequest, type Page } from '../../../src/crawlers/http/port.ts';
import type { Address, Reading } from '../../../src/crawlers/platforms/adapter.ts';
import { createRegistry } from '../../../src/crawlers/platforms/registry.ts';
import { isGated } from '../../../src/crawlers/platforms/youtube/channel.ts';
import { PLATFORMS, type Platform } from '../../../src/kernel/platform.ts';
import { type Random, seededRandom } from '../../../src/kernel/random.ts';
import { FOREIGN_ANSWERS } from '../../contracts/foreign-answers.ts';
import { faultCount } from '../../support/faults.ts';

const NOW = Date.UTC(2026, 9, 1);
const SIZE = 240;
/** Of so many accounts one is asked for. */
const STEP = faultCount(1, 6);
const world = createWorld({ seed: 23, size: SIZE, clock: createSimClock({ now: NOW, speed: 0 }) });
const registry = createRegistry();

const SESSION = { authorization: 'Bearer simulated', 'x-guest-token': 'simulated' };

/** What the simulated platform answers, redirects within it followed. */
const honest = (request: HttpRequest, url = request.url, hops = 0): Page => {
  const to = new URL(url);
  const site = siteOf(to.hostname);
  const away = { url, status: 302, headers: { location: url }, body: '', bytes: 0 };
  if (site === null || site === undefined || site.platform !== request.platform) return away;
  const reply = site.serve(world, {
    method: request.method ?? 'GET',
    host: to.hostname,
    path: decodeURIComponent(to.pathname),
    query: to.searchParams,
    headers: {
      'accept-language': 'en-US',
      ...request.headers,
      ...(request.session === undefined ? {} : SESSION),
    },
    body: request.body ?? '',
    at: NOW,
  });
  const { location } = reply.headers;
  if (location !== undefined && hops < 5) return honest(request, new URL(location, url).href, hops + 1);
  const body = reply.body.map(String).join('');
  return { url, status: reply.status, headers: reply.headers, body, bytes: body.length };
};

/** The same question about somebody else. */
const askedFor = (request: HttpRequest, mine: readonly string[], theirs: readonly string[]): HttpRequest => {
  const swap = (text: string) =>
    mine.reduce((out, name, i) => (name === '' ? out : out.replaceAll(name, theirs[i] ?? name)), text);
  return {
    ...request,
    url: swap(request.url),
    ...(request.body === undefined ? {} : { body: swap(request.body) }),
  };
};

interface Person {
  readonly handle: string;
  readonly id: string;
}

const everybody = (platform: Platform): readonly Person[] =>
  Array.from({ length: SIZE }, (_, index) => truthOf(world, platform, index, NOW));

/**
 * An answer that is none of the account: foreign, cut, empty, a failure, or somebody else's page.
 * @param others whether it may be somebody else's.
 */
const replaced = (request: HttpRequest, asked: Person, random: Random, others = true): Page => {
  const pick = <T>(list: readonly T[]): T => list[random.int(list.length)] as T;
  const whole = honest(request);
  switch (random.int(others ? 6 : 5)) {
    case 0:
      return { ...whole, body: whole.body.slice(0, random.int(Math.max(1, whole.body.length))) };
    case 1:
      return { ...whole, body: '' };
    case 2:
      throw new FetchError(pick(['timeout', 'http_error', 'rate_limited', 'too_large']), 'it failed');
    case 5: {
      const other = pick(shownOf(request.platform).filter(({ handle }) => handle !== asked.handle));
      const names = (one: Person) => [one.id, encodeURIComponent(one.handle), one.handle];
      return { ...honest(askedFor(request, names(asked), names(other))), url: request.url };
    }
    default: {
      const { status, body, headers = {} } = pick(FOREIGN_ANSWERS);
      return { url: request.url, status, headers, body, bytes: body.length };
    }
  }
};

const shown = new Map<Platform, readonly Person[]>();
const shownOf = (platform: Platform): readonly Person[] => {
  const known =
    shown.get(platform) ??
    everybody(platform).filter(({ handle }) =>
      truthOfHandle(world, platform, handle, NOW).visible.some(({ profile }) => profile !== null),
    );
  shown.set(platform, known);
  return known;
};

const mixed = (asked: Person, share: number, random: Random): Http => ({
  fetch: async (request) => (random.next() < share ? replaced(request, asked, random) : honest(request)),
  close: () => Promise.resolve(),
});

/** What is wrong with a reading; null where it says only what is so. */
const faultOf = (reading: Reading, visible: readonly Visible[], address: Address): string | null => {
  if (reading.status === 'unknown') return null;
  if (!visible.some(({ status }) => status === reading.status)) {
    return `${reading.surface} says ${reading.status}, and it is ${visible.map(({ status }) => status).join(' or ')}`;
  }
  if (reading.status !== 'present' && reading.status !== 'private') return null;
  for (const [field, value] of Object.entries(reading.profile)) {
    if (value === null || (Array.isArray(value) && value.length === 0)) continue;
    // Who is asked for by id may go by it.
    if (field === 'handle' && address.kind === 'id') continue;
    const so = visible.flatMap(({ profile }) =>
      profile === null ? [] : [(profile as unknown as Record<string, unknown>)[field]],
    );
    if (!so.some((each) => JSON.stringify(each) === JSON.stringify(value))) {
      return `${reading.surface} says that ${field} is ${JSON.stringify(value)}, and it is ${JSON.stringify(so)}`;
    }
  }
  return null;
};

const askable = (platform: Platform): Person[] => {
  const strangers = Array.from({ length: 60 }, (_, n) => `nobody_${n}_at_all`).flatMap((name) => {
    const handle = registry
      .adapterOf(platform)
      .parseHandle(platform === 'bluesky' ? `${name.replaceAll('_', '-')}.example` : name);
    return handle === null ? [] : [{ handle, id: '' }];
  });
  return [...everybody(platform), ...strangers].filter((_, n) => n % STEP === 0);
};

describe.for(PLATFORMS)('%s', { tags: 'faults' }, (platform) => {
  const adapter = registry.adapterOf(platform);

  it.for([0, 0.1, 0.35, 0.6, 0.9])(
    'says nothing false of anybody with %d of all answers replaced',
    async (share) => {
      const random = seededRandom(Math.round(share * 100) + 5);
      const faults: string[] = [];
      let known = 0;
      for (const person of askable(platform)) {
        const { visible } = truthOfHandle(world, platform, person.handle, NOW);
        const address: Address = { kind: 'handle', handle: person.handle };
        const reading = await adapter.read(address, { http: mixed(person, share, random), posts: true });
        if (reading.status !== 'unknown') known += 1;
        const fault = faultOf(reading, visible, address);
        if (fault !== null) faults.push(`${person.handle}: ${fault}`);
      }
      expect(faults).toEqual([]);
      // Silence is no way to be right.
      if (share <= 0.35) expect(known).toBeGreaterThan(SIZE / STEP / 3);
    },
  );

  it.for(adapter.surfaces.map(({ name }) => name))('says nothing false on %s alone', async (name) => {
    const surface = adapter.surfaces.find((each) => each.name === name);
    const random = seededRandom(7);
    const faults: string[] = [];
    for (const person of askable(platform)) {
      const { visible } = truthOfHandle(world, platform, person.handle, NOW);
      const address: Address =
        adapter.isBareId(person.id) && surface?.request({ kind: 'handle', handle: person.handle }) === null
          ? { kind: 'id', id: person.id }
          : { kind: 'handle', handle: person.handle };
      const request = surface?.request(address) ?? null;
      if (surface === undefined || request === null) continue;
      for (const page of [
        honest(request),
        ...Array.from({ length: 3 }, () =>
          attempt(() => replaced(request, person, random, name !== 'resolve_url')),
        ),
      ]) {
        if (page === null) continue;
        const reading = surface.parse(page, address);
        // A gate names no handle: whose it is, the read settles with another surface.
        if (isGated(reading)) continue;
        const fault = faultOf(reading, visible, address);
        if (fault !== null) faults.push(`${person.handle}: ${fault}`);
      }
    }
    expect(faults).toEqual([]);
  });
});

const attempt = (make: () => Page): Page | null => {
  try {
    return make();
  } catch (error) {
    if (error instanceof FetchError) return null;
    throw error;
  }
};
