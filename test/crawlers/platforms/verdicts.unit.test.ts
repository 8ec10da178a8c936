import { describe, expect, it } from 'vitest';
import { truthOfHandle } from '../../../infra/simulator/ground-truth.ts';
import { PLATFORMS } from '../../../infra/simulator/simulated-platforms.ts';
import { FetchError, type Http, type Page } from '../../../src/crawlers/http/port.ts';
import type { Address } from '../../../src/crawlers/platforms/adapter.ts';
import { isGated } from '../../../src/crawlers/platforms/youtube/channel.ts';
import { type Random, seededRandom } from '../../../src/kernel/random.ts';
import {
  askable,
  faultOf,
  honest,
  NOW,
  type Person,
  registry,
  replaced,
  SIZE,
  STEP,
  world,
} from './replaced-answers.ts';

const mixed = (asked: Person, share: number, random: Random): Http => ({
  fetch: async (request) => (random.next() < share ? replaced(request, asked, random) : honest(request)),
  close: () => Promise.resolve(),
});

describe.for(PLATFORMS)('%s', { tags: 'faults' }, (platform) => {
  const adapter = registry.adapterOf(platform);

  it.for([0, 0.1, 0.35, 0.6, 0.9])('has no false verdict with %d of all answers replaced', async (share) => {
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
  });

  it.for(adapter.surfaces.map(({ name }) => name))('has no false verdict on %s alone', async (name) => {
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
