import { describe, expect, it } from 'vitest';
import { PLATFORMS, type Platform } from '../../../src/kernel/platform.ts';
import { dividePlatforms, sampleLoad } from '../../../src/projections/builds/rebuild.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import type { EventPage, ReadAllOptions } from '../../../src/write/log/port.ts';
import { decodeEvent } from '../../support/memory-log.ts';

const loadOf = (load: Partial<Record<Platform, number>>) =>
  new Map(Object.entries(load) as [Platform, number][]);

describe('platforms divided among writers', () => {
  it('belong to exactly one writer each', () => {
    for (const writers of [1, 2, 3, 7, 12]) {
      const shares = dividePlatforms(loadOf({ x: 500, tiktok: 20 }), writers);
      expect(shares).toHaveLength(Math.min(writers, PLATFORMS.length));
      expect(shares.flatMap(({ platforms }) => platforms).toSorted()).toEqual([...PLATFORMS].toSorted());
      expect(shares.every(({ platforms }) => platforms.length > 0)).toBe(true);
      expect(shares.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1);
    }
  });

  it('leave the largest alone if it equals all others together', () => {
    const [largest] = dividePlatforms(loadOf({ instagram: 100, x: 20, tiktok: 30, youtube: 40 }), 2);
    expect(largest?.platforms).toEqual(['instagram']);
    expect(largest?.weight).toBeCloseTo(0.5, 1);
  });

  it('are divided evenly if they are equal', () => {
    const equal = new Map(PLATFORMS.map((platform) => [platform, 100]));
    for (const { weight } of dividePlatforms(equal, 2)) expect(Math.abs(weight - 0.5)).toBeLessThan(0.08);
  });
});

describe('the load of platforms', () => {
  const HEAD = 40_000;

  /** A log of X up to its middle, of TikTok from there on. */
  const logOf = (canSeekAnyPosition: boolean) => ({
    canSeekAnyPosition,
    async *readAll(after: bigint, { pageSize = 0 }: ReadAllOptions = {}): AsyncGenerator<EventPage> {
      const events = Array.from({ length: pageSize }, (_, i) => {
        const position = Number(after) + 1 + i;
        const stream = position <= HEAD / 2 ? 'account-x:a' : 'account-tiktok:b';
        return decodeEvent(position, { stream, type: i % 4 === 0 ? 'PostsSighted' : 'AccountUnchanged' });
      });
      yield { events, endPosition: after + BigInt(pageSize) };
    },
  });

  it('is estimated from the projection’s events over the whole log', async () => {
    const load = await sampleLoad(logOf(true), directory, BigInt(HEAD));
    expect(load).toEqual(new Map([...loadOf({ x: 1_500, tiktok: 1_500 })]));
  });

  it('is estimated from the start of a log that can only be read from there', async () => {
    expect(await sampleLoad(logOf(false), directory, BigInt(HEAD))).toEqual(loadOf({ x: 150 }));
  });
});
