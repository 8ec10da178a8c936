import { describe, expect, it } from 'vitest';
import { truthOfHandle } from '../../../infra/simulator/ground-truth.ts';
import type { Http } from '../../../src/crawlers/http/port.ts';
import type { Address, KnownStatus } from '../../../src/crawlers/platforms/adapter.ts';
import { PLATFORMS, type Platform } from '../../../src/kernel/platform.ts';
import { type Random, seededRandom } from '../../../src/kernel/random.ts';
import { faultCount } from '../../support/faults.ts';
import {
  askable,
  faultOf,
  honest,
  NOW,
  type Person,
  registry,
  SWAPS,
  type Swap,
  swapped,
  world,
} from './replaced-answers.ts';

const ROUNDS = faultCount(10, 2);

interface Mix {
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
  const reading = await registry.adapterOf(platform).read(address, { http, posts: false, known });
  const { visible } = truthOfHandle(world, platform, asked.handle, NOW);
  return { reading, requests: requests(), fault: faultOf(reading, visible, address) };
};

const nobodyOf = (platform: Platform): Person => ({
  handle: platform === 'bluesky' ? 'nobody-at-all.example' : 'nobody_at_all',
  id: '',
});

/** Requests that prove an absence. Telegram's page names whom it is about; X shows it to two surfaces without proof. */
const REQUESTS: Readonly<Record<Platform, { readonly first: number; readonly known: number }>> = {
  x: { first: 5, known: 7 },
  instagram: { first: 5, known: 7 },
  tiktok: { first: 5, known: 7 },
  youtube: { first: 5, known: 7 },
  telegram: { first: 1, known: 1 },
  bluesky: { first: 5, known: 7 },
  linkedin: { first: 5, known: 7 },
};

describe.for(PLATFORMS)('%s', { tags: 'faults' }, (platform) => {
  it.for<[number, readonly Swap[]]>([
    [0.35, SWAPS],
    [0.6, SWAPS],
    [0.2, ['missing account', 'missing account elsewhere', 'account']],
  ])('says nothing false of anybody with %d of all answers swapped for %o', async ([share, swaps]) => {
    const mix = { share, swaps, random: seededRandom(Math.round(share * 100) + swaps.length) };
    const faults: string[] = [];
    let known = 0;
    let all = 0;
    for (let round = 0; round < ROUNDS; round++) {
      for (const person of askable(platform)) {
        const { fault, reading } = await read(platform, person, mix);
        all += 1;
        if (reading.status !== 'unknown') known += 1;
        if (fault !== null) faults.push(`${person.handle}: ${fault}`);
      }
    }
    expect(faults).toEqual([]);
    // Silence is no way to be right.
    expect(known / all).toBeGreaterThan(share > 0.5 ? 0.3 : 0.5);
  });

  it('proves the absence of a new account within one reading, and that of a known one by more answers', async () => {
    const honestly = { share: 0, swaps: SWAPS, random: seededRandom(1) };
    const first = await read(platform, nobodyOf(platform), honestly);
    expect(first).toMatchObject({ reading: { status: 'absent' }, requests: REQUESTS[platform].first });
    const seen = await read(platform, nobodyOf(platform), { ...honestly, known: 'seen' });
    expect(seen).toMatchObject({ reading: { status: 'absent' }, requests: REQUESTS[platform].known });
    // What is known already takes no confirmation.
    const again = await read(platform, nobodyOf(platform), { ...honestly, known: 'absent' });
    expect(again.reading.status).toBe('absent');
    expect(again.requests).toBeLessThanOrEqual(3);
  });

  it('proves the absence of a new account in some readings although a third of all answers is swapped', async () => {
    const mix = { share: 0.35, swaps: SWAPS, random: seededRandom(3) };
    let proven = 0;
    for (let n = 0; n < 60; n++) {
      const { reading } = await read(platform, nobodyOf(platform), mix);
      expect(['absent', 'unknown']).toContain(reading.status);
      if (reading.status === 'absent') proven += 1;
    }
    expect(proven).toBeGreaterThan(5);
  });
});
