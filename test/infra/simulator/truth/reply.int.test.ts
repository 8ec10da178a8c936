import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawPlan } from '../../../../infra/simulator/fault-plan.ts';
import { type Simulator, startSimulator } from '../../../../infra/simulator/server.ts';
import { createSimClock } from '../../../../infra/simulator/world/clock.ts';

const NOW = Date.UTC(2026, 9, 1);
let simulator: Simulator;
beforeAll(async () => {
  const clock = createSimClock({ now: NOW, speed: 0 });
  simulator = await startSimulator({ seed: 7, size: 1500, clock, plan: drawPlan(3, NOW, 30) });
});
afterAll(() => simulator.close());

const get = (path: string) => fetch(`${simulator.url}/truth/${path}`, { signal: AbortSignal.timeout(5000) });
// biome-ignore lint/suspicious/noExplicitAny: what a list answers is what these tests check
const data = async (path: string): Promise<any> => (await get(path)).json();

describe('a list of /truth', () => {
  it.each([
    'accounts/x',
    'accounts/linkedin',
    'effects/tiktok',
    'changes/telegram',
    'series/bluesky?weeks=3',
    'people',
    'posts/x/3',
    'followers/x/3',
    'following/bluesky/3',
    'follows/x',
    'companies',
    'decision-makers',
    'listings?at=2030-01-01',
    'placements',
    'communities',
    'purges',
    'faults',
  ])('%s answers rows by pages and names the world', async (path) => {
    const glue = path.includes('?') ? '&' : '?';
    const first = await data(`${path}${glue}limit=4`);
    expect(first.world).toBe(simulator.world.hash);
    expect(first.rows.length).toBeGreaterThan(0);
    const next = await data(`${path}${glue}limit=4&from=2`);
    const numbered = first.rows.length === 4 && path !== 'listings?at=2030-01-01' && path !== 'placements';
    if (numbered) expect(next.rows.slice(0, 2)).toEqual(first.rows.slice(2));
  });
  it('covers every account once, as JSON and line by line', async () => {
    const count = simulator.world.count('linkedin');
    const seen: number[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const part = await data(`accounts/linkedin?limit=700&from=${from}`);
      for (const row of part.rows) seen.push(row.index);
      from = part.next;
    }
    expect(seen).toEqual(Array.from({ length: count }, (_, index) => index));
    const lines = await get('accounts/linkedin?limit=50000');
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson');
    expect(lines.headers.get('x-world')).toBe(simulator.world.hash);
    expect(lines.headers.get('x-next')).toBe('');
    const rows = (await lines.text()).trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row).index)).toEqual(seen);
  });
  it('prints the active document', async () => {
    const { world, seed, size, parameters } = await data('world');
    expect({ world, seed, size }).toEqual({ world: simulator.world.hash, seed: 7, size: 1500 });
    expect(parameters).toEqual(simulator.world.parameters);
  });
  it('has active bans and falls of engagement without one, and no other account', async () => {
    const { rows } = await data('bans/x?limit=1500&format=json');
    const kinds = new Set(rows.map((row: { kind: string }) => row.kind));
    expect(kinds.has('none')).toBe(true);
    expect(kinds.size).toBeGreaterThan(2);
    expect(rows.length).toBeLessThan(200);
    for (const row of rows) {
      expect(Date.parse(row.from)).toBeLessThanOrEqual(NOW);
      expect(Date.parse(row.to)).toBeGreaterThan(NOW);
    }
  });
  it('has the kinds of followers, newest first, with the best classifier’s score', async () => {
    const index = Array.from({ length: 1500 }, (_, n) => n).find(
      (n) => simulator.world.account('x', n).followers > 3000,
    );
    const { rows } = await data(`followers/x/${index}?limit=1000`);
    expect(new Set(rows.map((row: { kind: string }) => row.kind)).size).toBe(3);
    expect(rows[0].position).toBe(0);
    const mean = (kind: string) => {
      const own = rows.filter(
        (row: { kind: string; log_ratio: unknown }) => row.kind === kind && row.log_ratio !== null,
      );
      return own.reduce((sum: number, row: { log_ratio: number }) => sum + row.log_ratio, 0) / own.length;
    };
    expect(mean('suspicious')).toBeGreaterThan(mean('genuine'));
  });
  it('has each planned fault with its beginning and end', async () => {
    const { rows } = await data('faults');
    expect(rows.length).toBe(simulator.faults.plan.length);
    for (const row of rows) expect(Date.parse(row.to)).toBeGreaterThan(Date.parse(row.from));
  });
  it('refuses malformed requests', async () => {
    for (const path of [
      'accounts/myspace',
      'accounts/x?limit=0',
      'posts/x/1500',
      'posts/x/-1',
      'accounts/x?at=soon',
    ])
      expect((await get(path)).status, path).toBe(400);
  });
});
