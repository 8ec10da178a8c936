import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../../src/write/event-types.ts';
import { decideListing, decidePlacement, noListing } from '../../../src/write/marketplace/listing.ts';
import { RECORD_FIELDS, type RecordContext, readRecord } from '../../../src/write/marketplace/read-record.ts';
import { hiddenIn, WITH_ALL_HIDDEN } from '../../support/hidden-characters.ts';

const context: RecordContext = {
  source: 'market.example',
  readAt: '2026-11-20T00:00:00.000Z',
  isDated: true,
};

const LISTING = {
  id: 'am-1',
  platform: 'x',
  handle: '@NASA',
  seller: 'sam-accounts-1',
  status: 'open',
  price_usd: 150.25,
  followers: 12_000,
  listed_at: '2026-10-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
};

const read = (more: object) => readRecord({ ...LISTING, ...more }, context);
const reasonOf = (more: object): string | undefined => read(more).reason;

describe('a record of a marketplace', () => {
  it('is a listing with a normalized handle and an exact price', () => {
    expect(read({}).observation).toMatchObject({
      kind: 'listing',
      native: 'am-1',
      observedAt: '2026-11-01T00:00:00.000Z',
      platform: 'x',
      status: 'active',
      price: 150_250_000,
      details: {
        handle: 'nasa',
        seller: { id: 'sam-accounts-1', name: 'sam-accounts-1' },
        followers: 12_000,
      },
    });
    expect(read({ price_usd: '$0.000001' }).observation).toMatchObject({ price: 1 });
    expect(read({ price_usd: '' }).observation).toMatchObject({ price: null });
  });
  it.each([
    ['1e300', /decimals/],
    [1e300, /decimals/],
    ['-5', /decimals/],
    [-5, /decimals/],
    ['NaN', /decimals/],
    ['0.12345678901234567', /decimals/],
    [0.1234567, /decimals/],
    ['0', /above zero/],
    ['1000000000.01', /a billion/],
    ['1,000', /decimals/],
    [{ usd: 5 }, /neither text nor a number/],
    [true, /neither text nor a number/],
  ])('is rejected for a price of %s', (price_usd, reason) => {
    expect(reasonOf({ price_usd })).toMatch(/^price_usd: /);
    expect(reasonOf({ price_usd })).toMatch(reason);
  });
  it.each([
    ['id', { id: null }],
    ['id', { id: 'a\u0007b' }],
    ['id', { id: 'x'.repeat(257) }],
    ['platform', { platform: 'myspace' }],
    ['platform', { platform: null, handle: null }],
    ['handle', { handle: 'not a handle' }],
    ['status', { status: 'gone' }],
    ['followers', { followers: -1 }],
    ['followers', { followers: 1.5 }],
    ['followers', { followers: '9'.repeat(17) }],
    ['listed_at', { listed_at: '2026-13-01T00:00:00Z' }],
    ['updated_at', { updated_at: '1969-01-01' }],
    ['kind', { kind: 'auction' }],
    ['handle', { kind: 'placement', handle: '' }],
    ['price_usd', { kind: 'placement', price_usd: null }],
  ])('is rejected with the name of the field %s for %j', (field, more) => {
    expect(reasonOf(more)).toMatch(new RegExp(`^${field}: `));
  });
  it('may name its account by a profile URL', () => {
    const none = { platform: null, handle: null };
    expect(read({ ...none, account_url: 'https://www.tiktok.com/@Nasa' }).observation).toMatchObject({
      platform: 'tiktok',
      details: { handle: 'nasa' },
    });
    expect(read({ ...none, url: 'https://x.com/NASA' }).observation).toMatchObject({ platform: 'x' });
    expect(read({ handle: null, account_url: 'https://www.tiktok.com/@nasa' }).observation).toMatchObject({
      platform: 'x',
      details: { handle: null },
    });
  });
  it('is never observed later than its source was read', () => {
    expect(read({ updated_at: '2199-01-01T00:00:00Z' }).observation?.observedAt).toBe(context.readAt);
    expect(read({ listed_at: '2199-01-01T00:00:00Z' }).observation).toMatchObject({
      details: { listed_at: null },
    });
    expect(readRecord(LISTING, { ...context, isDated: false }).observation?.observedAt).toBe(context.readAt);
  });
  it('keeps hostile text as harmless text, within bounds', () => {
    const { observation } = read({ title: `=cmd()\u0000\ud800${'🚀'.repeat(10_000)}` });
    const title = observation?.kind === 'listing' ? (observation.details.title ?? '') : '';
    expect(title.length).toBeLessThanOrEqual(1_000);
    expect(title.isWellFormed()).toBe(true);
    expect(title).toMatch(/^=cmd\(\)/);
  });
  it.each([...RECORD_FIELDS])('has no hidden characters in what comes of its field %s', (field) => {
    const found = [
      WITH_ALL_HIDDEN,
      `https://a.example/${WITH_ALL_HIDDEN}`,
      { id: '1', name: WITH_ALL_HIDDEN },
    ].map((value) => read({ seller: null, [field]: value }));
    expect(hiddenIn(JSON.stringify(found))).toEqual([]);
  });
  it('of any content is rejected with a reason, or becomes events that the log accepts', {
    tags: 'long',
  }, () => {
    const field = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.bigInt().map(String),
      fc.constantFrom(null, true, [], {}, 'x', 'sold', '12', '2026-01-01', 'https://x.com/nasa'),
    );
    const names = Object.keys(LISTING);
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(...names, 'title', 'kind', 'views', 'url', 'sold_at', 'sold_price_usd'),
          field,
        ),
        (some) => {
          const { observation, reason } = readRecord({ ...LISTING, ...some }, context);
          if (observation === null) {
            expect(reason).toMatch(/^[a-z_]+: /);
            expect((reason ?? '').length).toBeLessThan(250);
            return;
          }
          const events =
            observation.kind === 'listing'
              ? decideListing(noListing, observation)
              : decidePlacement(null, observation);
          expect(events.length).toBeGreaterThan(0);
          for (const { type, data } of events) eventTypes[type].schema.parse(data);
        },
      ),
      { numRuns: 2_000 },
    );
  });
  it.each([[null], [5], ['text'], [[]], [[[[]]]]])('that is %j is refused', (value) => {
    expect(readRecord(value, context).observation).toBeNull();
  });
});

describe('an account named by its ID', () => {
  const of = (account_url: string) => read({ platform: null, handle: null, account_url }).observation;

  it('is kept where an ID cannot be a handle, and otherwise left out', () => {
    expect(of('https://www.youtube.com/channel/UCsXVk37bltHxD1rDPwtNM8Q')).toMatchObject({
      platform: 'youtube',
      details: { handle: 'UCsXVk37bltHxD1rDPwtNM8Q' },
    });
    expect(of('https://x.com/i/user/783214')).toMatchObject({ platform: 'x', details: { handle: null } });
  });
});
