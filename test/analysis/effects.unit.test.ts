import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { benjaminiHochberg, contentEffects } from '../../src/analysis/content-effects.ts';
import { persistencesOf } from '../../src/analysis/engagement.ts';
import { fixedOffset, weekHour, zoneOffsets } from '../../src/analysis/local-time.ts';
import { postingPatterns } from '../../src/analysis/posting-patterns.ts';
import { type AnalyzedPost, isLack, sampleOf } from '../../src/analysis/sample.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { autoregression, DAY_MS, NOW, postAt } from './post-samples.ts';

const UTC = fixedOffset(0);
const options = { platform: 'x', anchorMs: NOW, windowDays: 365 } as const;
const PERSISTENCES = persistencesOf();

/** Posts in streaks at all hours, a third with a link; `factor` is what an hour and a link make of them. */
const postsOf = (
  seed: number,
  n: number,
  factor: (hour: number, link: boolean) => number,
): readonly AnalyzedPost[] => {
  const random = seededRandom(seed + 1_000_000);
  const streaks = autoregression(n, 0.35, seed);
  return streaks.map((streak, i) => {
    const days = 360 - (i * 355) / n - random.next() * 0.9;
    const link = random.next() < 0.33;
    const { atMs } = postAt(days);
    const likes = Math.round(400 * Math.exp(0.9 * streak) * factor(weekHour(atMs as number, UTC) % 24, link));
    return postAt(days, { id: String(i), likes, links: link ? 1 : 0, length: link ? 110 : 80 });
  });
};

const patternsOf = (posts: readonly AnalyzedPost[]) => {
  const patterns = postingPatterns(sampleOf(posts, options), UTC, PERSISTENCES);
  if (patterns === null || isLack(patterns)) throw new Error('no patterns');
  return patterns;
};

describe('posting patterns', () => {
  it('find the hour with half as much engagement again', () => {
    const posts = postsOf(1, 400, (hour) => 1.5 ** Math.cos(((hour - 19) / 24) * 2 * Math.PI));
    const { significant, best, cells } = patternsOf(posts);
    expect(significant).toBe(true);
    expect(cells).toHaveLength(168);
    expect(best.length).toBeGreaterThan(0);
    for (const { hour, low } of best) {
      expect(Math.abs(hour + 0.5 - 19)).toBeLessThan(5);
      expect(low).toBeGreaterThan(0);
    }
  });

  it('report no measurable difference for nearly all accounts without one', () => {
    const found = Array.from({ length: 300 }, (_, seed) =>
      patternsOf(postsOf(seed + 10, 120, () => 1)),
    ).filter(({ significant }) => significant);
    // 0.05 of 300 and three standard errors.
    expect(found.length).toBeLessThanOrEqual(26);
    for (const { best } of found) expect(best.every(({ significant }) => significant)).toBe(true);
  });

  it('use the posts that a surface listed by time, and are null only if there are none', () => {
    const orderedFrom = (first: number) =>
      postsOf(1, 80, () => 1).map((post, i) => ({ ...post, isOrdered: i >= first }));
    const found = (first: number) =>
      postingPatterns(sampleOf(orderedFrom(first), options), UTC, PERSISTENCES);
    expect(found(1)).toMatchObject({ n: 79, significant: expect.any(Boolean) });
    expect(found(1)).toEqual(postingPatterns(sampleOf(orderedFrom(1).slice(1), options), UTC, PERSISTENCES));
    expect(found(45)).toEqual({ what: 'posts', had: 35, needs: 40 });
    expect(found(80)).toBeNull();
  });

  it('are absent, like content effects, where engagement has no spread', () => {
    const flat = postsOf(3, 200, () => 1).map((post, i) => ({
      ...post,
      likes: i % 5 === 0 ? 90 + (i % 7) : 100,
      followers: 12_345,
      media: i % 3 === 0 ? ('photo' as const) : ('none' as const),
    }));
    // Media make the whole difference: nothing is left to tell an error from.
    const exact = flat.map((post, i) => ({ ...post, likes: i % 2 === 0 ? 100 : 200, links: i % 2 }));
    for (const posts of [flat, exact]) {
      expect(postingPatterns(sampleOf(posts, options), UTC, PERSISTENCES)).toBeNull();
      expect(contentEffects(sampleOf(posts, options), UTC, PERSISTENCES)).toBeNull();
    }
  });

  it('need 40 ripe posts with five reactions a post', () => {
    const few = sampleOf(
      postsOf(1, 39, () => 1),
      options,
    );
    expect(postingPatterns(few, UTC, PERSISTENCES)).toEqual({
      what: 'posts',
      had: 39,
      needs: 40,
    });
    const small = postsOf(1, 80, () => 1).map((post) => ({
      ...post,
      likes: 1,
      replies: 0,
      reposts: 0,
      quotes: 0,
    }));
    expect(contentEffects(sampleOf(small, options), UTC, PERSISTENCES)).toEqual({
      what: 'median_engagement',
      had: 1,
      needs: 5,
    });
  });
});

