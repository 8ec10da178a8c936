import { describe, expect, it } from 'vitest';
import {
  advanceReading,
  afterReading,
  dueReading,
  type FeedReading,
  noPosition,
} from '../../../src/crawlers/marketplace/feed-store.ts';

const intervals = { pollMs: 60_000, sweepMs: 3_600_000 };
const NOW = Date.UTC(2026, 10, 20);

const CAPS = { pages: 100, listings: 1_000 };

const advance = (
  reading: FeedReading,
  page: Omit<Parameters<typeof advanceReading>[1], 'listings'>,
  listings = 0,
) => advanceReading(reading, { ...page, listings }, CAPS);

const sweep = dueReading(noPosition, intervals, NOW) as FeedReading;

describe('readings of the feed', () => {
  it('start with a sweep, then read changes, overlapping, until the next sweep is due', () => {
    expect(sweep).toMatchObject({ kind: 'sweep', since: null, cursor: null });
    const swept = afterReading({ ...noPosition, reading: sweep }, sweep);
    expect(dueReading(swept, intervals, NOW + 59_000)).toBeNull();
    const changes = dueReading(swept, intervals, NOW + 60_000);
    expect(changes).toMatchObject({ kind: 'changes' });
    expect(changes?.since).toBeLessThan(NOW);
    const polled = afterReading(swept, changes as FeedReading);
    expect(dueReading(polled, intervals, NOW + 119_000)).toBeNull();
    expect(dueReading(polled, intervals, NOW + 3_600_000)).toMatchObject({ kind: 'sweep' });
  });
  it('end with the last page', () => {
    expect(advance(sweep, { next: null, isPartial: false, fresh: 5 }).status).toBe('ended');
    const next = advance(sweep, { next: 'b', isPartial: true, fresh: 5 });
    expect(next).toMatchObject({ status: 'reading', reading: { cursor: 'b', pages: 1, isPartial: true } });
    expect(advance(next.reading, { next: null, isPartial: false, fresh: 5 }).reading.isPartial).toBe(true);
  });
  it('end where the feed leads in circles, or to itself', () => {
    expect(advance({ ...sweep, cursor: 'a' }, { next: 'a', isPartial: false, fresh: 5 }).status).toBe(
      'endless',
    );
    let reading = sweep;
    let pages = 0;
    for (let status = 'reading'; status === 'reading'; pages++) {
      const advanced = advance(reading, { next: `c${pages % 2}`, isPartial: false, fresh: 0 });
      ({ status, reading } = advanced);
    }
    expect(pages).toBe(20);
  });
  it('end at the source’s limit of pages or listings', () => {
    const page = { next: 'z', isPartial: false, fresh: 9 };
    expect(advance({ ...sweep, pages: 98 }, page).status).toBe('reading');
    expect(advance({ ...sweep, pages: 99 }, page).status).toBe('capped');
    expect(advance(sweep, page, 999).status).toBe('reading');
    expect(advance(sweep, page, 1_000).status).toBe('capped');
    // The last page ends a reading, however large it is.
    expect(advance({ ...sweep, pages: 99 }, { ...page, next: null }, 1_000).status).toBe('ended');
  });
});
