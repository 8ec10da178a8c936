import { describe, expect, it } from 'vitest';
import { truthOfHandle } from '../../../infra/simulator/ground-truth.ts';
import type { Http } from '../../../src/crawlers/http/port.ts';
import type { Address, KnownStatus } from '../../../src/crawlers/platforms/adapter.ts';
import { createRegistry, type Registry } from '../../../src/crawlers/platforms/registry.ts';
import { PLATFORMS, type Platform } from '../../../src/kernel/platform.ts';
import { type Random, seededRandom } from '../../../src/kernel/random.ts';
import { faultCount } from '../../support/faults.ts';
import {
  askable,
  faultOf,
  honest,
  NOW,
  type Person,
  SWAPS,
  type Swap,
  swapped,
  world,
} from './replaced-answers.ts';

const ROUNDS = faultCount(10, 6);

interface Mix {
  /** Its adapters learn how reliable their platforms are. */
  readonly registry: Registry;
  readonly share: number;
  readonly swaps: readonly Swap[];
  readonly random: Random;
  readonly known?: KnownStatus;
}

/** HTTP to a platform of which a share of all answers is replaced; counts requests. */
const replacing = (asked: Person, { share, swaps, random }: Mix) => {
  let requests = 0;
  const http: Http = {
    fetch: async (request) => {
      requests += 1;
      return random.next() < share
        ? swapped(request, asked, swaps[random.int(swaps.length)] as Swap, random)
        : honest(request);
    },
    close: () => Promise.resolve(),
  };
  return { http, requests: () => requests };
};

const read = async (platform: Platform, asked: Person, mix: Mix) => {
  const address: Address = { kind: 'handle', handle: asked.handle };
  const { http, requests } = replacing(asked, mix);
  const known = () => Promise.resolve(mix.known ?? null);
  const reading = await mix.registry.adapterOf(platform).read(address, { http, posts: false, known });
  const { visible } = truthOfHandle(world, platform, asked.handle, NOW);
  return { reading, requests: requests(), fault: faultOf(reading, visible, address) };
};

const nobodyOf = (platform: Platform): Person => ({
  handle: platform === 'bluesky' ? 'nobody-at-all.example' : 'nobody_at_all',
  id: '',
});

/** What an adapter learns of a platform that answers honestly. */
const readAll = async (platform: Platform, mix: Mix) => {
  for (const person of askable(platform).slice(0, 40)) await read(platform, person, mix);
};

/**
 * Requests that prove an absence: by an adapter that has read nothing yet, by one that has, and of an account that was
 * seen. Telegram's page names whom it is about; X, TikTok and YouTube show it to surfaces too that prove nothing.
 */
const REQUESTS: Readonly<Record<Platform, readonly [first: number, later: number, seen: number]>> = {
  x: [11, 6, 7],
  instagram: [9, 5, 7],
  tiktok: [10, 5, 7],
  youtube: [10, 5, 7],
  telegram: [1, 1, 1],
  bluesky: [9, 5, 7],
  linkedin: [9, 5, 7],
};

describe.for(PLATFORMS)('%s', { tags: 'faults' }, (platform) => {
  it.for<[number, readonly Swap[]]>([
    [0.35, SWAPS],
    [0.6, SWAPS],
    [0.2, ['missing account', 'missing account elsewhere', 'account']],
    [0.35, ['missing account']],
    [0.5, ['missing account', 'account']],
  ])('says nothing false of anybody with %d of all answers swapped for %o', async ([share, swaps]) => {
    const registry = createRegistry();
    const mix = { registry, share, swaps, random: seededRandom(Math.round(share * 100) + swaps.length) };
    const faults: string[] = [];
    let known = 0;
    let all = 0;
    for (let round = 0; round < ROUNDS; round++) {
      for (const person of askable(platform, round)) {
        const { fault, reading } = await read(platform, person, mix);
        all += 1;
        if (reading.status !== 'unknown') known += 1;
        if (fault !== null) faults.push(`${person.handle}: ${fault}`);
      }
    }
    expect(faults).toEqual([]);
    // Silence is no way to be right.
    expect(known / all).toBeGreaterThan(share >= 0.5 ? 0.3 : 0.5);
  });

  it('proves the absence of a new account within one reading, and that of a known one by more answers', async () => {
    const mix = { registry: createRegistry(), share: 0, swaps: SWAPS, random: seededRandom(1) };
    const [first, later, seen] = REQUESTS[platform];
    const ask = (known?: KnownStatus) =>
      read(platform, nobodyOf(platform), known === undefined ? mix : { ...mix, known });
    expect(await ask()).toMatchObject({ reading: { status: 'absent' }, requests: first });
    await readAll(platform, mix);
    expect(await ask()).toMatchObject({ reading: { status: 'absent' }, requests: later });
    expect(await ask('seen')).toMatchObject({ reading: { status: 'absent' }, requests: seen });
    // What is known already takes no confirmation.
    const again = await ask('absent');
    expect(again.reading.status).toBe('absent');
    expect(again.requests).toBeLessThanOrEqual(3);
  });

  it('proves the absence of a new account in some readings although a third of all answers is swapped', async () => {
    const mix = { registry: createRegistry(), share: 0.35, swaps: SWAPS, random: seededRandom(3) };
    await readAll(platform, mix);
    let proven = 0;
    for (let n = 0; n < 60; n++) {
      const { reading } = await read(platform, nobodyOf(platform), mix);
      expect(['absent', 'unknown']).toContain(reading.status);
      if (reading.status === 'absent') proven += 1;
    }
    expect(proven).toBeGreaterThan(5);
  });
});
