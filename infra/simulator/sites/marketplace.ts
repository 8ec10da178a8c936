import { isoOf } from '../../../src/kernel/clock.ts';
import { escapeHtml, html, json } from '../platforms/response.ts';
import type { Reply, SiteRequest } from '../platforms/site.ts';
import { addressOf } from '../world/links.ts';
import type { Listing } from '../world/market.ts';
import type { World } from '../world/world.ts';

/** Where accounts are for sale. */
export const MARKETPLACE = 'accountmarket.example';

const PAGE = 100;
const DUMP = 200_000;

/** A listing as the marketplace shows it at a time. */
const shown = (world: World, listing: Listing, at: number) => {
  const { platform, index, listedAt } = listing;
  const price = listing.prices.findLast((each) => each.at <= at) ?? listing.prices[0];
  const sold = listing.soldAt !== null && listing.soldAt <= at;
  const withdrawn = listing.withdrawnAt !== null && listing.withdrawnAt <= at;
  const ended = sold ? listing.soldAt : withdrawn ? listing.withdrawnAt : null;
  const handle = world.handleOf(platform, index, listedAt);
  return {
    id: `am-${listing.number.toString(36)}`,
    platform,
    handle,
    url: addressOf(platform, handle),
    seller: listing.seller,
    status: sold ? 'sold' : withdrawn ? 'withdrawn' : 'open',
    price_usd: (price?.microUsd ?? 0) / 1e6,
    sold_price_usd: sold && listing.soldMicroUsd !== null ? listing.soldMicroUsd / 1e6 : null,
    followers: Math.floor(world.hidden.followers(platform, index, listedAt)),
    listed_at: isoOf(listedAt),
    updated_at: isoOf(ended ?? Math.max(listedAt, price?.at ?? 0)),
    sold_at: sold && listing.soldAt !== null ? isoOf(listing.soldAt) : null,
    relisted_from: listing.relistedFrom === null ? null : `am-${listing.relistedFrom.toString(36)}`,
  };
};

type Shown = ReturnType<typeof shown>;
const COLUMNS = [
  'id',
  'platform',
  'handle',
  'url',
  'seller',
  'status',
  'price_usd',
  'sold_price_usd',
  'followers',
  'listed_at',
  'updated_at',
  'sold_at',
  'relisted_from',
] as const satisfies readonly (keyof Shown)[];

const cell = (value: unknown): string => {
  const text = value === null ? '' : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const dump = (world: World, at: number, line: (one: Shown) => string, head: string): readonly string[] => {
  const parts = [head];
  for (let number = 0, rows = 0; number < world.market.listings && rows < DUMP; number++) {
    const listing = world.market.listing(number, at);
    if (!listing) continue;
    parts.push(`${line(shown(world, listing, at))}\n`);
    rows++;
  }
  return parts;
};

const placements = (world: World, at: number): readonly string[] => {
  const lines: string[] = [];
  for (let number = 0; number < world.market.placements && lines.length < DUMP; number++) {
    const placement = world.market.placement(number, at);
    if (!placement) continue;
    const { platform, index, views, priceMicroUsd } = placement;
    lines.push(
      `${JSON.stringify({
        kind: 'placement',
        id: `pl-${number.toString(36)}`,
        platform,
        handle: world.handleOf(platform, index, placement.at),
        placed_at: isoOf(placement.at),
        price_usd: priceMicroUsd / 1e6,
        views,
      })}\n`,
    );
  }
  return lines;
};

/** Shows nothing without JavaScript: the page is an empty shell that asks for its data. */
const SHELL = (id: string) => `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Listing</title></head>
<body><main id="listing" data-id="${escapeHtml(id)}"></main>
<noscript>Please enable JavaScript.</noscript>
<script src="/assets/listing.js"></script></body></html>`;

const SCRIPT = `const main = document.getElementById('listing');
const answer = await fetch('/api/v1/listings/' + main.dataset.id);
const listing = answer.ok ? await answer.json() : null;
const add = (tag, name, text) => {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  main.append(element);
};
if (listing === null) add('p', 'missing', 'This listing does not exist.');
else {
  document.title = listing.handle + ' on ' + listing.platform;
  add('h1', 'handle', listing.handle);
  add('p', 'status', listing.status);
  add('p', 'price', '$' + listing.price_usd.toFixed(2));
  add('p', 'seller', listing.seller);
}
`;

/**
 * The marketplace: a feed by pages with a cursor, dumps as NDJSON and CSV, one page a listing that needs JavaScript.
 */
export const marketplace = (world: World, { path, query, at }: SiteRequest): Reply => {
  const numberOf = (id: string): number =>
    /^am-[0-9a-z]+$/.test(id) ? Number.parseInt(id.slice(3), 36) : -1;
  const [, room, ...rest] = path.split('/');
  if (room === 'listing' && rest[0]) return html(SHELL(rest[0]));
  if (path === '/assets/listing.js')
    return {
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8' },
      body: [`(async () => {\n${SCRIPT}})();\n`],
    };
  if (path === '/api/v1/listings') {
    const cursor = Number(query.get('cursor') ?? 0);
    const since = Date.parse(query.get('updated_since') ?? '1970-01-01');
    if (!Number.isInteger(cursor) || cursor < 0 || Number.isNaN(since))
      return json({ error: 'bad_request' }, 400);
    const listings: Shown[] = [];
    let number = cursor;
    for (; number < world.market.listings && listings.length < PAGE; number++) {
      const listing = world.market.listing(number, at);
      const one = listing && shown(world, listing, at);
      if (one && Date.parse(one.updated_at) >= since) listings.push(one);
    }
    return json({ listings, next_cursor: number < world.market.listings ? String(number) : null });
  }
  if (room === 'api' && rest[1] === 'listings' && rest[2]) {
    const listing = world.market.listing(numberOf(rest[2]), at);
    return listing ? json(shown(world, listing, at)) : json({ error: 'not_found' }, 404);
  }
  const text = (type: string, body: readonly string[]): Reply => ({
    status: 200,
    headers: { 'content-type': type },
    body,
  });
  if (path === '/dumps/listings.ndjson')
    return text('application/x-ndjson', dump(world, at, JSON.stringify, ''));
  if (path === '/dumps/listings.csv')
    return text(
      'text/csv; charset=utf-8',
      dump(world, at, (one) => COLUMNS.map((name) => cell(one[name])).join(','), `${COLUMNS.join(',')}\n`),
    );
  if (path === '/dumps/placements.ndjson') return text('application/x-ndjson', placements(world, at));
  return json({ error: 'not_found' }, 404);
};
