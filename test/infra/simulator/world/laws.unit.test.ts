import { describe, expect, it } from 'vitest';
import { PLATFORMS } from '../../../../infra/simulator/simulated-platforms.ts';
import { DAY } from '../../../../infra/simulator/world/account.ts';
import { createEngagement } from '../../../../infra/simulator/world/engagement.ts';
import { parseParameters } from '../../../../infra/simulator/world/parameters.ts';
import { createWorld } from '../../../../infra/simulator/world/world.ts';

const NOW = Date.UTC(2026, 9, 1);
const HOUR = 3_600_000;
const world = createWorld({ seed: 7, size: 3000, clock: { now: () => NOW } });
const listed = (platform: 'x' | 'bluesky' | 'instagram', from: number, to: number) =>
  Array.from({ length: 3000 }, (_, index) => world.account(platform, index, NOW)).filter(
    ({ followers, status }) => followers >= from && followers < to && status === 'active',
  );

describe('bought followers', () => {
  it('leave as others do', { tags: 'long' }, () => {
    const before = { bought: 0, others: 0 };
    const gone = { bought: 0, others: 0 };
    for (const { index } of listed('x', 2000, 9000).slice(0, 40)) {
      const [now, after] = [0, 400].map((days) => world.followers('x', index, NOW + days * DAY));
      const ids = new Set(after?.page(0, 1e6).map(({ id }) => id));
      for (const { id, campaign } of now?.page(0, 1e6) ?? []) {
        const kind = campaign === null ? 'others' : 'bought';
        before[kind]++;
        if (!ids.has(id)) gone[kind]++;
      }
    }
    expect(before.bought).toBeGreaterThan(1000);
    expect(gone.bought / before.bought).toBeGreaterThan(0.04);
    expect(gone.others / before.others).toBeGreaterThan(0.04);
  });
});

describe('a purge', () => {
  it('removes bots more than others, and nobody joins twice', { tags: 'long' }, () => {
    const [purge] = world.hidden.growth.purges('x', NOW, NOW + 800 * DAY);
    if (!purge) throw new Error('this world has no purge of X');
    const all = { lost: 0, bots: 0, members: 0, suspicious: 0 };
    for (const { index } of listed('x', 1000, 5000).slice(0, 80)) {
      const before = world.followers('x', index, purge.at);
      const after = world.followers('x', index, purge.at + DAY);
      const ids = after.page(0, 1e6).map(({ id }) => id);
      expect(new Set(ids).size).toBe(after.total);
      const left = new Set(ids);
      for (const { id, kind } of before.page(0, 1e6)) {
        all.members++;
        if (kind === 'suspicious') all.suspicious++;
        if (left.has(id)) continue;
        all.lost++;
        if (kind === 'suspicious') all.bots++;
      }
    }
    expect(all.lost).toBeGreaterThan(300);
    expect(all.bots / all.lost).toBeGreaterThan(2.5 * (all.suspicious / all.members));
  });
});

describe('lists of followers', () => {
  it('have no member that is closed or not yet created', { tags: 'long' }, () => {
    for (const at of [NOW, NOW - 500 * DAY])
      for (const { index } of listed('x', 50, 3000).slice(0, 40)) {
        const members = [
          ...world.followers('x', index, at).page(0, 300),
          ...world.following('x', index, at).page(0, 300),
        ];
        for (const member of members) {
          expect(member.createdAt).toBeLessThanOrEqual(at);
          expect(['active', 'private']).toContain(world.account('x', member.index, at).status);
        }
      }
  });
  it('show a positive figure for each account that follows', () => {
    const following = Array.from({ length: 3000 }, (_, index) => index).filter(
      (index) => world.hidden.follows('telegram', index, NOW).length > 0,
    );
    expect(following.length).toBeGreaterThan(500);
    for (const index of following) expect(world.account('telegram', index, NOW).following).toBeGreaterThan(0);
  });
});

