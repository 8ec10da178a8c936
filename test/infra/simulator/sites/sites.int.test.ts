import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../../../infra/simulator/server.ts';
import { PLATFORMS } from '../../../../infra/simulator/simulated-platforms.ts';
import { createSimClock, type SimClock } from '../../../../infra/simulator/world/clock.ts';
import { addressOf } from '../../../../infra/simulator/world/links.ts';
import { parseParameters } from '../../../../infra/simulator/world/parameters.ts';

const NOW = Date.UTC(2026, 9, 1);
const DAY = 86_400_000;
const MARKET = 'accountmarket.example';
let simulator: Simulator;
let clock: SimClock;
beforeAll(async () => {
  clock = createSimClock({ now: NOW, speed: 0 });
  const parameters = parseParameters({ market: { listed: 0.05 } });
  simulator = await startSimulator({ seed: 7, size: 600, clock, parameters });
});
afterAll(() => simulator.close());
beforeEach(() => clock.set({ now: NOW }));

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${simulator.url}/${path}`, { redirect: 'manual', signal: AbortSignal.timeout(5000), ...init });
// biome-ignore lint/suspicious/noExplicitAny: what a site answers is what these tests check
const data = async (path: string, init?: RequestInit): Promise<any> => (await get(path, init)).json();

const feed = async () => {
  const all = [];
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const part = await data(`${MARKET}/api/v1/listings?cursor=${cursor}`);
    all.push(...part.listings);
    cursor = part.next_cursor;
  }
  return all;
};

describe('the marketplace', () => {
  it('feeds listings through linked pages', async () => {
    const all = await feed();
    expect(all.length).toBeGreaterThan(60);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const one of all) {
      expect(simulator.world.find(one.platform, one.handle)).not.toBeNull();
      expect(Date.parse(one.listed_at)).toBeLessThanOrEqual(NOW);
    }
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['open', 'sold', 'withdrawn']));
  });
  it('lowers prices, sells below the asking price, withdraws and relists', async () => {
    const before = new Map((await feed()).map((one) => [one.id, one]));
    clock.set({ now: NOW + 400 * DAY });
    const after = await feed();
    expect(after.length).toBeGreaterThan(before.size);
    const moved = after.filter((one) => before.has(one.id) && before.get(one.id).price_usd !== one.price_usd);
    expect(moved.length).toBeGreaterThan(0);
    for (const one of moved) expect(one.price_usd).toBeLessThan(before.get(one.id).price_usd);
    for (const one of after.filter(({ status }) => status === 'sold')) {
      expect(one.sold_price_usd / one.price_usd).toBeGreaterThan(0.49);
      expect(one.sold_price_usd).toBeLessThanOrEqual(one.price_usd);
    }
    expect(after.some((one) => one.relisted_from !== null)).toBe(true);
  });
  it('dumps the same as NDJSON and as CSV', async () => {
    const all = await feed();
    const lines = (await (await get(`${MARKET}/dumps/listings.ndjson`)).text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(all);
    const [head, ...rows] = (await (await get(`${MARKET}/dumps/listings.csv`)).text()).trimEnd().split('\n');
    expect(head).toBe(Object.keys(all[0]).join(','));
    expect(rows.map((row) => row.split(',')[0])).toEqual(all.map(({ id }) => id));
    const placements = (await (await get(`${MARKET}/dumps/placements.ndjson`)).text()).trimEnd().split('\n');
    expect(JSON.parse(placements[0] ?? '').price_usd).toBeGreaterThan(0);
  });
  it('shows a listing only to JavaScript', async () => {
    const [one] = await feed();
    const shell = await (await get(`${MARKET}/listing/${one.id}`)).text();
    expect(shell).not.toContain(one.handle);
    expect(shell).toContain('/assets/listing.js');
    expect(await (await get(`${MARKET}/assets/listing.js`)).text()).toContain('/api/v1/listings/');
    expect(await data(`${MARKET}/api/v1/listings/${one.id}`)).toEqual(one);
    expect((await get(`${MARKET}/api/v1/listings/am-zzzzz`)).status).toBe(404);
  });
});

describe('a link page', () => {
  it('lists its person’s accounts that link to it', async () => {
    const { hidden, size } = simulator.world;
    const owner = Array.from({ length: size }, (_, index) => index).find(
      (index) => PLATFORMS.filter((platform) => hidden.people.hasPage(platform, index)).length > 2,
    );
    const page = new URL(hidden.personPage(owner ?? 0));
    const text = await (await get(`${page.host}${page.pathname}`)).text();
    const listed = [...text.matchAll(/href="([^"]+)"/g)].map((hit) => hit[1]);
    const linking = PLATFORMS.filter((platform) => hidden.people.hasPage(platform, owner ?? 0));
    expect(listed).toEqual(
      linking.map((platform) => addressOf(platform, simulator.world.handleOf(platform, owner ?? 0))),
    );
    expect((await get('linktr.ee/nobody.there')).status).toBe(404);
  });
  it('lists all clients’ accounts for an agency', async () => {
    const { rows } = await data('truth/accounts/x?limit=600');
    const client = rows.find((row: { role: string }) => row.role === 'client');
    const page = client.links.find(
      (link: string) =>
        link.includes('linktr.ee/') && link !== simulator.world.hidden.personPage(client.index),
    );
    const text = await (await get(page.replace('https://', ''))).text();
    expect(text).toContain(`https://x.com/${client.handle}`);
    expect(text.split('<li>').length).toBeGreaterThan(4);
  });
});
