import { expect, it } from 'vitest';
import { seedsOf, truthOf } from '../../../infra/simulator/ground-truth.ts';
import { PLATFORMS, type Platform } from '../../../infra/simulator/simulated-platforms.ts';
import { createWorld } from '../../../infra/simulator/world/world.ts';

const NOW = Date.UTC(2026, 9, 1);

/** Whom an address of a profile leads to, as a crawler would tell. */
const ADDRESS: readonly (readonly [Platform, RegExp])[] = [
  ['x', /^https:\/\/x\.com\/(\w+)$/],
  ['instagram', /^https:\/\/www\.instagram\.com\/([\w.]+)\/$/],
  ['tiktok', /^https:\/\/www\.tiktok\.com\/@([\w.]+)$/],
  ['youtube', /^https:\/\/www\.youtube\.com\/@([\w.-]+)$/],
  ['telegram', /^https:\/\/t\.me\/(\w+)$/],
  ['bluesky', /^https:\/\/bsky\.app\/profile\/([\w.-]+)$/],
  ['linkedin', /^https:\/\/www\.linkedin\.com\/in\/([\w-]+)$/],
];

it('nearly all of a world can be reached from eight seeds a platform through bios, links and posts', {
  tags: 'long',
}, () => {
  const size = 500;
  const world = createWorld({ seed: 11, size, clock: { now: () => NOW } });
  const seen = new Set<string>();
  const queue: (readonly [Platform, number])[] = [];
  const discover = (platform: Platform, handle: string) => {
    const index = world.find(platform, handle);
    if (index === null || seen.has(`${platform} ${index}`)) return;
    seen.add(`${platform} ${index}`);
    queue.push([platform, index]);
  };
  for (const platform of PLATFORMS)
    for (const seed of seedsOf(world, platform, 8, NOW)) discover(platform, seed);
  for (let next = queue.pop(); next; next = queue.pop()) {
    const truth = truthOf(world, next[0], next[1], NOW);
    if (!truth.visible.some((one) => one.status === 'present')) continue;
    for (const handle of truth.mentions) discover(next[0], handle);
    for (const link of truth.links) {
      for (const [platform, form] of ADDRESS) {
        const handle = form.exec(link)?.[1];
        if (handle) discover(platform, handle);
      }
    }
    for (const post of world.posts(world.account(next[0], next[1], NOW), NOW, 10)) {
      for (const index of post.mentions) discover(next[0], world.handleOf(next[0], index, NOW));
    }
  }
  for (const platform of PLATFORMS) {
    // Newcomers that are still to come cannot be reached; some others only dead regions name.
    const there = Array.from({ length: size }, (_, index) => index).filter(
      (index) => world.account(platform, index, NOW).status !== 'absent',
    );
    const reached = there.filter((index) => seen.has(`${platform} ${index}`)).length;
    expect(reached / there.length, platform).toBeGreaterThan(0.95);
  }
});