describe('who sells posts', () => {
  it('is drawn independently of who is for sale', () => {
    const far = NOW + 3000 * DAY;
    const names = (count: number, of: (n: number) => { platform: string; index: number } | null) =>
      new Set(
        Array.from({ length: count }, (_, n) => of(n)).flatMap((one) =>
          one ? [`${one.platform} ${one.index}`] : [],
        ),
      );
    const forSale = names(world.market.listings, (n) => world.market.listing(n, far));
    const posting = names(world.market.placements, (n) => world.market.placement(n, far));
    const both = [...posting].filter((name) => forSale.has(name)).length;
    expect(posting.size).toBeGreaterThan(200);
    expect(both / posting.size).toBeLessThan(0.1);
  });
});

describe('the half-life of views', () => {
  it.each(PLATFORMS)('is the document’s on %s', (platform) => {
    const parameters = world.parameters;
    const engagement = createEngagement(parameters);
    const traits = engagement.traitsOf(platform, 1, 50_000);
    const shares = Array.from({ length: 600 }, (_, key) => {
      const views = (hours: number) =>
        engagement.figuresAt(platform, traits, key * 7919, 1e7, hours * HOUR, 1).views;
      return views(parameters.age.halfLife[platform]) / views(1e6);
    }).sort((a, b) => a - b);
    expect(shares[300]).toBeGreaterThan(0.48);
    expect(shares[300]).toBeLessThan(0.52);
  });
});

describe('an extreme document', () => {
  it('keeps a steep tail of followers as drawn, years later', () => {
    const steep = parseParameters({
      followers: { median: { linkedin: 3000 }, tail: { linkedin: 1.9 } },
      growth: { volatility: 0.008, decades: 3.5, jumps: 1, jumpExponent: 1.2 },
    });
    const large = createWorld({ seed: 7, size: 20_000, parameters: steep, clock: { now: () => NOW } });
    const slope = (at: number) => {
      const logs = Array.from({ length: 20_000 }, (_, index) => large.hidden.followers('linkedin', index, at))
        .filter((followers) => followers >= 1e5)
        .map((followers) => Math.log(followers / 1e5));
      return logs.length / logs.reduce((a, b) => a + b, 0);
    };
    const [drawn, later] = [Date.UTC(2026, 0, 1), NOW].map(slope);
    expect(drawn).toBeGreaterThan(1.75);
    expect(later).toBeGreaterThan(1.7);
    expect(later).toBeLessThan(2.1);
  });
  it('keeps three purges a year, even where a year has more than four', () => {
    const often = createWorld({
      seed: 7,
      size: 10,
      parameters: parseParameters({ purges: { rate: 3 } }),
      clock: { now: () => NOW },
    });
    const years = PLATFORMS.flatMap((platform) =>
      Array.from(
        { length: 25 },
        (_, n) =>
          often.hidden.growth.purges(platform, Date.UTC(2015 + n, 0, 1) - 1, Date.UTC(2016 + n, 0, 1) - 1)
            .length,
      ),
    );
    expect(Math.max(...years)).toBeGreaterThan(5);
    const mean = years.reduce((a, b) => a + b, 0) / years.length;
    expect(mean).toBeGreaterThan(2.6);
    expect(mean).toBeLessThan(3.4);
  });
  it('lets few accounts post as rarely as allowed', () => {
    const rare = createWorld({
      seed: 7,
      size: 3000,
      parameters: parseParameters({ posting: { rate: 0.15, sigma: 1.4 } }),
      clock: { now: () => NOW },
    });
    const logs = Array.from({ length: 3000 }, (_, index) =>
      Math.log(rare.hidden.traits('x', index).rate / 7),
    );
    const mean = logs.reduce((a, b) => a + b, 0) / logs.length;
    const sigma = Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length);
    expect(sigma).toBeGreaterThan(1.3);
    expect(sigma).toBeLessThan(1.5);
  });
  it.each([
    [{ audience: { auc: 0.98, disguised: 0.08 } }, 'audience.auc'],
    [{ ends: { switching: 0.05, private: { x: 0.02 } } }, 'ends.private.x'],
    [{ audience: { suspicious: 0.3, suspiciousSigma: 0.9, inactive: 0.5 } }, 'audience.suspiciousSigma'],
    [
      { names: { sameHandle: 0.06 }, adversaries: { share: 0.35 }, handles: { identical: 0.4 } },
      'sameHandle',
    ],
  ])('is refused with its reason: %j', (document, reason) => {
    expect(() => parseParameters(document)).toThrow(reason);
  });
});
