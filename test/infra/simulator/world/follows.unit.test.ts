import { describe, expect, it } from 'vitest';
import { PLATFORMS, type Platform } from '../../../../infra/simulator/simulated-platforms.ts';
import { DAY } from '../../../../infra/simulator/world/account.ts';
import { createWorld } from '../../../../infra/simulator/world/world.ts';

const NOW = Date.UTC(2026, 9, 1);
const world = createWorld({ seed: 7, size: 3000, clock: { now: () => NOW } });
const between = (platform: Platform, from: number, to: number) =>
  Array.from({ length: 3000 }, (_, index) => world.account(platform, index, NOW)).filter(
    ({ followers }) => followers >= from && followers < to,
  );

describe('a list of followers', () => {
  it.each(PLATFORMS)('has as many members on %s as the profile says, each once, page by page', (platform) => {
    const [account] = between(platform, 2000, 9000);
    if (!account) throw new Error('no account of that size');
    const list = world.followers(platform, account.index, NOW);
    expect(list.total).toBe(account.followers);
    const whole = list.page(0, list.total + 10);
    expect(whole.length).toBe(account.followers);
    expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);
    const again = world.followers(platform, account.index, NOW);
    expect([...again.page(0, 100), ...again.page(100, 150)]).toEqual(whole.slice(0, 250));
    expect(again.page(list.total, 10)).toEqual([]);
  });
  it.each(PLATFORMS)('leads on %s to accounts that can be found by handle and id', (platform) => {
    for (const account of between(platform, 500, 5000).slice(0, 5))
      for (const member of world.followers(platform, account.index, NOW).page(0, 40)) {
        expect(world.find(platform, member.handle)).toBe(member.index);
        expect(world.findById(platform, member.id)).toBe(member.index);
        const there = world.account(platform, member.index, NOW);
        expect(there.followers).toBe(member.followers);
        if (there.status !== 'absent')
          expect(world.current(platform, member.handle, NOW)?.id).toBe(member.id);
      }
  });
  it('has bought members side by side, created within days, one campaign per block', {
    tags: 'long',
  }, () => {
    let blocks = 0;
    for (const account of between('x', 2000, 20_000).slice(0, 30)) {
      const list = world.followers('x', account.index, NOW);
      const campaigns = new Map<
        number,
        { from: number; to: number; created: number[]; kinds: Set<string> }
      >();
      list.page(0, list.total).forEach((member, n) => {
        if (member.campaign === null) return;
        const block = campaigns.get(member.campaign) ?? { from: n, to: n, created: [], kinds: new Set() };
        block.to = n;
        block.created.push(member.createdAt);
        block.kinds.add(member.kind);
        campaigns.set(member.campaign, block);
      });
      for (const { from, to, created, kinds } of campaigns.values()) {
        blocks++;
        // Residents sit between them here and there.
        expect(to - from + 1 - created.length).toBeLessThan(8);
        expect(Math.max(...created) - Math.min(...created)).toBeLessThan(4 * DAY);
        expect([...kinds]).toEqual(['suspicious']);
      }
    }
    expect(blocks).toBeGreaterThan(30);
  });
  it('keeps its old members and loses about an eighth of the new ones in 50 days', { tags: 'long' }, () => {
    let [fresh, freshGone, old, oldGone] = [0, 0, 0, 0];
    for (const account of between('x', 1000, 30_000)) {
      const [before, now, after] = [-10, 0, 50].map((days) =>
        world.followers('x', account.index, NOW + days * DAY),
      );
      if (!before || !now || !after) throw new Error('no lists');
      // Of growing accounts the newest members are those that came since.
      const came = now.total - before.total;
      if (came < 30 || after.total < now.total || fresh > 800) continue;
      const ids = new Set(after.page(0, after.total).map(({ id }) => id));
      now.page(0, now.total).forEach(({ id, campaign }, n) => {
        if (campaign !== null) return;
        const gone = ids.has(id) ? 0 : 1;
        if (n < came) {
          fresh++;
          freshGone += gone;
        } else {
          old++;
          oldGone += gone;
        }
      });
    }
    expect(fresh).toBeGreaterThan(400);
    expect(freshGone / fresh).toBeGreaterThan(0.07);
    expect(freshGone / fresh).toBeLessThan(0.15);
    expect(oldGone / old).toBeGreaterThan(0.005);
    expect(oldGone / old).toBeLessThan(0.03);
  });
  it('has a resident exactly if that one follows, about a quarter of them mutually', {
    tags: 'long',
  }, () => {
    const owners = Array.from({ length: 190 }, (_, index) => index).filter(
      (index) => world.account('bluesky', index, NOW).status === 'active',
    );
    let [edges, mutual] = [0, 0];
    for (const owner of owners) {
      const list = world.followers('bluesky', owner, NOW);
      for (const member of list.page(0, Math.min(list.total, 4000))) {
        if (!member.resident) continue;
        edges++;
        expect(world.hidden.follows('bluesky', member.index, NOW)).toContain(owner);
        if (world.hidden.follows('bluesky', owner, NOW).includes(member.index)) mutual++;
      }
    }
    expect(edges).toBeGreaterThan(1000);
    // A mutual pair is met from both ends: 2 r / (1 + r) of the edges are of such pairs.
    expect(mutual / edges).toBeGreaterThan(0.3);
    expect(mutual / edges).toBeLessThan(0.5);
  });
  it('shows the residents that an account follows', () => {
    for (const index of [3, 40, 77, 500]) {
      const list = world.following('x', index, NOW);
      expect(list.total).toBe(world.account('x', index, NOW).following);
      const shown = list.page(0, list.total).filter(({ resident }) => resident);
      expect(shown.map((member) => member.index).sort()).toEqual(
        [...world.hidden.follows('x', index, NOW)].sort(),
      );
    }
  });
  it('belongs to outsiders and companies too, and outsiders post', () => {
    const [owner] = between('x', 2000, 9000);
    const members = world.followers('x', owner?.index ?? 0, NOW).page(0, 60);
    let posts = 0;
    for (const { index, resident, followers, following } of members) {
      if (resident) continue;
      expect(world.followers('x', index, NOW).page(0, 5).length).toBe(Math.min(5, followers));
      expect(world.following('x', index, NOW).page(0, 5).length).toBe(Math.min(5, following));
      const account = world.account('x', index, NOW);
      const newest = world.posts(account, NOW, 3);
      expect(newest.length).toBe(Math.min(3, account.posts));
      for (const { at } of newest) expect(at).toBeLessThanOrEqual(NOW);
      posts += newest.length;
    }
    expect(posts).toBeGreaterThan(20);
    const company = world.account('linkedin', 3001, NOW);
    expect(world.followers('linkedin', 3001, NOW).page(0, 10).length).toBe(Math.min(10, company.followers));
  });
});