describe('content effects', () => {
  it('measure the effect of a link, with an interval that contains it', () => {
    const posts = postsOf(2, 400, (_, link) => (link ? 0.6 : 1));
    const content = contentEffects(sampleOf(posts, options), UTC, PERSISTENCES);
    if (content === null || isLack(content)) throw new Error('no effects');
    const link = content.effects.find(({ trait }) => trait === 'links');
    expect(link?.significant).toBe(true);
    expect(link && link.low < -40 && -40 < link.high).toBe(true);
    // A text is as long without its link.
    expect(content.effects.some(({ trait }) => trait === 'length')).toBe(false);
  });

  it('leave out a trait that every post has', () => {
    const posts = postsOf(2, 100, () => 1).map((post) => ({ ...post, media: 'video' as const }));
    const content = contentEffects(sampleOf(posts, options), UTC, PERSISTENCES);
    expect(content !== null && !isLack(content) && content.effects.map(({ trait }) => trait)).toEqual([
      'links',
    ]);
  });
});

describe('q values', () => {
  it('are at least the p values, at most 1, in the same order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }),
        (p) => {
          const q = benjaminiHochberg(p);
          p.forEach((value, i) => {
            expect(q[i]).toBeGreaterThanOrEqual(value);
            expect(q[i]).toBeLessThanOrEqual(1);
            p.forEach((other, j) => {
              if (value < other) expect(q[i]).toBeLessThanOrEqual(q[j] as number);
            });
          });
          expect(benjaminiHochberg(p.toReversed())).toEqual(q.toReversed());
        },
      ),
    );
  });
});

describe('local time', () => {
  it('follows the clocks of a zone through the year', () => {
    const berlin = zoneOffsets('Europe/Berlin').offsets;
    expect(berlin(Date.UTC(2026, 0, 15)) / 3_600_000).toBe(1);
    expect(berlin(Date.UTC(2026, 6, 15)) / 3_600_000).toBe(2);
    expect(zoneOffsets('Asia/Kolkata').offsets(NOW) / 60_000).toBe(330);
    expect(zoneOffsets('America/St_Johns').offsets(Date.UTC(2026, 0, 15)) / 60_000).toBe(-210);
  });

  it('changes with the clocks, at any hour or half hour', () => {
    const berlin = zoneOffsets('Europe/Berlin').offsets;
    expect(
      [Date.UTC(2026, 2, 29, 0, 59), Date.UTC(2026, 2, 29, 1)].map((at) => berlin(at) / 3_600_000),
    ).toEqual([1, 2]);
    // Clocks of Lord Howe go forward by half an hour at 15:30 UTC.
    const howe = zoneOffsets('Australia/Lord_Howe').offsets;
    expect(
      [Date.UTC(2026, 9, 3, 15, 29), Date.UTC(2026, 9, 3, 15, 30)].map((at) => howe(at) / 60_000),
    ).toEqual([630, 660]);
  });

  it('treats all spellings of a zone as its canonical name', () => {
    const zone = zoneOffsets('Europe/Berlin');
    for (const spelling of ['europe/berlin', 'EUROPE/BERLIN', 'eUROPE/bERLIN'])
      expect(zoneOffsets(spelling)).toBe(zone);
    expect(zone.name).toBe('Europe/Berlin');
    expect(zoneOffsets('utc').name).toBe('UTC');
  });

  it('forgets the zones used longest ago, so that requests cannot fill memory', () => {
    const zone = zoneOffsets('Europe/Berlin');
    const names = Intl.supportedValuesOf('timeZone').filter((name) => name !== 'Europe/Berlin');
    for (const name of names.slice(0, 70)) zoneOffsets(name);
    expect(zoneOffsets('Europe/Berlin')).not.toBe(zone);
  });

  it('counts the hours of a week from Monday', () => {
    const monday = Date.UTC(2026, 8, 28);
    expect(weekHour(monday, UTC)).toBe(0);
    expect(weekHour(monday - 3_600_000, UTC)).toBe(167);
    expect(weekHour(monday + DAY_MS, fixedOffset(90))).toBe(25.5);
  });

  it('refuses an unknown zone', () => {
    expect(() => zoneOffsets('Europe/Atlantis')).toThrow(RangeError);
  });
});
