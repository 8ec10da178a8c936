import { describe, expect, it } from 'vitest';
import { PLATFORMS } from '../../../../infra/simulator/simulated-platforms.ts';
import { createHandles } from '../../../../infra/simulator/world/handles.ts';
import { permutation } from '../../../../infra/simulator/world/hash.ts';
import { ENDINGS, FIRST_NAMES, LAST_NAMES } from '../../../../infra/simulator/world/name-parts.ts';
import { createWorld } from '../../../../infra/simulator/world/world.ts';

const NOW = Date.UTC(2026, 9, 1);
const GRAMMAR = {
  x: /^[a-z0-9_]{1,15}$/,
  instagram: /^[a-z0-9._]{1,30}$/,
  tiktok: /^(?!\d+$)(?!\.)[a-z0-9_.]{2,24}(?<!\.)$/,
  youtube: /^[a-z0-9][a-z0-9_.-]{1,28}[a-z0-9]$/,
  telegram: /^[a-z][a-z0-9_]{4,31}$/,
  bluesky: /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/,
  linkedin: /^[a-z0-9_-]{3,100}$/,
};

describe('words of names', () => {
  it('are never a prefix of one another, so that two names in a row are unambiguous', () => {
    const words = [...FIRST_NAMES, ...LAST_NAMES];
    expect([FIRST_NAMES.length, LAST_NAMES.length, new Set(ENDINGS).size]).toEqual([256, 256, 127]);
    const clashes = words.filter((word, n) => words.some((other, m) => n !== m && other.startsWith(word)));
    expect(clashes).toEqual([]);
  });
});

describe('permutation', () => {
  it.each([1, 2, 3, 500, 4097])('maps each of %i values to a distinct place and back', (size) => {
    const shuffle = permutation(size, 42);
    const moved = Array.from({ length: size }, (_, n) => shuffle.apply(n));
    expect(new Set(moved).size).toBe(size);
    expect(moved.every((to, n) => to >= 0 && to < size && shuffle.invert(to) === n)).toBe(true);
  });
});

describe('handles', () => {
  const handles = createHandles(7);
  it.each(PLATFORMS)('of %s lead back to their accounts, for people sampled from ten million', (platform) => {
    const seen = new Set<string>();
    for (let n = 0; n < 12_000; n++) {
      const form = (['same', 'similar', 'own', 'outsider'] as const)[n % 4] ?? 'same';
      const parts = {
        form,
        number: (n * 6_700_417) % 10_000_000,
        generation: form === 'outsider' ? 0 : (n >> 2) % 4,
        separated: form !== 'same' && form !== 'outsider' && n % 3 === 0,
      };
      const handle = handles.encode(platform, parts);
      if (!GRAMMAR[platform].test(handle)) throw new Error(`${platform} refuses ${handle}`);
      const read = handles.decode(platform, handle);
      // Whether an outsider's handle has a separator is the outsider's.
      expect(form === 'outsider' ? { ...read, separated: false } : read).toEqual(parts);
      seen.add(handle);
    }
    expect(seen.size).toBe(12_000);
  });
  it('vary', () => {
    const shapes = new Set(
      Array.from({ length: 3000 }, (_, n) =>
        handles
          .encode('x', {
            form: n % 2 === 0 ? 'similar' : 'own',
            number: n,
            generation: 0,
            separated: n % 3 === 0,
          })
          .replace(/[a-z]+/g, 'a')
          .replace(/\d+/g, '9'),
      ),
    );
    expect(shapes.size).toBeGreaterThan(5);
  });
  it.each(['nobody', 'sightline.app', '', '...', 'nora', 'noraquill999999', 'quillquill1'])(
    'do not decode %j',
    (text) => {
      for (const platform of PLATFORMS) expect(handles.decode(platform, text)).toBeNull();
    },
  );
});

