import { describe, expect, it } from 'vitest';
import { truthOfHandle } from '../../../infra/simulator/ground-truth.ts';
import { PLATFORMS, type Platform } from '../../../infra/simulator/simulated-platforms.ts';
import type { Http } from '../../../src/crawlers/http/port.ts';
import type { Address, KnownStatus } from '../../../src/crawlers/platforms/adapter.ts';
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

/** Readings of each account. */
const ROUNDS = faultCount(10, 6);

interface Mix {
  /** The share of answers that are replaced, each way as often. */
  readonly share: number;
  readonly random: Random;
  readonly known?: KnownStatus;
}

/** HTTP to a platform of which a share of all answers is replaced; counts requests. */
const replacing = (asked: Person, { share, random }: Mix) => {
  let requests = 0;
  const http: Http = {
    fetch: async (request) => {
      requests += 1;
      return random.next() < share
        ? swapped(request, asked, SWAPS[random.int(SWAPS.length)] as Swap, random)
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
  const { visible, status } = truthOfHandle(world, platform, asked.handle, NOW);
  return { reading, requests: requests(), fault: faultOf(reading, visible, address), status };
};

/** What all accounts of all platforms are read as, with a share of the answers replaced. */
const readAll = async (share: number) => {
  const random = seededRandom(Math.round(share * 100) + 7);
  const tally = { all: 0, known: 0, faults: [] as string[], seen: 0, seenFaults: [] as string[] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const platform of PLATFORMS) {
      for (const person of askable(platform, round)) {
        const { fault, reading } = await read(platform, person, { share, random });
        tally.all += 1;
        if (reading.status !== 'unknown') tally.known += 1;
        if (fault !== null) tally.faults.push(`${platform} ${person.handle}: ${fault}`);
        const { status } = truthOfHandle(world, platform, person.handle, NOW);
        if (status !== 'active' && status !== 'private') continue;
        const seen = await read(platform, person, { share, random, known: 'seen' });
        tally.seen += 1;
        if (seen.fault !== null) tally.seenFaults.push(`${platform} ${person.handle}: ${seen.fault}`);
      }
    }
  }
  return tally;
};

const nobodyOf = (platform: Platform): Person => ({
  handle: platform === 'bluesky' ? 'nobody-at-all.example' : 'nobody_at_all',
  id: '',
});

/**
 * Requests that prove an absence: of an account that is new, and of one that was seen. Telegram's page names whom it is
 * about; X shows an absence to surfaces too that prove nothing.
 */
const REQUESTS: Readonly<Record<Platform, readonly [first: number, seen: number]>> = {
  x: [4, 5],
  instagram: [3, 4],
  tiktok: [3, 4],
  youtube: [3, 4],
  telegram: [1, 1],
  bluesky: [3, 4],
  linkedin: [3, 4],
};

describe('verdicts when answers are mixed up', { tags: 'faults' }, () => {
  it('are false at most once in 2,000 with a tenth of all answers replaced', { tags: 'long' }, async () => {
    const { faults, all, known } = await readAll(0.1);
    expect(faults.length / all, faults.join('\n')).toBeLessThanOrEqual(1 / 2_000);
    // Silence is no way to be right.
    expect(known / all).toBeGreaterThan(0.7);
  });

  it('are false at most 5 times in 1,000 with a third replaced, and once for known accounts', {
    tags: 'long',
  }, async () => {
    const { faults, seenFaults, all, seen, known } = await readAll(0.35);
    expect(faults.length / all, faults.join('\n')).toBeLessThanOrEqual(5 / 1_000);
    expect(seenFaults.length / seen, seenFaults.join('\n')).toBeLessThanOrEqual(1 / 1_000);
    expect(known / all).toBeGreaterThan(0.4);
  });
});

describe.for(PLATFORMS)('%s', (platform) => {
  it('proves an absence by three answers, and a known account’s by four', async () => {
    const [first, seen] = REQUESTS[platform];
    const ask = (known?: KnownStatus) => {
      const mix = { share: 0, random: seededRandom(1) };
      return read(platform, nobodyOf(platform), known === undefined ? mix : { ...mix, known });
    };
    expect(await ask()).toMatchObject({ reading: { status: 'absent' }, requests: first });
    expect(await ask('seen')).toMatchObject({ reading: { status: 'absent' }, requests: seen });
    // What is known already takes no confirmation.
    const again = await ask('absent');
    expect(again.reading.status).toBe('absent');
    expect(again.requests).toBeLessThanOrEqual(3);
  });
});

it('do not depend on what was read of other accounts', async () => {
  for (const platform of PLATFORMS) {
    const random = seededRandom(3);
    for (const person of askable(platform).slice(0, 40)) await read(platform, person, { share: 0.5, random });
    const { reading, requests } = await read(platform, nobodyOf(platform), { share: 0, random });
    expect({ platform, status: reading.status, requests }).toEqual({
      platform,
      status: 'absent',
      requests: REQUESTS[platform][0],
    });
  }
});
