import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RECORDS, readFeedPage } from '../../../src/crawlers/marketplace/feed-reader.ts';

const NOW = Date.UTC(2026, 10, 20);
const context = { source: 'market.example', readAt: '2026-11-20T00:00:00.000Z', isDated: false };

const page = (document: unknown, status = 200, headers: Record<string, string> = {}) =>
  readFeedPage(
    { status, headers, body: typeof document === 'string' ? document : JSON.stringify(document) },
    context,
    NOW,
  );

const listing = (n: number, more: object = {}) => ({ id: `l${n}`, platform: 'x', price_usd: 5, ...more });

describe('a page of the feed', () => {
  it('has offers as of its reading, whatever times they claim', () => {
    const read = page({ listings: [listing(1, { updated_at: '2001-01-01T00:00:00Z' })], next_cursor: 7 });
    expect(read).toMatchObject({ status: 'read', next: '7', isPartial: false, rejected: 0 });
    expect(read.status === 'read' && read.observations[0]?.observedAt).toBe(context.readAt);
  });
  it('keeps long IDs and cursors as they are written', () => {
    const read = page(
      '{"listings":[{"id":90071992547409931,"platform":"x"},{"id":90071992547409932,"platform":"x"}],"next_cursor":12345678901234567890}',
    );
    expect(read).toMatchObject({
      observations: [{ native: '90071992547409931' }, { native: '90071992547409932' }],
      next: '12345678901234567890',
    });
  });
  it('reads a record’s numbers alike beside any other records', () => {
    const record = '{"id":"a","platform":"x","followers":1200.0,"price_usd":1e3}';
    const long = '{"id":"b","platform":"x","title":"more ................ here","price_usd":5}';
    expect(page(`{"listings":[${record},${long}],"next_cursor":8.0}`)).toMatchObject({
      observations: [{ details: { followers: 1_200 }, price: 1_000_000_000 }, { native: 'b' }],
      rejected: 0,
      next: '8',
    });
  });
  it('counts an ID once, the first of ten thousand records', () => {
    const read = page({
      listings: Array.from({ length: MAX_RECORDS }, (_, i) => listing(1, { price_usd: i + 1 })),
    });
    expect(read.status === 'read' && read.observations).toMatchObject([{ price: 1_000_000 }]);
  });
  it('is partial with too many records, or records without a legible ID', () => {
    expect(page({ listings: Array.from({ length: MAX_RECORDS + 1 }, (_, i) => listing(i)) })).toMatchObject({
      isPartial: true,
    });
    expect(page({ listings: [listing(1), { id: null }, 'text'] })).toMatchObject({
      isPartial: true,
      rejected: 2,
    });
    const read = page({ listings: [listing(1, { price_usd: -5 })] });
    expect(read).toMatchObject({ isPartial: false, rejected: 1, rejectedIds: ['l1'] });
    expect(read.status === 'read' && read.warnings).toEqual(['record rejected: price_usd']);
  });
  it('is partial and the last if its cursor is a megabyte', () => {
    expect(page({ listings: [], next_cursor: 'x'.repeat(2 ** 20) })).toMatchObject({
      next: null,
      isPartial: true,
    });
    expect(page({ listings: [], next_cursor: { a: 1 } })).toMatchObject({ next: null, isPartial: true });
    expect(page({ listings: [], next_cursor: 'a\0b' })).toMatchObject({ next: null, isPartial: true });
    expect(page({ listings: [], next_cursor: null })).toMatchObject({ next: null, isPartial: false });
  });
  it.each([
    ['<html><body>Log in</body></html>', 200, 'layout_changed'],
    ['', 200, 'layout_changed'],
    ['null', 200, 'layout_changed'],
    ['[]', 200, 'layout_changed'],
    ['{"listings":{}}', 200, 'layout_changed'],
    ['{"listings":[', 200, 'layout_changed'],
    ['{}', 400, 'page_refused'],
    ['{}', 503, 'http_error'],
    ['{}', 302, 'http_error'],
    ['{}', 429, 'rate_limited'],
  ])('is unknown if it is %s with status %i: %s', (body, status, reason) => {
    expect(page(body, status)).toMatchObject({ status: 'unknown', reason });
  });
  it('says how long a limited reader waits', () => {
    expect(page('', 429, { 'retry-after': '90' })).toMatchObject({ retryAfterMs: 90_000 });
  });
  it('is read or unknown for any content, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 2 }), (listings, next_cursor) => {
        const read = page({ listings, next_cursor });
        expect(['read', 'unknown']).toContain(read.status);
      }),
    );
  });
});