describe('a world', () => {
  const world = createWorld({ seed: 7, size: 2000, clock: { now: () => NOW } });
  it.each(PLATFORMS)(
    'finds each account of %s by its handle in any case and by its native id',
    (platform) => {
      for (let index = 0; index < 400; index++) {
        const account = world.account(platform, index);
        expect(world.find(platform, account.shown.toUpperCase())).toBe(index);
        expect(world.findById(platform, account.id)).toBe(index);
      }
    },
  );
  it('is the same for the same seed, and differs between seeds', () => {
    const again = createWorld({ seed: 7, size: 2000, clock: { now: () => NOW } });
    const other = createWorld({ seed: 8, size: 2000, clock: { now: () => NOW } });
    expect(again.account('x', 77)).toEqual(world.account('x', 77));
    expect(other.account('x', 77).handle).not.toBe(world.account('x', 77).handle);
  });
  it('computes a million accounts without storing one', () => {
    const large = createWorld({ seed: 7, size: 1_000_000, clock: { now: () => NOW } });
    expect(large.find('x', large.handleOf('x', 999_999))).toBe(999_999);
  });
  it('has sizes from a handful to millions, and every status', () => {
    const all = Array.from({ length: 2000 }, (_, index) => world.account('x', index));
    const followers = all.map((account) => account.followers).sort((a, b) => a - b);
    expect(followers[0]).toBeLessThan(50);
    expect(followers.at(-1)).toBeGreaterThan(1_000_000);
    const statuses = new Set(all.map((account) => account.status));
    // Newcomers that are still to come are absent.
    expect([...statuses].sort()).toEqual(['absent', 'active', 'deactivated', 'private', 'suspended']);
    expect(all.some((account) => account.verified)).toBe(true);
  });
  it('keeps companies as LinkedIn accounts of their own', () => {
    const company = world.account('linkedin', 2003);
    expect(company.kind).toBe('company');
    expect(world.find('linkedin', company.handle)).toBe(2003);
    expect(world.count('linkedin')).toBe(2250);
  });
});

describe('time', () => {
  const world = createWorld({ seed: 7, size: 2000, clock: { now: () => NOW } });
  const YEAR = 365 * 86_400_000;
  const indexes = Array.from({ length: 600 }, (_, index) => index);
  it('renames accounts: a new handle, the same native id, and the old handle leads nowhere or to its taker', () => {
    const renamed = indexes.filter(
      (n) => world.handleOf('x', n, NOW) !== world.handleOf('x', n, NOW + 2 * YEAR),
    );
    expect(renamed.length).toBeGreaterThan(5);
    const taken: number[] = [];
    for (const index of renamed) {
      const [before, after] = [world.account('x', index, NOW), world.account('x', index, NOW + 2 * YEAR)];
      expect(after.id).toBe(before.id);
      expect(after.previousHandles).toContain(before.handle);
      const there = world.current('x', before.handle, NOW + 2 * YEAR);
      if (there) {
        taken.push(index);
        expect(there.id).not.toBe(before.id);
        expect(there.handle).toBe(before.handle);
        expect(world.account('x', world.findById('x', there.id) ?? -1, NOW + 2 * YEAR)).toEqual(there);
      }
      expect(world.current('x', after.handle, NOW)).toBeNull();
    }
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.length).toBeLessThan(renamed.length);
  });
  it('suspends and restores accounts over time', () => {
    const months = Array.from({ length: 48 }, (_, n) => NOW + (n * YEAR) / 12);
    const lives = indexes.map((n) => months.map((at) => world.account('youtube', n, at).status));
    const fell = (life: string[]) => life.some((s, n) => s === 'suspended' && life[n - 1] === 'active');
    const rose = (life: string[]) => life.some((s, n) => s === 'active' && life[n - 1] === 'suspended');
    expect(lives.some(fell)).toBe(true);
    expect(lives.some(rose)).toBe(true);
  });
  it('lets followers drift daily and posts appear, never disappear', () => {
    const large = indexes.filter((n) => world.account('tiktok', n, NOW).followers > 20_000);
    const moved = large.filter(
      (n) =>
        world.account('tiktok', n, NOW).followers !== world.account('tiktok', n, NOW + YEAR / 365).followers,
    );
    expect(moved.length).toBe(large.length);
    let grown = 0;
    for (const n of indexes) {
      const [a, b] = [world.account('tiktok', n, NOW), world.account('tiktok', n, NOW + YEAR / 12)];
      expect(b.posts).toBeGreaterThanOrEqual(a.posts);
      if (b.posts > a.posts) grown++;
      const [newest] = world.posts(b, NOW + YEAR / 12, 1);
      if (newest) expect(newest.at).toBeLessThanOrEqual(NOW + YEAR / 12);
    }
    expect(grown).toBeGreaterThan(300);
  });
  it('has no account before its creation', () => {
    const account = world.account('bluesky', 5, NOW);
    expect(world.account('bluesky', 5, account.createdAt - 1).status).toBe('absent');
  });
});
